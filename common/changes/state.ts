import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import type { Life } from '#common/kit/states.ts'
import type { Party } from '#common/people/person.ts'
import type { AfterSale, Servicing } from '#common/products/tariff.ts'
import type { Price } from '#common/quotes/price-lines.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import type { Trip } from '#common/quotes/trip.ts'

/**
 * The input of the rules of changes (decision 0045, where a comment's "rule 3" is the third rule). It is plain data, equal in the service and in the
 * browser. Money is in cents, instants are milliseconds since 1970, days are texts in the unit's time zone. Nothing here is ever modified.
 */

/** The edition with which a policy was sold. The policy keeps its prices and terms. */
export type Edition = {
  basis: Basis
  commissionPercent: number
  servicing: Servicing
  afterSale: AfterSale
}

/** A person on a policy. The policyholder comes first. */
export type Person = Party & { personUuid: string }

/** A part of the premium and the days that it pays for. `joined`: the people whom it covers besides the original ones. */
export type Segment = { from: string; to: string; premium: number; joined: number }

/** A payment in the order of the movements, the sale's first. `left` is the part that was not refunded. */
export type Payment = { paymentUuid: string; gateway: string; left: number }

/** The contents of a version. */
export type Version = {
  trip: Trip
  people: readonly Person[]
  charged: Price
  /** The premium by the tariff. It is lower than the charged one if a lower price was kept. */
  tariffPremium: number
  segments: readonly Segment[]
}

/**
 * How a policy ended, and its refund. `unsent` has not left and can be stopped. `waived` is negative: the part of the refund that was never paid, and
 * so was not returned.
 */
export type Ended = {
  kind: 'cancellation' | 'withdrawal'
  at: number
  former: Version
  refund: number
  unsent: number
  waived?: number | undefined
}

export type Policy = Version & {
  edition: Edition
  timeZone: string
  soldAt: number
  version: number
  /** The version as documents show it. The sale is version 1. */
  number?: number | undefined
  status: 'purchased' | 'cancelled'
  /** Present if the policy is cancelled. */
  ended?: Ended | undefined
  /** A policyholder who travels is also a traveller. */
  holder: 'travels' | 'stays' | 'company'
  reference?: string | null | undefined
  locale?: string | null | undefined
  payments: readonly Payment[]
  /** The part of the charge that was waived because no gateway takes it. */
  waived?: number | undefined
  channel: 'counter' | 'distance'
  /** True if the client of a distance sale asked that cover begin at once. */
  askedToBegin: boolean
  /** The time at which the client received the terms, if later than the sale. */
  termsGivenAt?: number | undefined
  /** True if there is a claim that was not filed by mistake. */
  claimed: boolean
  /** True if another change is offered or waits for its payment. */
  pending: boolean
  /** True if another purchased policy of the unit has the same product, the same days and a shared document number. */
  twin: boolean
}

/** The facts of a policy that were fixed at its sale. */
export type SoldPolicy = Pick<Policy, 'trip' | 'people' | 'timeZone' | 'soldAt' | 'holder' | 'channel'> & {
  edition: Omit<Edition, 'commissionPercent'>
}

/** The input besides the policy: the time, and what the unit may do today. */
export type Now = {
  at: number
  /** The countries that the current edition excludes. */
  excludedCountries: readonly number[]
  /** The unit's gateways. */
  gateways: readonly string[]
  countryName: (country: number) => string | undefined
}

/** The gateway without a card network: the unit's account. */
export const accountGateway = 'Deferred'
export const cardGateway = 'StripeV2'

/** True if the person at this index travels. A policyholder may not. */
export const travels = (holder: Policy['holder'], index: number): boolean => index > 0 || holder === 'travels'

/** The phase of a policy at an instant: the day in its time zone, and which parts of its term are over. */
export type Phase = {
  day: string
  /** True in the first minutes after the sale. The trip then counts as not begun, and everything is refunded (rule 6). */
  undo: boolean
  started: boolean
  ended: boolean
}

export function phaseAt(policy: Policy, at: number): Phase {
  return phaseOn(policy, today(at, policy.timeZone), at < undoUntil(policy))
}

export const phaseOn = ({ trip }: Pick<Version, 'trip'>, day: string, undo = false): Phase => ({
  day,
  undo,
  started: !undo && day >= trip.startDate,
  ended: !undo && day > trip.endDate,
})

export const undoUntil = ({ soldAt, edition }: Policy): number => soldAt + edition.afterSale.constants.undoMinutes * 60_000

/** s0 of the rules: the day of the sale, whose tariff sets every later price (rule 1). */
export const dayOfSale = ({ soldAt, timeZone }: SoldPolicy): string => today(soldAt, timeZone)

/** Cancellation is covered from the sale on, all else from the first day of the trip (rules 7, 8). */
export const firstCoveredDay = (policy: SoldPolicy): string =>
  policy.edition.basis.tariff.cancellation ? dayOfSale(policy) : policy.trip.startDate

/** A change can be paid for a day, but not after the old or the new start. */
export const payableUntil = (policy: Policy, startDate: string, at: number): number =>
  Math.min(...[at + 24 * 3_600_000, startOf(policy.trip.startDate, policy), startOf(startDate, policy)].filter(end => end > at))

export const startOf = (day: string, { timeZone }: Policy): number => startOfDay(day, timeZone)

export const endOf = (day: string, policy: Policy): number => startOf(addDays(day, 1), policy)

export type OpenChangeState = 'offered' | 'awaiting_payment' | 'done' | 'declined' | 'expired' | 'taken_back'

/** The life of a change that waits for its client or its payment. */
export const openChangeLife: Life<OpenChangeState> = {
  offered: ['awaiting_payment', 'declined', 'expired', 'taken_back'],
  awaiting_payment: ['done', 'declined', 'expired', 'taken_back'],
  done: [],
  declined: [],
  expired: [],
  taken_back: [],
}
