import type * as calls from '#common/client/quote/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { begunPaymentsOf, type PaymentRow, paymentsOf } from '#server/payments/public.ts'
import {
  answerLink,
  boughtBy,
  cancelOrSettle,
  clientSecretOf,
  forgetChoice,
  giveNotice,
  lapse,
  lockLink,
  paidIntent,
  recordEvent,
  register,
  type RegisterInput,
  type Sales,
  saleWaits,
  settle,
} from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { type Reader, readerOf } from '../access.ts'
import { againBy, asConflict, ownQuote } from './own.ts'
import { filesOf } from './files.ts'
import { quoteAnswered } from './prove.ts'
import { cardGateway, hasRight, needsOf, type StoredQuote } from './stored.ts'
import { decisionOn, demandStanding, linkIn } from './states.ts'

const action = 'client.quote_pay'

type Input = HandlerInput<typeof calls.clientQuotePay>
type Reply = ResponseSentOf<typeof calls.clientQuotePay>

const ended = (state: Exclude<Reply['state'], 'awaiting_payment'>): Reply => ({ state, clientSecret: null, publishableKey: null })

/** Begins to pay a quote by card, or sells it once it is paid. Without cards, the client accepts it and the agency sells. Repeated calls pay once. */
export const payQuote =
  (sales: Sales): Handler<typeof calls.clientQuotePay> =>
  async input => {
    const secret = input.ask.paymentIntentClientSecret
    const reader = await readerOf(sales.world, input, action, input.ask.token, Boolean(secret))
    return secret ? reportPaid(sales, reader, input, secret) : begin(sales, reader, input)
  }

/** Sells a quote that was paid, by the verb that settles every payment. */
async function reportPaid(sales: Sales, reader: Reader, input: Input, secret: string): Promise<Reply> {
  const { scope } = reader
  const intentId = /^(pi_\w+?)_secret_\w+$/.exec(secret)?.[1] ?? ''
  const payment = await sales.world.database.inScope(scope, async tx => {
    const { stored } = await ownQuote(sales.world, tx, await linkIn(tx, reader.linkId), input.ask.policyUuid)
    return (await paymentsOf(tx, stored.policy.id)).find(each => each.intent_id === intentId && each.purpose === 'sale')
  })
  if (!payment) throw new Refusal('request.not_found')
  const intent = await paidIntent(sales, payment, secret)
  const settled = await settle(sales, scope, payment, saleWaits, { by: 'card', intent, where: input })
  if (!settled.made) throw new Refusal(settled.code)
  return ended('done')
}

/** `others`: payments that are cancelled before anything is written: of the link's other quotes, or of this one by another link. */
type Plan = { reply: Reply } | { payment: PaymentRow } | { others: PaymentRow[] } | { registration: RegisterInput; byCard: boolean }

async function begin(sales: Sales, reader: Reader, input: Input): Promise<Reply> {
  const { scope } = reader
  const { database } = sales.world
  const plan = await database.inScope(scope, tx => planOf(sales, tx, reader, input))
  if ('reply' in plan) return plan.reply
  if ('payment' in plan) return awaiting(sales, reader, plan.payment)
  if ('others' in plan) {
    // If one was paid, its quote is sold, and the link is read again with that.
    await release(sales, reader, plan.others)
    return begin(sales, reader, input)
  }
  const { policyUuid, version } = await register(sales)(plan.registration).catch(asConflict)
  const standing = await database.inScope(scope, tx => confirm(sales, tx, reader, { input, policyUuid, version, byCard: plan.byCard }))
  if ('payment' in standing) return awaiting(sales, reader, standing.payment)
  // Another device answered the link meanwhile, so nothing is to be paid here. The secret of this payment has reached no browser.
  if (standing.lost.length > 0 && (await release(sales, reader, standing.lost))) return ended('done')
  if (!standing.state) throw new Refusal('request.conflict')
  return ended(standing.state)
}

async function awaiting(sales: Sales, { scope }: Reader, payment: PaymentRow): Promise<Reply> {
  if (!sales.cards) throw new Refusal('payment.unavailable', { retryAfter: 60 })
  const clientSecret = await clientSecretOf(sales, scope, payment)
  return { state: 'awaiting_payment', clientSecret, publishableKey: sales.cards.publishableKey }
}

/** Cancels begun payments at the network, which leaves saved quotes. True if one of them was paid, so that its quote is sold. */
export async function release(sales: Sales, { scope }: Reader, payments: readonly PaymentRow[]): Promise<boolean> {
  for (const payment of payments) {
    const settled = await cancelOrSettle(sales, scope, payment, saleWaits)
    if (settled?.made) return true
    if (settled) throw new Refusal(settled.code)
    await lapse(sales, scope, payment)
  }
  return false
}

