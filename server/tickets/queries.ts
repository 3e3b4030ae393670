import { type Insertable, type Selectable, sql, type SqlBool } from 'kysely'
import type { TicketKind } from '#common/products/tickets.ts'
import type { TicketStatus } from '#common/tickets/states.ts'
import type { UploadsOf } from '#server/documents/public.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'
import { isIndexed, wordPatterns } from '#server/kit/store/search.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { noteClaimStep } from './claims/queries.ts'
import { messageColumns, ticketColumns } from './sealed/words.ts'
import type { StoredForm, TicketTables } from './tables.ts'

export type TicketRow = Selectable<TicketTables['tickets']>
export type NewTicket = Omit<Insertable<TicketTables['tickets']>, 'business_unit_id' | 'form' | 'messages' | 'sealed' | 'sealed_by'> & {
  form: StoredForm
}
export type MessageRow = Selectable<TicketTables['ticket_messages']>
export type TicketFileRow = { ticket_id: string; position: number; id: string; name: string; media_type: string; size: number }

/** The reading user: whether they see only their own tickets, and their side. The other side's messages can be unread. */
export type Reader = { userId: string; ownOnly: boolean; support: boolean }

export async function findTicket(tx: UnitTx, id: string, reader: Reader): Promise<TicketRow | undefined> {
  const found = await tx.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirst()
  return found && (!reader.ownOnly || found.user_id === reader.userId) ? found : undefined
}

export const ticketById = (tx: UnitTx, id: string): Promise<TicketRow | undefined> =>
  tx.selectFrom('tickets').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns whether the reader may see a file: through its ticket, or as the uploader while it has none. */
export async function seesFile(tx: UnitTx, file: { id: string; user_id: string | null }, reader: Reader): Promise<boolean> {
  const used = await tx.selectFrom('ticket_files').select('ticket_id').where('file_id', '=', file.id).executeTakeFirst()
  return used ? (await findTicket(tx, used.ticket_id, reader)) !== undefined : file.user_id === reader.userId
}

export const findByReference = (tx: UnitTx, reference: string): Promise<TicketRow | undefined> =>
  tx.selectFrom('tickets').selectAll().where('reference', '=', reference).executeTakeFirst()

export const unitKey = async (tx: UnitTx): Promise<string> =>
  (await tx.selectFrom('business_units').select('key').executeTakeFirstOrThrow()).key

/** Returns the unit that a reply address names, unless it is suspended. */
export const unitByKey = (database: Database, key: string): Promise<{ id: string } | undefined> =>
  database.asService(tx =>
    tx.selectFrom('business_units').select('id').where('key', '=', key).where('suspended', '=', false).executeTakeFirst(),
  )

/** Reads and locks a ticket, so that no position in its thread is used twice. */
export const lockTicket = (tx: UnitTx, id: string): Promise<TicketRow> =>
  tx.selectFrom('tickets').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()

/** Returns the next number of the unit's tickets. */
export async function nextTicketNumber(tx: UnitTx): Promise<number> {
  const { next_number } = await tx
    .insertInto('ticket_numbers')
    .values({ next_number: 1 })
    .onConflict(conflict => conflict.column('business_unit_id').doUpdateSet({ next_number: sql`ticket_numbers.next_number + 1` }))
    .returning('next_number')
    .executeTakeFirstOrThrow()
  return next_number - 1
}

