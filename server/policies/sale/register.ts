import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/policies/calls.ts'
import { policyCan, type PolicyStatus } from '#common/policies/states.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'
import { findFile } from '#server/documents/public.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { type RequestKeys, requestKeys } from '#server/kit/http/idempotency.ts'
import type { Keep } from '#server/kit/serve.ts'
import { keptTerms, type KeptTerms, type UnitCatalogue } from '#server/quotes/public.ts'
import type { Where } from '#server/session/public.ts'
import { forgetReader, proofId, revokeLinks } from '../links/queries.ts'
import { isVisible } from '../visibility.ts'
import { changePayment, closePayment, findPayment, openPaymentsOf, type PaymentRow } from '#server/payments/public.ts'
import { findPolicy, lockPolicy, type PolicyRow, recordEvent } from '../queries.ts'
import { isOutdated, markRenewal } from '../renewal/queries.ts'
import { gatewayOf, checkRequest, checkResidences, isComplete, checkShownDocuments, requestedIn } from './check-request.ts'
import { clientSecretOf } from '../payment/network.ts'
import { releasePayment } from './purchase.ts'
import { isPriceOver, keptPrice, priceAgain } from './pricing.ts'
import type { CheckedRegistration, RegisterRequest } from './registration.ts'
import { chargeOnce, uncharge, type Sales } from './sale-context.ts'
import { keepUpload, uploadsFor } from '../upload.ts'
import { type Registering, registering } from '../writing/sale.ts'
import { askedBefore, isRefused, write, writeAlone } from '../writing/queries.ts'

type Reply = ResponseSentOf<typeof calls.registerPolicy>
type Registered = Pick<PolicyRow, 'id' | 'status'> & { payment: PaymentRow }
/**
 * `renews`: the policy whose next term is offered, until when that price stands, and its terms if they are not today's. `byService`: the service
 * renews it by itself, and writes this with it.
 * `client`: the name of the client who completes or buys their own saved quote. The caller then stands for the seller, whose quota is not charged.
 */
export type RegisterInput = Where & {
  ask: RegisterRequest
  caller: CallerInUnit
  idempotencyKey: string | undefined
  renews?: { policy: PolicyRow; until: Date; kept?: KeptTerms | undefined; byService?: (tx: UnitTx) => Promise<void> }
  client?: { name: string }
}
type KeepReply = Keep<typeof calls.registerPolicy>

/** False if the client or the service acts, and the caller only stands for the seller. */
const isByCaller = ({ client, renews }: Pick<RegisterInput, 'client' | 'renews'>): boolean => client === undefined && !renews?.byService

/**
 * Registers a sale: checks and prices it, and writes everything in one transaction. A card payment is then created at the network, by the
 * key stored with it. A repeated request with the same Idempotency-Key finds the stored sale and continues from there.
 */
export const register =
  (sales: Sales) =>
  async (input: RegisterInput): Promise<Reply> => {
    const { caller } = input
    const keys = keysOf(sales, input)
    await countSale(sales, input, keys)
    return replyOf(sales, caller, await registerInSteps(sales, input, keys))
  }

const keysOf = ({ world }: Sales, { caller, idempotencyKey, ask }: RegisterInput): RequestKeys | null =>
  idempotencyKey === undefined ? null : requestKeys(world.secrets, caller, idempotencyKey, ask)

/**
 * Registers a new sale without a card in one statement, judged by the catalogue that this node remembers. Refused, outdated and repeated requests are left
 * to `register`, which reads.
 */
export async function registerAtOnce(sales: Sales, input: RegisterInput, keep: KeepReply): Promise<string | undefined> {
  const { ask, caller } = input
  if (ask.policyUuid || ask.uploadFile) return undefined
  const catalogue = await sales.catalogues.known(caller.unit.scope)
  const outcome = await attempt(sales, input, { catalogue, keys: keysOf(sales, input), keep })
  if (outcome === 'known') uncharge(sales, input)
  return typeof outcome === 'object' && 'made' in outcome ? outcome.text : undefined
}