async function planOf(sales: Sales, tx: UnitTx, reader: Reader, input: Input): Promise<Plan> {
  const { world } = sales
  const { ask } = input
  // Two answers of one link follow each other.
  const link = await linkIn(tx, reader.linkId, lockLink)
  const { stored, state } = await ownQuote(world, tx, link, ask.policyUuid)
  const { policy, version } = stored
  const decision = decisionOn(link)
  if (state === 'bought' || decision === 'bought') return { reply: ended('done') }
  demandStanding(link)
  if (decision) return { reply: ended(decision) }
  const declared = declarationOf(ask.declared)
  const begun = await begunPaymentsOf(
    tx,
    link.quotes.map(({ id }) => id),
  )
  // A payment that was settled since the quotes were read is begun no more.
  if (await boughtBy(tx, link.row)) return { reply: ended('done') }
  const own = begun.find(payment => payment.policy_id === policy.id)
  // The client's own begun payment: the same declaration returns it, and another one replaces it.
  if (state === 'paying' && own && version.user_id === null && own.policy_version === policy.version) {
    const isSame = (ask.version === policy.version || ask.version === policy.version - 1) && declared === declarationIn(stored)
    // Another link of the quote began it, or this link is about to pay another quote.
    if (link.row.decided_policy !== policy.id) return { others: [own] }
    if (isSame) return { payment: own }
  } else if (state !== 'open' && state !== 'expired') throw new Refusal('request.conflict')
  if (state === 'expired') throw new Refusal('policy.price_expired')
  if (ask.version !== policy.version) throw new Refusal('request.conflict')
  await demandDeclared(sales, tx, stored, ask.declared)
  if (!policy.complete) throw new Refusal('policy.incomplete')
  if (toCents(ask.expectedTotal) !== policy.total_cents) throw new Refusal('quote.price_changed')
  const others = begun.filter(payment => payment.policy_id !== policy.id)
  if (others.length > 0) return { others }
  const card = await cardGateway(sales, tx, [policy])
  await audit(world, tx, input, { action, outcome: 'done', object: policy.id, details: { version: policy.version } })
  if (card) await answerLink(tx, link.row.id, { decided_policy: policy.id, decided_at: world.clock.now() })
  // One key for one declaration on one version: two devices that pay at once get one payment.
  const key = stableId('quote-pay', link.row.id, policy.id, String(policy.version), declared)
  const shown = { demandsAndNeeds: needsOf(world, stored), files: ask.declared.files }
  const changes = {
    saveBudget: card === undefined,
    shown,
    channel: 'distance' as const,
    askedToBegin: ask.declared.beginNow,
    ...(card ? { paymentGatewayUUID: card.id, expectedTotal: fromCents(policy.total_cents) } : {}),
  }
  const registration = await againBy(tx, input, stored, changes, key)
  return { registration, byCard: card !== undefined }
}

type Declared = Input['ask']['declared']

const declarationOf = ({ files, beginNow }: Declared): string =>
  JSON.stringify([files.map(id => id.toLowerCase()).toSorted(), beginNow ?? false])

function declarationIn({ version }: StoredQuote): string {
  // Safe: registration.ts writes it.
  const { trip, shown } = version.content as { trip: { askedToBegin?: boolean | null }; shown?: { files: string[] } }
  return declarationOf({ needs: true, files: shown?.files ?? [], beginNow: trip.askedToBegin ?? null })
}

/** Demands that the client has received both documents, and says if cover begins before a right of withdrawal ends. */
async function demandDeclared({ world }: Sales, tx: UnitTx, stored: StoredQuote, { files, beginNow }: Declared): Promise<void> {
  const shown = filesOf(world, tx.scope, stored).map(({ uuid }) => uuid)
  const received = files.map(id => id.toLowerCase())
  const areAll = received.length === shown.length && shown.every(id => received.includes(id))
  const problems = [
    ...(areAll ? [] : [{ path: 'declared.files', rule: 'shown', key: 'policies.documents_changed' }]),
    ...((await hasRight(tx, stored)) === (beginNow !== null)
      ? []
      : [{ path: 'declared.beginNow', rule: 'required', key: 'validation.required' }]),
  ]
  if (problems.length > 0) throw refuseFields(problems)
}

type Standing = { payment: PaymentRow } | { lost: PaymentRow[]; state: 'done' | 'accepted' | 'declined' | undefined }
type Written = { input: Input; policyUuid: string; version: number; byCard: boolean }

/** Finds what became of the answer once its version is written: another answer of the link may have come between. */
async function confirm(sales: Sales, tx: UnitTx, reader: Reader, { policyUuid, version, byCard }: Written): Promise<Standing> {
  const { world } = sales
  const link = await linkIn(tx, reader.linkId, lockLink)
  const { row } = link
  const quote = link.quotes.find(({ id }) => id === policyUuid)
  if (!quote) throw new Refusal('request.not_found')
  // The agent may have replaced the client's version meanwhile: that payment is not the client's.
  const own = (await begunPaymentsOf(tx, [quote.id])).filter(payment => payment.policy_version === version)
  const decision = decisionOn(link)
  if (byCard) {
    const [payment] = own
    if (!decision && !row.revoked_at && row.decided_policy === quote.id && payment) {
      await forgetChoice(tx, quote.id, row.id)
      return { payment }
    }
    if (quote.status === 'purchased') return { lost: [], state: 'done' }
    return { lost: own, state: decision === 'bought' ? 'done' : (decision ?? undefined) }
  }
  if (decision) return { lost: [], state: decision === 'bought' ? 'done' : decision }
  if (row.revoked_at) return { lost: [], state: undefined }
  const at = world.clock.now()
  await answerLink(tx, row.id, { decision: 'accepted', decided_policy: quote.id, decided_at: at, answered_by: quote.taker })
  await recordEvent(world, tx, { policyId: quote.id, at, by: { userId: null, name: quote.taker }, what: 'quote_accepted' })
  await giveNotice(tx, { user_id: quote.seller_id, policy_id: quote.id, kind: 'quote_accepted', at })
  await world.outbox.publish(tx, quoteAnswered, { linkId: row.id })
  return { lost: [], state: 'accepted' }
}
