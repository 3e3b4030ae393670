import type { Basis } from '#common/quotes/rating/basis.ts'
import { type Choice, isSameTrip } from '#common/quotes/same-trip.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { serviceNow } from '#portal/kit/time.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'

/** The price that a saved quote keeps after a change of the catalogue, with the documents of its terms. */
export type KeptPrice = {
  basis: Basis
  until: number
  saved: Choice
  /** The ids of the product's documents, for the record of what was shown. */
  shown: string[]
  documents: PolicyDetail['files']
}

export function keptPriceOf(detail: PolicyDetail | undefined): KeptPrice | undefined {
  if (!detail?.terms) return undefined
  const { terms, priceValidUntil, files } = detail
  return { basis: terms.basis, until: Date.parse(priceValidUntil), saved: savedChoice(detail), shown: terms.files, documents: files }
}

/** Returns the product and the trip for which a quote was saved. */
export function savedChoice({ policy, trip, users }: PolicyDetail): Choice {
  const birthDates = users.flatMap(({ traveller, birthDate }) => (traveller ? [birthDate] : []))
  return { productUuid: policy.productUuid, trip: { ...tripIn(trip), birthDates } }
}

/** True if the trip can still be bought at the kept price. */
export const isKept = ({ saved, until }: KeptPrice, asked: Choice): boolean => serviceNow() <= until && isSameTrip(saved, asked)
