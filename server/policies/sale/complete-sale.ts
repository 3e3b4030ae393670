import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import { policyCan } from '#common/policies/states.ts'
import { expose, randomSlot } from '#server/accounting/public.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { KeptReply } from '#server/kit/http/idempotency.ts'
import type { Scope } from '#server/kit/scope.ts'
import { closePayment, findPayment, type PaymentRow } from '#server/payments/public.ts'
import type { UnitCatalogue } from '#server/quotes/public.ts'
import { findPolicy, lockPolicy, movePolicy, type PolicyRow } from '../queries.ts'
import { cancelOrSettle } from '../payment/settle.ts'
import { isFirstDayOver, isPriceOver, insuresTravellers, isOffered } from './pricing.ts'
import { type Evidence, type Made, type RegisteredSale, type Sales, type Settled, usingNumber, type Waits } from './sales.ts'
import { settlementOf } from '../writing/settled.ts'
import { isRefused, slotIsFull, writeAlone, writeJudged } from '../writing/queries.ts'

type Sold = Settled & { made: true }
type JudgedSale = RegisteredSale & { catalogue: UnitCatalogue; evidence: Evidence & { by: 'account' } }
type Reply = { text: string; kept: KeptReply | null }

/**
 * Completes a sale on account in one statement, which compares the revisions that the sale was judged by, and stores the reply. Returns undefined if they
 * have changed, or if the credit limit needs a closer check. Then the longer way decides.
 */
export const completeAtOnce = (
  sales: Sales,
  scope: Scope,
  { catalogue, evidence, ...registered }: JudgedSale,
  replyOf: (sold: Sold) => Reply,
): Promise<(Sold & { text: string }) | undefined> =>
  usingNumber(sales, async numberIndex => {
    const { movement, policy, files, published } = settlementOf(sales, registered, { evidence, numberIndex })
    const { agency_account: cents, at, currency } = movement.booking
    const terms = { unit: catalogue.unitVersion, product: policy.product_id, gateway: registered.payment.gateway_id }
    const sold: Sold = { made: true, policy, files, justNow: true }
    const { text, kept } = replyOf(sold)
    const outcome = await writeAlone(sales.world.database, scope, {
      ...movement,
      ...(kept ? { kept } : {}),
      ...(cents === 0 ? {} : { account: { cents, currency, at, slot: randomSlot() } }),
      expects: { ...movement.expects, terms },
    }).catch(unlessFull)
    if (outcome === undefined || isRefused(outcome)) return undefined
    published()
    return { ...sold, text }
  })

function unlessFull(error: unknown): undefined {
  // Safe: only PostgreSQL's errors have the field.
  if ((error as { code?: unknown }).code !== slotIsFull) throw error
}

/** Returns why the sale on account would be refused now. Takes no lock: completing checks again. */
export const whyNotCompletable = (sales: Sales, scope: Scope, paymentId: string): Promise<RefusalCode | undefined> =>
  sales.world.database.inScope(scope, async tx => {
    const payment = await findPayment(tx, paymentId)
    const policy = payment && (await findPolicy(tx, payment.policy_id))
    if (!policy) throw new Refusal('request.not_found')
    if (payment.state === 'settled') return undefined
    return whyNotNow(sales, tx, policy, payment)
  })

const hour = 3_600_000
const payableHours = 24
/** A client who began to pay within the price's time may finish. */
const graceMs = 10 * 60_000

/** How a sale waits for its payment. One that differs leaves the sale pending, as a person decides; any other end makes it a saved quote. */
export const saleWaits: Waits = {
  numbered: true,
  async find(sales, tx, { policy, payment }) {
    if (payment.purpose !== 'sale') return undefined
    const now = sales.world.clock.now()
    const isCurrent = payment.state === 'open' && policy.status === 'pending' && policy.version === payment.policy_version
    return {
      made: async () => ({ policy, files: await sales.documents.list(tx, policy) }),
      async isOver() {
        if (now.getTime() - payment.created_at.getTime() > payableHours * hour) return true
        const { timeZone } = await unitSettings(tx)
        return isFirstDayOver(policy, now, timeZone) || isPriceOver(policy, new Date(now.getTime() - graceMs), timeZone)
      },
      whyNotOnAccount: () => whyNotNow(sales, tx, policy, payment),
      // The unit may have stopped offering it since. The client has paid and must not be left uninsured, so it is sold.
      isLate: async () => !isCurrent || isFirstDayOver(policy, now, (await unitSettings(tx)).timeZone),
      async leave(why) {
        if (isCurrent && why !== 'differs') await backToBudget(sales, tx, policy)
      },
      async write(evidence, numberIndex) {
        if (numberIndex === undefined) throw new Error('a sale has a policy number')
        return sell(sales, tx, { policy, payment, evidence, numberIndex })
      },
    }
  },
}

/** Cancels an open payment of a sale, so that it can be replaced or deleted. If it is paid already, completes the sale and refuses with `code`. */
export async function releasePayment(sales: Sales, scope: Scope, payment: PaymentRow, code: RefusalCode): Promise<void> {
  if (await cancelOrSettle(sales, scope, payment, saleWaits)) throw new Refusal(code)
  await sales.world.database.inScope(scope, async tx => {
    await lockPolicy(tx, payment.policy_id)
    const now = await findPayment(tx, payment.id)
    if (now?.state === 'open') await closePayment(tx, payment.id)
  })
}

/** Turns a registration that can no longer be paid into a saved quote, with all its data. */
async function backToBudget({ world }: Sales, tx: UnitTx, policy: PolicyRow): Promise<void> {
  await movePolicy(world, tx, policy, 'budgeted', { at: world.clock.now(), what: 'payment_lapsed' })
}

/** Returns why a sale on account is refused now. A saved quote may be older than its product's rule of whom it insures. */
async function whyNotNow(sales: Sales, tx: UnitTx, policy: PolicyRow, payment: PaymentRow): Promise<RefusalCode | undefined> {
  const code = whyNotOnAccount(policy, payment, await sales.catalogues.readIn(tx), sales.world.clock.now())
  if (code || policy.status !== 'budgeted') return code
  return (await insuresTravellers(sales.world.secrets, tx, policy)) ? undefined : 'policy.incomplete'
}

/** Returns why a sale on account is refused, if it is. */
export function whyNotOnAccount(policy: PolicyRow, payment: PaymentRow, catalogue: UnitCatalogue, now: Date): RefusalCode | undefined {
  if (payment.gateway !== 'Deferred' || payment.state !== 'open' || payment.policy_version !== policy.version)
    return 'policy.not_purchasable'
  if (!policyCan('purchase', policy)) return 'policy.not_purchasable'
  if (!policy.complete) return 'policy.incomplete'
  // A unit that lost this gateway can no longer purchase by it, even what was registered before.
  if (catalogue.gateways.every(({ id }) => id !== payment.gateway_id)) return 'policy.not_purchasable'
  if (isPriceOver(policy, now, catalogue.unit.timeZone)) return 'policy.price_expired'
  return isOffered(catalogue, policy) ? undefined : 'policy.not_purchasable'
}

type Completion = RegisteredSale & { evidence: Evidence; numberIndex: number }

/** Sells a policy that is locked. */
async function sell(sales: Sales, tx: UnitTx, { policy: before, payment, evidence, numberIndex }: Completion): Promise<Made> {
  const { movement, policy, files, published } = settlementOf(sales, { policy: before, payment }, { evidence, numberIndex })
  await expose(tx, movement.booking)
  await writeJudged(tx, movement)
  tx.afterCommit(published)
  return { policy, files }
}