export async function insertTicket(tx: UnitTx, secrets: Secrets, { form, description, ...ticket }: NewTicket): Promise<TicketRow> {
  const inserted = await tx
    .insertInto('tickets')
    .values({ ...ticket, ...ticketColumns(secrets, ticket.id, { description, form }) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await noteClaimStep(tx, inserted)
  return inserted
}

export type Filter = {
  kind: TicketKind | undefined
  status: TicketStatus | undefined
  typeKey: string | undefined
  mine: boolean
  words: string
}

/** Matches tickets by the word index if it knows the words. Only this database function can read it (0020-search-words.sql). */
const found = (words: string) =>
  isIndexed(words)
    ? sql<SqlBool>`id in (select found.id from tickets_found(${wordPatterns(words)}::text[]) as found)`
    : sql<SqlBool>`search like all (${wordPatterns(words)}::text[])`

const matching = (tx: UnitTx, { kind, status, typeKey, mine, words }: Filter, reader: Reader) => {
  let query = tx.selectFrom('tickets')
  if (mine || reader.ownOnly) query = query.where('user_id', '=', reader.userId)
  if (kind) query = query.where('kind', '=', kind)
  if (status) query = query.where('status', '=', status)
  if (typeKey !== undefined) query = query.where('type_key', '=', typeKey)
  if (words !== '') query = query.where(found(words))
  return query
}

export async function countTickets(tx: UnitTx, filter: Filter, reader: Reader): Promise<number> {
  const { many } = await matching(tx, filter, reader)
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return many
}

/** The number of tickets that the unit has filed, without counting them. */
export const filedTickets = async (tx: UnitTx): Promise<number> =>
  (await tx.selectFrom('ticket_numbers').select('next_number').executeTakeFirst())?.next_number ?? 0

export const pageOfTickets = (
  tx: UnitTx,
  filter: Filter,
  reader: Reader,
  { page, perPage }: { page: number; perPage: number },
): Promise<TicketRow[]> =>
  matching(tx, filter, reader)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset((page - 1) * perPage)
    .limit(perPage)
    .execute()

/** Counts each ticket's unread messages of the other side. A ticket that support never opened counts as one more. */
export async function unreadOf(tx: UnitTx, ids: string[], { userId, support }: Reader): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; unread: number }>`
    select ticket.id, count(message.position) + (${support} and reading.position is null and ticket.user_id <> ${userId})::int as unread
    from tickets ticket
    left join ticket_reads reading on reading.business_unit_id = ticket.business_unit_id and reading.ticket_id = ticket.id
      and reading.user_id = ${userId}
    left join ticket_messages message on message.business_unit_id = ticket.business_unit_id and message.ticket_id = ticket.id
      and message.from_support <> ${support} and message.position > coalesce(reading.position, 0)
    where ticket.business_unit_id = ${tx.businessUnitId} and ticket.id = any(${ids}::uuid[])
    group by ticket.id, ticket.user_id, reading.position`.execute(tx)
  return new Map(rows.map(({ id, unread }) => [id, unread]))
}

/** Counts the tickets of each kind with something unread, among those that changed since. */
export async function countUnread(tx: UnitTx, since: Date, { userId, ownOnly, support }: Reader): Promise<Record<TicketKind, number>> {
  const { rows } = await sql<{ kind: TicketKind; many: number }>`
    select ticket.kind, count(*) as many
    from tickets ticket
    left join ticket_reads reading on reading.business_unit_id = ticket.business_unit_id and reading.ticket_id = ticket.id
      and reading.user_id = ${userId}
    where ticket.business_unit_id = ${tx.businessUnitId} and ticket.updated_at > ${since}
      ${ownOnly ? sql`and ticket.user_id = ${userId}` : sql``}
      and (${support ? sql`(reading.position is null and ticket.user_id <> ${userId}) or` : sql``}
        exists (select from ticket_messages message where message.business_unit_id = ${tx.businessUnitId}
          and message.ticket_id = ticket.id and message.from_support <> ${support} and message.position > coalesce(reading.position, 0)))
    group by ticket.kind`.execute(tx)
  const many = (kind: TicketKind) => rows.find(row => row.kind === kind)?.many ?? 0
  return { claim: many('claim'), request: many('request') }
}

export const markRead = (tx: UnitTx, { id, messages }: Pick<TicketRow, 'id' | 'messages'>, userId: string) =>
  tx
    .insertInto('ticket_reads')
    .values({ ticket_id: id, user_id: userId, position: messages })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'ticket_id', 'user_id'])
        .doUpdateSet({ position: sql`greatest(ticket_reads.position, excluded.position)` }),
    )
    .execute()

