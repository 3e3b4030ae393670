import type { Question, ReplySent } from '#common/kit/call.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { searchTerm } from '#common/policies/number.ts'
import type * as calls from '#common/tickets/calls.ts'
import type { unreadTickets } from '#common/tickets/unread-calls.ts'
import { type Side, statusesFor } from '#common/tickets/states.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { SeesTicketFile } from '#server/documents/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { ownOnly } from '#server/policies/public.ts'
import { audit, noteListed } from '#server/session/public.ts'
import { answerText } from './forms.ts'
import {
  countTickets,
  countUnread,
  filesOf,
  type Filter,
  findTicket,
  markRead,
  pageOfTickets,
  type Reader,
  seesFile,
  threadOf,
  type TicketFileRow,
  type TicketRow,
  unreadOf,
} from './queries.ts'

/** What is asked of whoever reads: his permissions in a unit. */
type CallerContext = Pick<CallerInUnit, 'userId'> & { unit: Pick<CallerInUnit['unit'], 'permissions'> }

export const sideOf = ({ unit }: Pick<CallerContext, 'unit'>): Side => (may(unit.permissions, 'b2b-admin') ? 'support' : 'agency')

const readerOf = (caller: CallerContext): Reader => ({
  userId: caller.userId,
  ownOnly: ownOnly(caller) !== undefined,
  support: sideOf(caller) === 'support',
})

/** One that the caller may not know of is told from none at all by nothing. */
export async function demandTicket(tx: UnitTx, caller: CallerInUnit, id: string): Promise<TicketRow> {
  const ticket = await findTicket(tx, id, readerOf(caller))
  if (!ticket) throw new Refusal('request.not_found')
  return ticket
}

/** A file of a ticket is seen by whoever sees the ticket. */
export const seesTicketFile =
  ({ database }: World): SeesTicketFile =>
  ({ userId, scope, permissions }, file) =>
    database.inScope(scope, tx => seesFile(tx, file, readerOf({ userId, unit: { permissions } })))

export const list =
  (world: World): Handler<typeof calls.listTickets> =>
  async asked => {
    const { ask, caller, locale } = asked
    const { scope } = caller.unit
    const reader = readerOf(caller)
    const filter = filterOf(ask)
    return world.database.inScope(scope, async tx => {
      const total = await countTickets(tx, filter, reader)
      const rows = await pageOfTickets(tx, filter, reader, ask)
      const unread = await unreadOf(
        tx,
        rows.map(({ id }) => id),
        reader,
      )
      const { page, perPage } = ask
      const tickets = rows.map(row => rowIn(locale, row, unread.get(row.id) ?? 0))
      await noteListed(world, tx, asked, 'tickets.listed', { ...shapeOf(filter, reader), page, shown: tickets.length })
      return { total, totalPages: Math.ceil(total / perPage), page, perPage, tickets }
    })
  }

const unreadDays = 90

export const unread =
  ({ database, clock }: World): Handler<typeof unreadTickets> =>
  ({ caller }) => {
    const since = new Date(clock.now().getTime() - unreadDays * 86_400_000)
    return database.inScope(caller.unit.scope, tx => countUnread(tx, since, readerOf(caller)))
  }

const shapeOf = ({ kind, status, words }: Filter, { ownOnly }: Reader) => ({
  ...(kind ? { kind } : {}),
  ...(status ? { status } : {}),
  ...(words === '' ? {} : { searched: true }),
  ...(ownOnly ? { ownOnly: true } : {}),
})

const filterOf = ({ kind, status, searchData }: Question<typeof calls.listTickets>): Filter => ({
  kind: kind ?? undefined,
  status: status ?? undefined,
  words: searchTerm(searchData ?? ''),
})

type Row = ReplySent<typeof calls.listTickets>['tickets'][number]

const rowIn = (locale: Locale, ticket: TicketRow, unread: number): Row => ({
  ticketUuid: ticket.id,
  reference: ticket.reference,
  kind: ticket.kind,
  type: ticket.form.name[languageOf(locale)],
  subject: ticket.subject,
  status: ticket.status,
  createdAt: ticket.created_at.toISOString(),
  updatedAt: ticket.updated_at.toISOString(),
  policyNumber: ticket.policy_number,
  messages: ticket.messages,
  unread,
})

/** All of one ticket. Whoever looks at what people suffered is written down, and has read it. */
export const detail =
  (world: World): Handler<typeof calls.ticketDetail> =>
  asked =>
    world.database.inScope(asked.caller.unit.scope, async tx => {
      const ticket = await demandTicket(tx, asked.caller, asked.ask.ticketUuid)
      await audit(world, tx, asked, { action: 'ticket.seen', outcome: 'done', object: ticket.id })
      await markRead(tx, ticket, asked.caller.userId)
      return detailOf(world, tx, asked, ticket)
    })

type Detail = ReplySent<typeof calls.ticketDetail>

async function detailOf(
  world: World,
  tx: UnitTx,
  { caller, locale }: HandlerInput<typeof calls.ticketDetail>,
  ticket: TicketRow,
): Promise<Detail> {
  const { currency } = await unitSettings(tx)
  const files = await filesOf(tx, ticket.id)
  const thread = await threadOf(tx, ticket.id)
  const words = world.words(locale)
  return {
    ticket: rowIn(locale, ticket, 0),
    description: ticket.description,
    incidentDate: ticket.incident_date,
    contactEmail: ticket.contact_email,
    contactPhone: ticket.contact_phone,
    createdBy: ticket.user_name,
    answers: ticket.form.answers.map(answer => ({
      name: answer.name,
      label: answer.label[languageOf(locale)],
      text: answerText(answer, locale, words, currency),
    })),
    files: filesAt(files, 0),
    thread: thread.map(({ id, at, author, from_support, body, position }) => ({
      uuid: id,
      at: at.toISOString(),
      author,
      support: from_support,
      text: body,
      files: filesAt(files, position),
    })),
    statuses: statusesFor(sideOf(caller), ticket.status),
  }
}

const filesAt = (files: TicketFileRow[], position: number): Detail['files'] =>
  files
    .filter(file => file.position === position)
    .map(({ id, name, media_type, size }) => ({ uuid: id, name, mediaType: media_type, size }))
