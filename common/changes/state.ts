import type { Party } from '#common/people/person.ts'
import type { AfterSale, Servicing } from '#common/products/tariff.ts'
import type { Price } from '#common/quotes/price.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import type { Trip } from '#common/quotes/trip.ts'

/**
 * The input of the rules of changes (decision 0045): plain data, equal in the service and in the browser. Money is in cents, instants are
 * milliseconds since 1970, days are texts of the unit's time zone. Nothing here is ever changed in place.
 */

/** The edition that a policy was sold with, whose prices and terms it keeps. */
export type Edition = {
  basis: Basis
  commissionPercent: number
  servicing: Servicing
  afterSale: AfterSale
}

/** The policyholder is the first of the policy's people. */
export type Person = Party & { personUuid: string }

/** A part of the premium and the days that it pays. `joined`: the people whom it covers besides those who were there from the start. */
export type Segment = { from: string; to: string; premium: number; joined: number }

/** A payment in the order of the deeds, the sale's first. `left` is what has not been given back. */
export type Payment = { paymentUuid: string; gateway: string; left: number }

/** The contents of a version. */
export type Version = {
  trip: Trip
  people: readonly Person[]
  charged: Price
  /** The premium by the tariff. It is less than the one charged if a lower price was kept. */
  tariffPremium: number
  segments: readonly Segment[]
}

/**
 * How a policy ended, and what was to be given back. `unsent` has not left and can be stopped. `waived` is negative: the part of the refund that was
 * never paid, and so did not come back.
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
  /** The version as papers count it: the sale's is the first. */
  number?: number | undefined
  status: 'purchased' | 'cancelled'
  /** Set if it is cancelled. */
  ended?: Ended | undefined
  /** A policyholder who travels is a traveller too. */
  holder: 'travels' | 'stays' | 'company'
  reference?: string | null | undefined
  locale?: string | null | undefined
  payments: readonly Payment[]
  /** The part of what was charged that was waived, as no gateway took it. */
  waived?: number | undefined
  channel: 'counter' | 'distance'
  /** The client asked at a distance that cover begin at once. */
  askedToBegin: boolean
  /** When the terms reached the client, if later than the sale. */
  termsGivenAt?: number | undefined
  /** There is a claim, which was not misfiled. */
  claimed: boolean
  /** Another change is offered or waits for its payment. */
  pending: boolean
  /** Another purchased policy of the unit has the product, the days, and a document number of this one. */
  twin: boolean
}

/** The facts of a policy that its version has by itself, as it was sold. */
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

/** A gateway without a network: the unit's account. */
export const accountGateway = 'Deferred'
export const cardGateway = 'StripeV2'

/** True for the travellers, of whom the policyholder need not be one. */
export const travels = (holder: Policy['holder'], index: number): boolean => index > 0 || holder === 'travels'
