import type { Locale } from '#common/kit/locales.ts'
import { isCountry } from '#common/geography/countries.ts'
import type { RequestOf, ResponseSentOf } from '#common/kit/call.ts'
import { today } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { searchable } from '#common/kit/text.ts'
import { readPolicyNumber } from '#common/policies/number.ts'
import type { TicketKind, TicketType } from '#common/products/tickets.ts'
import type { Answers } from '#common/tickets/answers.ts'
import type * as calls from '#common/tickets/calls.ts'
import { ticketAnswers } from '#common/tickets/schemas.ts'
import { type Insured, mostFiles, outsideCover, ticketProblems, ticketReference } from '#common/tickets/ticket.ts'
import { unitSettings, type UnitSettings } from '#server/business-unit/public.ts'
import { type Files, type LooseFile, looseFiles, openUploads } from '#server/documents/public.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import type { KeptFile } from '#server/kit/upload/form.ts'
import { type PolicyRow, soldPolicy, versionOf } from '#server/policies/public.ts'
import { groupsSold } from '#server/products/public.ts'
import { audit } from '#server/session/public.ts'
import { storedForm, typeId, typesNow } from './forms.ts'
import { forwardFiled, mailFiled } from './mails.ts'
import { attachFiles, insertTicket, markRead, nextTicketNumber, sentSince, ticketById, type TicketRow, ticketUploads } from './queries.ts'

export const fileClaim =
  (world: World): Handler<typeof calls.fileClaim> =>
  input =>
    file(world, 'claim', input, input.ask.incidentDate)

export const fileRequest =
  (world: World): Handler<typeof calls.fileRequest> =>
  input =>
    file(world, 'request', input, '')

type FileInput = HandlerInput<typeof calls.fileClaim | typeof calls.fileRequest>
type Filed = ResponseSentOf<typeof calls.fileClaim>

/** Files a ticket: stores it, confirms it and forwards it to support, all in one transaction. */
function file(world: World, kind: TicketKind, input: FileInput, incidentDate: string): Promise<Filed> {
  const { caller, ask } = input
  const { scope } = caller.unit
  return world.database.inScope(scope, async tx => {
    await limitMessages(world, tx, input)
    const unit = await unitSettings(tx)
    const { type, answers } = validated({ kind, ask, incidentDate }, await typesNow(tx), unit, world.clock.now())
    const policy = await policyOf(tx, input)
    const outside = policy && kind === 'claim' ? outsideCover(type, incidentDate, await insuredBy(tx, policy, unit)) : []
    if ('refuseOutsideCover' in ask && ask.refuseOutsideCover && outside.length > 0) throw refuseFields(outside)
    const ticket = await insert(world, tx, input, { type, answers, policy, incidentDate, outside })
    const files = await attach(tx, { ticketId: ticket.id, position: 0 }, input)
    await markRead(tx, ticket, caller.userId)
    await audit(world, tx, input, { action: 'ticket.filed', outcome: 'done', object: ticket.id, details: { kind, type: type.key } })
    await mailFiled(world, tx, ticket, { unit, files })
    return { ticketUuid: ticket.id, reference: ticket.reference }
  })
}

/** Throws if a user sent too many tickets and messages in the last hour. Each mails an address that a user typed. */
export async function limitMessages(world: World, tx: UnitTx, { caller }: Pick<FileInput, 'caller'>): Promise<void> {
  const anHourAgo = new Date(world.clock.now().getTime() - 3_600_000)
  if ((await sentSince(tx, caller.userId, anHourAgo)) >= mostAnHour) throw new Refusal('request.too_many', { retryAfter: 600 })
}

const mostAnHour = 100

type Ask = RequestOf<typeof calls.fileClaim | typeof calls.fileRequest>

function validated(
  { kind, ask, incidentDate }: { kind: TicketKind; ask: Ask; incidentDate: string },
  types: TicketType[],
  unit: UnitSettings,
  now: Date,
): { type: TicketType; answers: Answers | undefined } {
  const type = types.find(each => each.kind === kind && typeId(each) === ask.typeUuid.toLowerCase())
  if (!type) throw refuseFields([{ path: 'typeUuid', rule: 'known', key: 'tickets.no_such_type' }])
  const answers = answersOf(ask.answers)
  const ticket = { ...ask, policyNumber: ask.policyNumber ?? '', incidentDate, answers }
  const problems = ticketProblems(type, ticket, { today: today(now, unit.timeZone), isCountry })
  const unmailable: Problem[] =
    problems.some(({ path }) => path === 'contactEmail') || isOneAddress(ask.contactEmail)
      ? []
      : [{ path: 'contactEmail', rule: 'email', key: 'validation.email' }]
  if (problems.length + unmailable.length > 0) throw refuseFields([...problems, ...unmailable])
  return { type, answers }
}

