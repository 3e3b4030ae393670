import type { RequestOf, RequestSentOf, ResponseSentOf } from '#common/kit/call.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { searchTerm } from '#common/policies/number.ts'
import type * as calls from '#common/tickets/calls.ts'
import type { unreadTickets } from '#common/tickets/unread-calls.ts'
import { type Side, statusesFor } from '#common/tickets/states.ts'
import { builtInTicketViews, ticketConditions, type TicketViewParams } from '#common/tickets/views.ts'
import { countedAtOnce } from '#common/views/views.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { SeesUpload } from '#server/documents/public.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { type Takers, takersOf } from '#server/accounting/public.ts'
import { audit, auditListed } from '#server/session/public.ts'
import { countViews, saveView, viewsOf } from '#server/views/public.ts'
import { answerText, outsideCoverIn, typeId, typesNow } from './forms.ts'
import {
  countTickets,
  countUnread,
  filedTickets,
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
import { bodyOf, wordsOf } from './sealed/words.ts'

/** The part of a caller that decides which tickets they see. */
type TicketCaller = Pick<CallerInUnit, 'userId'> & { unit: Pick<CallerInUnit['unit'], 'permissions'> }

export const sideOf = ({ unit }: Pick<TicketCaller, 'unit'>): Side => (may(unit.permissions, 'b2b-admin') ? 'support' : 'agency')

const readerOf = (caller: TicketCaller): Reader => ({
  userId: caller.userId,
  ownOnly: ownOnly(caller) !== undefined,
  support: sideOf(caller) === 'support',
})

/** Returns the ticket. Throws 404 if it does not exist or the caller may not see it. */
export async function requireTicket(tx: UnitTx, caller: CallerInUnit, id: string): Promise<TicketRow> {
  const ticket = await findTicket(tx, id, readerOf(caller))
  if (!ticket) throw new Refusal('request.not_found')
  return ticket
}

/** Returns whether the caller may see a ticket's file, as all who see the ticket may. */
export const seesTicketFile =
  ({ database }: World): SeesUpload['ticket'] =>
  ({ userId, scope, permissions }, file) =>
    database.inScope(scope, tx => seesFile(tx, file, readerOf({ userId, unit: { permissions } })))

export const list =
  (world: World): Handler<typeof calls.listTickets> =>
  async input => {
    const { ask, caller, locale } = input
    const { scope } = caller.unit
    const reader = readerOf(caller)
    return world.database.inScope(scope, async tx => {
      const filter = await filterOf(tx, ask)
      const total = await countTickets(tx, filter, reader)
      const rows = await pageOfTickets(tx, filter, reader, ask)
      const unread = await unreadOf(
        tx,
        rows.map(({ id }) => id),
        reader,
      )
      const { page, perPage } = ask
      const takers = await takersFor(tx, caller, rows)
      const tickets = rows.map(row => {
        const policyholder = takers.get(row.policy_id ?? '')
        return { ...rowIn(locale, row, unread.get(row.id) ?? 0), ...(policyholder ? { policyholder } : {}) }
      })
      await auditListed(world, tx, input, { action: 'tickets.listed' }, { ...auditDetailsOf(filter, reader), page, shown: tickets.length })
      return { total, totalPages: Math.ceil(total / perPage), page, perPage, tickets }
    })
  }

/** Returns the policyholders of the tickets' policies that the caller may see, by the policies' ids. */
export function takersFor(tx: UnitTx, caller: TicketCaller, rows: readonly Pick<TicketRow, 'policy_id'>[]): Promise<Takers> {
  const maySee = may(caller.unit.permissions, 'b2b-policies-sold-view')
  return takersOf(tx, maySee ? rows.flatMap(({ policy_id: id }) => id ?? []) : [], ownOnly(caller))
}

const unreadDays = 90

export const unread =
  ({ database, clock }: World): Handler<typeof unreadTickets> =>
  ({ caller }) => {
    const since = new Date(clock.now().getTime() - unreadDays * 86_400_000)
    return database.inScope(caller.unit.scope, tx => countUnread(tx, since, readerOf(caller)))
  }

const auditDetailsOf = ({ kind, status, typeKey, mine, words }: Filter, { ownOnly }: Reader) => ({
  ...(kind ? { kind } : {}),
  ...(status ? { status } : {}),
  ...(typeKey ? { type: typeKey } : {}),
  ...(mine ? { mine } : {}),
  ...(words === '' ? {} : { searched: true }),
  ...(ownOnly ? { ownOnly: true } : {}),
})

type Conditions = Pick<RequestSentOf<typeof calls.listTickets>, 'kind' | 'status' | 'typeUuid' | 'mine' | 'searchData'>

/** Returns the filter that a list and its views are found by. A type that the catalogue no longer has finds nothing. */
async function filterOf(tx: UnitTx, { kind, status, typeUuid, mine, searchData }: Conditions): Promise<Filter> {
  const types = typeUuid ? await typesNow(tx) : []
  return {
    kind: kind ?? undefined,
    status: status ?? undefined,
    typeKey: typeUuid && (types.find(type => typeId(type) === typeUuid)?.key ?? ''),
    mine: mine ?? false,
    words: searchTerm(searchData ?? ''),
  }
}

type Row = ResponseSentOf<typeof calls.listTickets>['tickets'][number]

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

/** Returns a ticket with its thread. The view is audited, and the messages count as read. */
export const detail =
  (world: World): Handler<typeof calls.ticketDetail> =>
  input =>
    world.database.inScope(input.caller.unit.scope, async tx => {
      const ticket = await requireTicket(tx, input.caller, input.ask.ticketUuid)
      await audit(world, tx, input, { action: 'ticket.seen', outcome: 'done', object: ticket.id })
      await markRead(tx, ticket, input.caller.userId)
      return detailOf(world, tx, input, ticket)
    })

type Detail = ResponseSentOf<typeof calls.ticketDetail>

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
  const { description, answers } = wordsOf(world.secrets, ticket)
  return {
    ticket: rowIn(locale, ticket, 0),
    typeKey: ticket.type_key,
    description,
    incidentDate: ticket.incident_date,
    contactEmail: ticket.contact_email,
    contactPhone: ticket.contact_phone,
    createdBy: ticket.user_name,
    policyUuid: ticket.policy_id,
    answers: answers.map(answer => ({
      name: answer.name,
      label: answer.label[languageOf(locale)],
      text: answerText(answer, locale, words, currency),
    })),
    files: filesAt(files, 0),
    thread: thread.map(message => ({
      uuid: message.id,
      at: message.at.toISOString(),
      author: message.author,
      support: message.from_support,
      text: bodyOf(world.secrets, message),
      files: filesAt(files, message.position),
    })),
    statuses: statusesFor(sideOf(caller), ticket.status),
    outsideCover: outsideCoverIn(ticket.form, words),
    misfiled: ticket.misfiled,
  }
}

const filesAt = (files: TicketFileRow[], position: number): Detail['files'] =>
  files
    .filter(file => file.position === position)
    .map(({ id, name, media_type, size }) => ({ uuid: id, name, mediaType: media_type, size }))

type SavedContent = Pick<RequestOf<typeof calls.saveTicketView>, 'params'>

/** Returns the user's views of a list with the numbers of tickets that the user may see. Each is counted in a transaction of its own. */
export const ticketViews =
  ({ database }: World): Handler<typeof calls.ticketViews> =>
  async ({ ask: { list, exact }, caller }) => {
    const { scope } = caller.unit
    const reader = readerOf(caller)
    const { saved, filed } = await database.inScope(scope, async tx => ({
      saved: await viewsOf<SavedContent>(tx, caller.userId, list),
      filed: await filedTickets(tx),
    }))
    const count = async (params: TicketViewParams) =>
      exact || filed <= countedAtOnce
        ? database.inScope(scope, async tx => countTickets(tx, await filterOf(tx, ticketConditions(list, params)), reader))
        : undefined
    return countViews(saved, { builtIn: builtInTicketViews, count })
  }

export const saveTicketView =
  (world: World): Handler<typeof calls.saveTicketView> =>
  input =>
    saveView(world, input, input.ask)