/** Returns the outcome of a registration that met the same request at the same moment. */
function knownIfRegistered(error: unknown): 'known' {
  // Safe: only PostgreSQL's errors have the field. A cluster adds the number of its part to the name.
  const { constraint } = error as { constraint?: unknown }
  if (/^payments_business_unit_id_request_key_key(?:_\d+)?$/.test(String(constraint))) return 'known'
  throw error
}

/** Counts the sale before anything is written. A repeated request passes even beyond the quota. */
async function countSale(sales: Sales, input: RegisterInput, keys: RequestKeys | null): Promise<void> {
  if (!isByCaller(input)) return
  try {
    await chargeOnce(sales, input, 'sales')
  } catch (error) {
    const before = keys && (await sales.world.database.inScope(input.caller.unit.scope, tx => registeredBefore(tx, keys)))
    if (!before) throw error
  }
}

async function registeredBefore(tx: UnitTx, keys: RequestKeys): Promise<{ policy: PolicyRow; payment: PaymentRow } | undefined> {
  const before = await askedBefore(tx, keys)
  const payment = before?.what === 'payment' ? await findPayment(tx, before.id) : undefined
  const policy = payment && (await findPolicy(tx, payment.policy_id))
  return payment && policy && { payment, policy }
}

/** True if a registration is sold or can still be bought. After a deletion, replacement or expiry a repeated request registers anew. */
const isCurrent = ({ policy, payment }: { policy: PolicyRow; payment: PaymentRow }, now: Date, { timeZone }: UnitSettings): boolean =>
  payment.state === 'settled' ||
  (payment.state === 'open' &&
    payment.policy_version === policy.version &&
    policy.status !== 'deleted' &&
    !isPriceOver(policy, now, timeZone))

/** How often a registration is checked and priced again because a load or the administration changed something meanwhile. */
const attempts = 5

async function registerInSteps(sales: Sales, input: RegisterInput, keys: RequestKeys | null): Promise<Registered> {
  const { scope } = input.caller.unit
  for (let counted = false, outdated = 0; outdated < attempts; ) {
    const outcome = await sales.world.database
      .inScope(scope, tx => readAndAttempt(sales, tx, input, { keys, counted }))
      .catch((error: unknown) => (error instanceof Outdated ? 'outdated' : knownIfRegistered(error)))
    if (typeof outcome === 'string') outdated += 1
    else if ('mails' in outcome) {
      if (isByCaller(input)) await sales.world.spend(input.caller, 'mails', outcome.mails)
      counted = true
    }
    // The payment to replace may be in progress, so it is cancelled at the card network first, with no transaction open.
    else if ('blocking' in outcome) await releasePayment(sales, scope, outcome.blocking, 'policy.not_replaceable')
    else return outcome.made
  }
  throw new Error('a registration is outdated again and again')
}

/** Thrown to roll back a registration that was checked by outdated data. */
class Outdated extends Error {}

async function readAndAttempt(
  sales: Sales,
  tx: UnitTx,
  input: RegisterInput,
  { keys, counted }: { keys: RequestKeys | null; counted: boolean },
): Promise<Outcome> {
  const before = keys ? await registeredBefore(tx, keys) : undefined
  const catalogue = await sales.catalogues.readIn(tx)
  if (before && isCurrent(before, sales.world.clock.now(), catalogue.unit)) return { made: { ...before.policy, payment: before.payment } }
  return attempt(sales, input, { catalogue, keys, read: { tx, before: before?.payment, counted } })
}

/** The data that a registration is judged by: the catalogue that this node remembers, or what is read in a transaction. */
type Found = { catalogue: UnitCatalogue; keys: RequestKeys | null } & (
  | { keep: KeepReply; read?: never }
  /** `before`: the payment of the same request's outdated registration. `counted`: true once the email of a card sale is counted. */
  | { read: { tx: UnitTx; before: PaymentRow | undefined; counted: boolean } }
)

type Outcome = 'known' | 'outdated' | { made: Registered; text?: string } | { blocking: PaymentRow } | { mails: number }