/** Returns the answers, which come as JSON text in multipart forms. */
function answersOf(sent: Ask['answers']): Answers | undefined {
  if (typeof sent !== 'string') return sent
  const read = readJson(sent)
  const parsed = ticketAnswers.safeParse(read)
  if (!parsed.success) throw refuseFields([{ path: 'answers', rule: 'format', key: 'shape.format' }])
  return parsed.data
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the policy of the ticket. Other units' policies and those that the user may not see look unknown (A16). */
async function policyOf(tx: UnitTx, { ask, caller }: FileInput): Promise<PolicyRow | undefined> {
  if (!ask.policyNumber) return undefined
  const number = readPolicyNumber(ask.policyNumber)
  const policy = number && (await soldPolicy(tx, number, ownOnly(caller)))
  if (!policy) throw refuseFields([{ path: 'policyNumber', rule: 'known', key: 'tickets.no_such_policy' }])
  return policy
}

async function insuredBy(tx: UnitTx, policy: PolicyRow, { timeZone }: UnitSettings): Promise<Insured> {
  const { product_version } = await versionOf(tx, policy)
  return {
    groups: await groupsSold(tx, policy.product_id, product_version),
    soldOn: today(policy.purchased_at ?? policy.created_at, timeZone),
    startDate: policy.start_date,
    endDate: policy.end_date,
  }
}

type Facts = {
  type: TicketType
  answers: Answers | undefined
  policy: PolicyRow | undefined
  incidentDate: string
  outside: Problem[]
}

async function insert(
  world: World,
  tx: UnitTx,
  { ask, caller, locale }: FileInput,
  { type, answers, policy, incidentDate, outside }: Facts,
): Promise<TicketRow> {
  const reference = ticketReference(type.kind, await nextTicketNumber(tx))
  const now = world.clock.now()
  const subject = ask.subject.trim()
  return insertTicket(tx, world.secrets, {
    id: world.ids.next(),
    reference,
    kind: type.kind,
    type_key: type.key,
    form: storedForm(type, answers, outside),
    status: 'open',
    subject,
    description: ask.description.trim(),
    policy_id: policy?.id ?? null,
    policy_number: policy?.number ?? null,
    incident_date: incidentDate || null,
    // Any other address than the caller's is greeted with the policyholder's name.
    contact_name: ask.contactEmail.toLowerCase() === caller.email.toLowerCase() ? caller.name : (policy?.taker ?? caller.name),
    contact_email: ask.contactEmail,
    contact_phone: ask.contactPhone.trim(),
    locale,
    user_id: caller.userId,
    user_name: caller.name,
    created_at: now,
    updated_at: now,
    search: searchable([reference, subject, policy?.number, policy?.taker, ask.contactEmail, caller.name].filter(Boolean).join('\n')),
  })
}

/** A request about a policy that is written by the service. `typeKey` is preferred; any type of request will do. */
type PreparedTicket = {
  /** Filing the same id again creates no second ticket. */
  id: string
  typeKey: string
  subject: string
  description: string
  policy: PolicyRow
  contact: { name: string; email: string; phone: string }
  /** The user in whose lists it appears. */
  userId: string
  locale: Locale
  entryId?: string
}

/** A request of a policy's client, who is not a user. It belongs to the seller of the policy. */
type ClientTicket = Omit<PreparedTicket, 'userId' | 'entryId'> & {
  /** False if the client has a confirmation already. */
  confirms: boolean
}

export const canFileForClient = async (tx: UnitTx): Promise<boolean> => (await requestType(tx, '')) !== undefined

/** Files a client's request on a policy. */
export async function fileForClient(world: World, tx: UnitTx, { confirms, ...ticket }: ClientTicket): Promise<TicketRow> {
  const known = await ticketById(tx, ticket.id)
  if (known) return known
  const filed = await insertPrepared(world, tx, { ...ticket, userId: ticket.policy.seller_id })
  const mail = confirms ? mailFiled : forwardFiled
  await mail(world, tx, filed, { unit: await unitSettings(tx), files: [] })
  return filed
}

export async function insertPrepared(world: World, tx: UnitTx, ticket: PreparedTicket): Promise<TicketRow> {
  const type = await requestType(tx, ticket.typeKey)
  if (!type) throw new Error('the catalogue has no type of request')
  const { policy, contact, subject } = ticket
  const reference = ticketReference('request', await nextTicketNumber(tx))
  const now = world.clock.now()
  return insertTicket(tx, world.secrets, {
    id: ticket.id,
    reference,
    kind: 'request',
    type_key: type.key,
    form: storedForm(type),
    status: 'open',
    subject,
    description: ticket.description,
    policy_id: policy.id,
    policy_number: policy.number,
    incident_date: null,
    contact_name: contact.name,
    contact_email: contact.email,
    contact_phone: contact.phone,
    locale: ticket.locale,
    user_id: ticket.userId,
    user_name: contact.name,
    created_at: now,
    updated_at: now,
    search: searchable([reference, subject, policy.number, policy.taker, contact.email, contact.name].filter(Boolean).join('\n')),
    entry_id: ticket.entryId ?? null,
  })
}

async function requestType(tx: UnitTx, key: string): Promise<TicketType | undefined> {
  const types = (await typesNow(tx)).filter(({ kind }) => kind === 'request')
  return types.find(type => type.key === key) ?? types[0]
}

/** Attaches files to a ticket or one of its messages, both this request's and the ones uploaded before. */
export async function attach(
  tx: UnitTx,
  to: { ticketId: string; position: number },
  { caller, files, ask }: { caller: CallerInUnit; files: KeptFile[]; ask: { fileUuids?: string[] | undefined } },
): Promise<LooseFile[]> {
  const ids = [...new Set([...files.map(({ id }) => id), ...(ask.fileUuids ?? []).map(id => id.toLowerCase())])]
  if (ids.length > mostFiles)
    throw refuseFields([{ path: 'fileUuids', rule: 'maxLength', key: 'shape.too_long', params: { limit: mostFiles } }])
  const loose = await looseFiles(tx, ticketUploads, ids, caller.userId)
  const found = ids.map(id => loose.find(file => file.id === id))
  const gone = (ask.fileUuids ?? []).flatMap((id, index) =>
    loose.some(file => file.id === id.toLowerCase()) ? [] : [{ path: `fileUuids[${index}]`, rule: 'known', key: 'tickets.file_gone' }],
  )
  if (gone.length > 0) throw refuseFields(gone)
  await attachFiles(tx, to.ticketId, to.position, ids)
  return found.filter(file => file !== undefined)
}

export const removeAbandonedFiles = (world: World, files: Files): Promise<void> =>
  openUploads(world, files, ticketUploads).removeAbandoned()
