import { useQuery } from '@tanstack/react-query'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { type Choice, isSameTrip } from '#common/quotes/same-trip.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { serviceNow } from '#portal/kit/time.ts'
import { type PolicyDetail, policyQuery } from '#portal/policies/policy-query.ts'
import { useFunnel } from '../store.ts'

/**
 * The saved quote that the sale resumes or replaces, as the service stores it. It is reloaded after a page reload, and when it changes; on a page
 * that follows its emails, also until these are sent.
 */
export function useSavedQuote({ followsMails = false } = {}) {
  const policyUuid = useFunnel(({ policyUuid }) => policyUuid)
  return useQuery({
    ...policyQuery(policyUuid ?? ''),
    enabled: policyUuid !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data } }) => followsMails && refreshMs(data),
  })
}

/** Returns the saved quote if someone else has saved it again since this sale read it. */
export function useNewerQuote(): PolicyDetail | undefined {
  const read = useFunnel(({ bought, policyVersion }) => (bought ? undefined : policyVersion))
  const { data } = useSavedQuote()
  return data && read !== undefined && data.version > read ? data : undefined
}

/** An email is sent within seconds, but may take days while the mail server is down. */
function refreshMs(detail: PolicyDetail | undefined): number | false {
  const queued = detail?.mails.find(({ state }) => state === 'queued')
  if (!queued) return false
  return serviceNow() - Date.parse(queued.at) < 60_000 ? 1500 : 30_000
}

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
