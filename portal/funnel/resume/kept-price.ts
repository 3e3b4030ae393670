import type { Basis } from '#common/quotes/rating/basis.ts'
import { isSameTrip, type ProductTrip } from '#common/quotes/same-trip.ts'
import { serviceNow } from '#portal/kit/service-time.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'

/** The price that a saved quote keeps although the catalogue has changed, with the documents of its terms. */
export type KeptPrice = {
  basis: Basis
  until: number
  trip: ProductTrip
  /** The uuids of the product's documents, for the record of what was shown. */
  shown: string[]
  documents: PolicyDetail['files']
}

export function keptPriceOf(detail: PolicyDetail | undefined): KeptPrice | undefined {
  if (!detail?.terms) return undefined
  const { terms, priceValidUntil, files } = detail
  return { basis: terms.basis, until: Date.parse(priceValidUntil), trip: savedTrip(detail), shown: terms.files, documents: files }
}

/** Returns the trip that a quote was saved for. */
export function savedTrip({ policy, trip, users }: PolicyDetail): ProductTrip {
  const birthDates = users.flatMap(({ traveller, birthDate }) => (traveller ? [birthDate] : []))
  // Safe: the trip is stored as the register call validated it.
  return { ...(trip as ProductTrip), productUUID: policy.productUuid, birthDates }
}

/** True if the trip can still be bought at the kept price. */
export const isKept = ({ trip, until }: KeptPrice, asked: ProductTrip): boolean => serviceNow() <= until && isSameTrip(trip, asked)
