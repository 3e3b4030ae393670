import { premiumIn, type Price, totalIn } from '#common/quotes/price-lines.ts'
import { addDays, today } from '#common/kit/dates.ts'
import { roundedRatio } from '#common/kit/money.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import { commissionOf, taxesOf, taxLinesAt } from '#common/quotes/rating/taxes.ts'
import type { Trip } from '#common/quotes/trip.ts'
import { accountGateway, cardGateway, type Edition, type Now, type Policy } from './state.ts'

/** A refund arrives within this many days: every page, email and document promises it. */
const refundDays = 14

export type RefundDue = { days: number; by: string }

/** Returns the day by which a refund arrives, in the agency's zone. */
export const refundDue = (at: Date, timeZone: string): RefundDue => ({ days: refundDays, by: addDays(today(at, timeZone), refundDays) })

/** A charged premium before taxes. `personDays`: the days of all travellers, each from joining. */
type Taxed = { trip: Trip; premium: number; cancellation: number; personDays: number }

/** Returns the charge for a premium: each tax is computed from that premium, never from a difference (rule 3). */
export function chargedFor(
  { basis, commissionPercent }: Pick<Edition, 'basis' | 'commissionPercent'>,
  { trip, premium, cancellation, personDays }: Taxed,
): Price {
  const { startDate, origin } = trip
  const taxes = taxesOf(basis, { startDate, days: travelDays(trip), origin, premium, personDays })
  return {
    travelPremium: premium - cancellation,
    cancellationPremium: cancellation,
    taxes,
    commission: commissionOf(premium, commissionPercent),
  }
}

/** Returns the codes of the taxes that a state keeps when a premium goes back. */
export function taxesKept({ basis }: Pick<Edition, 'basis'>, trip: Trip): Set<string> {
  const { startDate, origin } = trip
  const lines = taxLinesAt(basis, { startDate, days: travelDays(trip), origin })
  return new Set(lines.filter(line => line.onReturn === 'keep').map(({ code }) => code))
}

/** Everything is refunded: the price lines stay, with amount 0. */
export const nothingOf = ({ taxes }: Price): Price => ({
  travelPremium: 0,
  cancellationPremium: 0,
  taxes: taxes.map(tax => ({ ...tax, amount: 0 })),
  commission: 0,
})

/** Splits the rest of a premium in the same proportion as before. */
export const cancellationLeft = (left: number, before: Price): number =>
  premiumIn(before) === 0 ? 0 : roundedRatio([left, before.cancellationPremium], [premiumIn(before)])

export type Difference = { premium: number; taxes: { code: string; label: string; amount: number }[]; total: number }

/** Rule 3: computes line by line. A line that only one side has counts as 0 on the other. */
export function differenceOf(before: Price, after: Price): Difference {
  const codes = new Set([...before.taxes, ...after.taxes].map(({ code }) => code))
  const lineOf = ({ taxes }: Price, code: string) => taxes.find(tax => tax.code === code)
  return {
    premium: premiumIn(after) - premiumIn(before),
    taxes: [...codes].map(code => {
      const [was, is] = [lineOf(before, code), lineOf(after, code)]
      return { code, label: (is ?? was)?.label ?? code, amount: (is?.amount ?? 0) - (was?.amount ?? 0) }
    }),
    total: totalIn(after) - totalIn(before),
  }
}

/** A route of money: back to a payment, or by a gateway into a new one, which has no uuid yet. */
export type Route = { paymentUuid: string | null; gateway: string; amount: number }

type WayBack = { routes: Route[]; waived: number; withoutWay: number }

/**
 * Rule 12: refunds the latest payment first, each up to its rest. A waived amount was never paid, so the rest is taken from it: `waived` is then
 * negative. `withoutWay` is the amount that no payment can take back.
 */
export function routesBack({ payments, waived = 0 }: Pick<Policy, 'payments' | 'waived'>, refund: number): WayBack {
  const routes: Route[] = []
  let rest = refund
  for (const { paymentUuid, gateway, left } of payments.toReversed()) {
    const amount = Math.min(rest, Math.max(0, left))
    if (amount > 0) routes.push({ paymentUuid, gateway, amount })
    rest -= amount
  }
  const unpaid = Math.min(rest, waived)
  return { routes, waived: 0 - unpaid, withoutWay: rest - unpaid }
}

/** Returns the money of a step that moves. A waived amount is neither paid nor refunded. */
export const movedBy = ({
  charge,
  refund,
  waived,
}: Record<'charge' | 'refund' | 'waived', number>): { charge: number; refund: number } => ({
  charge: charge - Math.max(0, waived),
  refund: refund + Math.min(0, waived),
})

/** Returns the part of a refund that was paid, and so is refunded. */
export function paidOf(policy: Pick<Policy, 'payments' | 'waived'>, refund: number): number {
  return refund + routesBack(policy, refund).waived
}

/**
 * Rule 12: a charge goes the sale's way, or by the chosen gateway. An amount too small for a card goes on account, or is waived if the unit has none.
 * A waived amount stays a part of the charge, and is written off.
 */
export function routesOfCharge(
  { payments, edition }: Policy,
  charge: number,
  { gateways }: Pick<Now, 'gateways'>,
  chosen?: string,
): { routes: Route[]; waived: number } {
  const gateway = chosen ?? payments[0]?.gateway ?? accountGateway
  if (charge === 0) return { routes: [], waived: 0 }
  if (gateway === accountGateway || charge >= edition.afterSale.constants.leastCardCents) {
    return { routes: [{ paymentUuid: null, gateway, amount: charge }], waived: 0 }
  }
  return gateways.includes(accountGateway)
    ? { routes: [{ paymentUuid: null, gateway: accountGateway, amount: charge }], waived: 0 }
    : { routes: [], waived: charge }
}

/** True if the client can pay a charge by card: it is above 0 and not too small for a card. */
export const isOfferable = (policy: Policy, charge: number, now: Pick<Now, 'gateways'>): boolean =>
  charge > 0 && routesOfCharge(policy, charge, now, cardGateway).routes.some(({ gateway }) => gateway === cardGateway)
