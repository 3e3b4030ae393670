import { sql } from 'kysely'
import { addYears } from '#common/kit/dates.ts'
import { ticketBlockedYears } from '#common/privacy/classes.ts'
import type { World } from '#server/kit/app-context.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { bodyOf, type StoredForm, wordsOf } from '#server/tickets/public.ts'
import { sealAway } from '../sealed.ts'
import type { Cause } from '../tables.ts'

type Taken<C> = { id: string; updated_at: Date; contact_name: string; contact_email: string; content: C }

type Content = { ticket: Stored & { description: string; form: StoredForm }; messages: (Stored & { body: string })[]; files: unknown[] }
/** A row as JSON has it, with its texts encrypted or not. */
type Stored = { id: string; sealed: string | null; sealed_by: string | null }

/** Blocks closed tickets: texts, answers and contacts are encrypted into `blocked_data`, and files stay in the file store. */
export async function blockTickets(world: World, tx: PrivacyUnitTx, ids: readonly string[], cause: Cause): Promise<void> {
  if (ids.length === 0) return
  const rows = await readTickets(world.secrets, tx, ids)
  await sealAway(
    world,
    tx,
    rows.map(({ id, updated_at: at, contact_name: name, contact_email: email, content }) => ({
      kind: 'ticket',
      objectId: id,
      cause,
      until: addYears(at.toISOString().slice(0, 10), ticketBlockedYears),
      content,
      people: [{ document: null, birthDate: null, email, name }],
    })),
  )
  const ofThese = sql`business_unit_id = ${tx.businessUnitId} and ticket_id = any(${ids}::uuid[])`
  await sql`delete from ticket_messages where ${ofThese}`.execute(tx)
  await sql`delete from mails where business_unit_id = ${tx.businessUnitId} and about = any(${ids}::uuid[])`.execute(tx)
  await sql`
    update files set name = '' where business_unit_id = ${tx.businessUnitId} and id in (select file_id from ticket_files where ${ofThese})`.execute(
    tx,
  )
  await sql`
    update tickets set status = 'blocked', form = jsonb_set('{"name":null,"answers":[]}', '{name}', coalesce(form->'name', 'null')), subject = '', description = '',
      contact_name = '', contact_email = '', contact_phone = '', user_name = '', search = '', messages = 0, sealed = null, sealed_by = null
    where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])`.execute(tx)
}

/** Reads everything of tickets that identifies a person, with texts decrypted. */
export async function readTickets(secrets: Secrets, tx: PrivacyUnitTx, ids: readonly string[]): Promise<Taken<Record<string, unknown>>[]> {
  const { rows } = await sql<Taken<Content>>`
    select id, updated_at, contact_name, contact_email, jsonb_build_object(
      'ticket', to_jsonb(ticket) - 'search',
      'messages', (select coalesce(jsonb_agg(to_jsonb(message) order by position), '[]') from ticket_messages as message
        where message.business_unit_id = ticket.business_unit_id and message.ticket_id = ticket.id),
      'files', (select coalesce(jsonb_agg(jsonb_build_object('id', files.id, 'name', files.name)), '[]') from files join ticket_files as used
        on used.business_unit_id = files.business_unit_id and used.file_id = files.id
        where used.business_unit_id = ticket.business_unit_id and used.ticket_id = ticket.id)) as content
    from tickets as ticket
    where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])`.execute(tx)
  return rows.map(row => ({ ...row, content: openedContent(secrets, row.content) }))
}

/** Decrypts the texts, so that the content has all of them and nothing is encrypted twice. */
function openedContent(secrets: Secrets, { ticket, messages, files }: Content): Record<string, unknown> {
  const sealedIn = ({ sealed, sealed_by }: Stored) => ({ sealed: sealed === null ? null : Buffer.from(sealed.slice(2), 'hex'), sealed_by })
  const { description, answers } = wordsOf(secrets, { ...ticket, ...sealedIn(ticket) })
  const { sealed: _, sealed_by: __, ...columns } = ticket
  return {
    ticket: { ...columns, description, form: { ...ticket.form, answers } },
    messages: messages.map(message => {
      const { sealed: _, sealed_by: __, ...rest } = message
      return { ...rest, body: bodyOf(secrets, { ...message, ...sealedIn(message) }) }
    }),
    files,
  }
}

/** Deletes tickets with their files. Returns the contents that no other file uses. */
export async function deleteTickets(tx: PrivacyUnitTx, ids: readonly string[]): Promise<string[]> {
  const ofThese = sql`business_unit_id = ${tx.businessUnitId} and ticket_id = any(${ids}::uuid[])`
  const { rows } = await sql<{ file_id: string }>`delete from ticket_files where ${ofThese} returning file_id`.execute(tx)
  const { rows: contents } = await sql<{ content_id: string }>`
    delete from files where business_unit_id = ${tx.businessUnitId} and id = any(${rows.map(({ file_id: id }) => id)}::uuid[]) and content_id is not null
    returning content_id`.execute(tx)
  for (const table of ['ticket_messages', 'ticket_reads', 'claim_steps'])
    await sql`delete from ${sql.table(table)} where ${ofThese}`.execute(tx)
  await sql`delete from tickets where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])`.execute(tx)
  return contents.map(({ content_id: id }) => id)
}