/** Checks, prices and writes a registration by the data found. From memory it is written alone, with its reply. */
async function attempt(sales: Sales, input: RegisterInput, found: Found): Promise<Outcome> {
  const { catalogue, keys, read } = found
  const asked = checkAsked(sales, input, catalogue)
  const quote = read && (await quoteToReplace(read.tx, input, asked))
  const registration = registrationOf(sales, input, asked, quote)
  // A card sale completes as soon as the payment arrives, so its email is counted now, when no refusal can follow and nothing is written.
  // On account it is counted with the purchase.
  if (registration.needsCard && !read?.counted) return { mails: 1 }
  const sale = registering(sales.world, input, registration, { catalogue, keys, replaced: quote?.replaced })
  return read ? writeIn(sales, input, sale, { ...read, replaced: quote?.replaced }) : writeWithReply(sales, input, sale, found.keep)
}

async function writeWithReply(
  sales: Sales,
  input: RegisterInput,
  { movement, policy, payment }: Registering,
  keep: KeepReply,
): Promise<Outcome> {
  const { scope } = input.caller.unit
  await chargeOnce(sales, input, 'sales')
  const made = { id: policy.id, status: policy.status, payment }
  const { text, kept } = keep(replyWith(made))
  const outcome = await writeAlone(sales.world.database, scope, { ...movement, ...(kept ? { kept } : {}) }).catch(knownIfRegistered)
  if (isRefused(outcome)) return outcome
  sales.registered.add({ policy: { ...policy, revision: outcome }, payment: { ...payment, lines: movement.lines } })
  return { made, text }
}

type Replacing = NonNullable<Found['read']> & { replaced: PolicyRow | undefined }

async function writeIn(
  sales: Sales,
  input: RegisterInput,
  { movement, policy, payment }: Registering,
  { tx, before, replaced }: Replacing,
): Promise<Outcome> {
  const open = replaced ? await openPaymentsOf(tx, replaced.id) : []
  const blocking = open.find(({ check_at }) => check_at !== null)
  if (blocking) return { blocking }
  for (const payment of open) await closePayment(tx, payment.id)
  // The outdated registration gives up its key.
  if (before) await changePayment(tx, before.id, { request_key: null })

  const { renews } = input
  // Locked before the counts, which a sale locks last.
  if (renews && !(await markRenewal(tx, renews.policy))) throw new Refusal('request.conflict')
  await renews?.byService?.(tx)
  const uploads = await uploadsFor(tx, input.ask, input.caller, replaced)
  if (isRefused(await write(tx, movement))) throw new Outdated()
  await keepUpload(sales, tx, policy.id, uploads)
  if (replaced && input.client === undefined) await endLinksOfOther(sales, tx, input, { replaced, policy })
  return { made: { id: policy.id, status: policy.status, payment } }
}

/**
 * Ends the links of a quote that is now another policyholder's, whom its readers may not know of. Nothing of the former one stays with it, and so no proof
 * of their answer either.
 */
async function endLinksOfOther(
  { world, documents }: Sales,
  tx: UnitTx,
  { caller }: RegisterInput,
  { replaced, policy }: { replaced: PolicyRow; policy: Pick<PolicyRow, 'id' | 'taker_sort'> },
): Promise<void> {
  if (replaced.taker_sort === '' || policy.taker_sort === replaced.taker_sort) return
  const at = world.clock.now()
  if ((await revokeLinks(tx, policy.id, at)) > 0)
    await recordEvent(world, tx, { policyId: policy.id, at, by: caller, what: 'quote_links_revoked' })
  for (const linkId of await forgetReader(tx, policy.id)) {
    const proof = await findFile(tx, proofId(linkId))
    if (proof?.policy_id === policy.id) await documents.remove(tx, proof.id)
  }
}

/** A saved quote to replace, and the terms by which it keeps its price. */
type Replaced = { replaced: PolicyRow; kept: KeptTerms | undefined }

async function quoteToReplace(
  tx: UnitTx,
  { ask, caller, client }: RegisterInput,
  { catalogue, requested, now }: Asked,
): Promise<Replaced | undefined> {
  if (!ask.policyUuid) return undefined
  const replaced = await replaceable(tx, caller, ask.policyUuid)
  // The client or a colleague may have saved the quote again since the caller read it.
  if (ask.version && ask.version < replaced.version) throw new Refusal('request.conflict')
  // The policy that it renews has changed, and the service replaces the offer.
  const renewed = replaced.renews && (client || ask.saveBudget !== true) ? await findPolicy(tx, replaced.renews) : undefined
  if (renewed && isOutdated(renewed)) throw new Refusal('request.conflict')
  const price = await keptPrice(tx, replaced, requested, now)
  return { replaced, kept: price && (await keptTerms(tx, catalogue, requested, price)) }
}