type NewMessage = Omit<Insertable<TicketTables['ticket_messages']>, 'business_unit_id' | 'ticket_id' | 'position' | 'sealed' | 'sealed_by'>

/** Appends a message to the thread. The ticket's row must be locked. */
export async function addMessage(
  tx: UnitTx,
  secrets: Secrets,
  ticket: TicketRow,
  message: NewMessage,
  status: TicketStatus,
): Promise<MessageRow> {
  const position = ticket.messages + 1
  const added = await tx
    .insertInto('ticket_messages')
    .values({ ticket_id: ticket.id, position, ...message, ...messageColumns(secrets, message.id, message.body) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await changeTicket(tx, ticket.id, { status, messages: position, updated_at: message.at })
  return added
}

type TicketChanges = { status?: TicketStatus; misfiled?: boolean; messages?: number; updated_at: Date | string }

export async function changeTicket(tx: UnitTx, id: string, changes: TicketChanges): Promise<void> {
  await noteClaimStep(
    tx,
    await tx.updateTable('tickets').set(changes).where('id', '=', id).returning(['id', 'kind']).executeTakeFirstOrThrow(),
  )
}

export const threadOf = (tx: UnitTx, ticketId: string): Promise<MessageRow[]> =>
  tx.selectFrom('ticket_messages').selectAll().where('ticket_id', '=', ticketId).orderBy('position').execute()

export const hasMail = async (tx: UnitTx, ticketId: string, mailId: string): Promise<boolean> =>
  (await tx
    .selectFrom('ticket_messages')
    .select('id')
    .where('ticket_id', '=', ticketId)
    .where('mail_id', '=', mailId)
    .executeTakeFirst()) !== undefined

/** The files of tickets. A file that has no ticket yet belongs to its uploader. */
export const ticketUploads: UploadsOf = {
  kind: 'ticket',
  isLoose: sql<SqlBool>`not exists (select from ticket_files used where used.business_unit_id = files.business_unit_id and used.file_id = files.id)`,
}

export async function attachFiles(tx: UnitTx, ticketId: string, position: number, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const owner = { ticket_id: ticketId, position }
  await tx
    .insertInto('ticket_files')
    .values(ids.map((file_id, index) => ({ ...owner, file_id, place: index })))
    .execute()
}

export const filesOf = (tx: UnitTx, ticketId: string): Promise<TicketFileRow[]> =>
  tx
    .selectFrom('ticket_files')
    .innerJoin('files', join =>
      join.onRef('files.business_unit_id', '=', 'ticket_files.business_unit_id').onRef('files.id', '=', 'ticket_files.file_id'),
    )
    .where('ticket_files.ticket_id', '=', ticketId)
    .select([
      'ticket_files.ticket_id',
      'ticket_files.position',
      'files.id',
      'files.name',
      'files.media_type',
      sql<number>`files.size`.as('size'),
    ])
    .orderBy('ticket_files.position')
    .orderBy('ticket_files.place')
    .execute()

/** Counts a user's tickets and messages since a moment. Each of them sent one or two mails. */
export async function sentSince(tx: UnitTx, userId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ many: number }>`
    select (select count(*) from tickets
        where business_unit_id = ${tx.businessUnitId} and user_id = ${userId} and created_at > ${since})
      + (select count(*) from ticket_messages
        where business_unit_id = ${tx.businessUnitId} and user_id = ${userId} and at > ${since}) as many`.execute(tx)
  return rows[0]?.many ?? 0
}

/** Counts the requests on a policy since a moment. */
export async function ticketsOfPolicySince(tx: UnitTx, policyId: string, since: Date): Promise<number> {
  const { many } = await tx
    .selectFrom('tickets')
    .where('policy_id', '=', policyId)
    .where('kind', '=', 'request')
    .where('created_at', '>', since)
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return many
}