/** Locks the policy to replace. One that the caller may not know of is refused like an unknown one. */
async function replaceable(tx: UnitTx, caller: CallerInUnit, policyUuid: string): Promise<PolicyRow> {
  const policy = await lockPolicy(tx, policyUuid)
  if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
  if (!policyCan('replace', policy)) throw new Refusal('policy.not_replaceable')
  return policy
}

/** A request that may be registered if it can be priced. */
type Asked = ReturnType<typeof checkAsked>

/** Checks what needs no price, or refuses it. */
function checkAsked(sales: Sales, { ask }: RegisterInput, catalogue: UnitCatalogue) {
  const { unit } = catalogue
  const now = sales.world.clock.now()
  const holderType = checkRequest(ask, unit, now)
  const gateway = gatewayOf(sales, catalogue, ask)
  const requested = requestedIn(ask, holderType)
  return { catalogue, now, holderType, gateway, requested, locale: ask.locale ?? unit.locale }
}

/** Prices a request that was checked, or refuses it. */
function registrationOf(
  { world }: Sales,
  input: RegisterInput,
  { catalogue, now, holderType, gateway, requested, locale }: Asked,
  quote: Replaced | undefined,
): CheckedRegistration {
  const { ask, caller, renews, client } = input
  const { unit } = catalogue
  const { replaced, kept = renews?.kept } = quote ?? {}
  const { scope } = caller.unit
  // The price of a next term stands until the present one ends, however often its quote is saved. Another trip is none.
  const saved =
    replaced?.renews && ask.startDate === replaced.start_date && replaced.product_id === ask.productUUID.toLowerCase()
      ? replaced
      : undefined
  // A client's own answer does not prolong the price either.
  const until = renews?.until ?? (client === undefined ? saved : replaced)?.price_valid_until
  const priced = priceAgain(world, catalogue, requested, { locale, now, kept, until })
  const seller = replaced ?? renews?.policy
  checkResidences(ask, priced.terms)
  checkShownDocuments(scope, ask, unit, priced.terms)
  if (typeof ask.expectedTotal === 'number' && toCents(ask.expectedTotal) !== priced.price.total)
    throw new Refusal('quote.price_changed', { data: priced.quote })
  return {
    policyId: replaced?.id ?? world.ids.next(),
    version: (replaced?.version ?? 0) + 1,
    ask,
    holderType,
    priced,
    locale,
    timeZone: unit.timeZone,
    complete: ask.saveBudget !== true || isComplete(ask, unit, now),
    seller: seller ? { id: seller.seller_id, name: seller.seller_name } : { id: caller.userId, name: caller.name },
    renews: renews?.policy.id ?? saved?.renews ?? null,
    userId: caller.userId,
    by: isByCaller(input) ? caller : { userId: null, name: client?.name ?? '' },
    now,
    gateway,
    needsCard: gateway.name === 'StripeV2' && ask.saveBudget !== true,
  }
}

async function replyOf(sales: Sales, caller: CallerInUnit, registered: Registered): Promise<Reply> {
  const { payment, status } = registered
  const { cards } = sales
  if (payment.gateway !== 'StripeV2' || status !== 'pending' || !cards) return replyWith(registered)
  return replyWith(registered, {
    clientSecret: await clientSecretOf(sales, caller.unit.scope, payment),
    publishableKey: cards.publishableKey,
  })
}

const replyWith = (
  { id, status, payment }: Registered,
  byCard: Pick<Reply, 'clientSecret' | 'publishableKey'> = { clientSecret: null, publishableKey: null },
): Reply => ({
  purchaseUUID: payment.id,
  policyUuid: id,
  version: payment.policy_version,
  ...byCard,
  // Safe: a deleted policy never gets here.
  status: status as PolicyStatus,
  total: fromCents(payment.amount_cents),
  currency: payment.currency,
})
