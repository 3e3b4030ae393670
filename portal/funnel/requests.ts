import type { RequestSentOf } from '#common/kit/call.ts'
import type { registerPolicy } from '#common/policies/calls.ts'
import { peopleOf } from '#common/policies/step2.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { localeNow } from '#portal/kit/words.tsx'
import { queries } from '#portal/kit/queries.ts'
import { policyQuery } from '#portal/policies/policy-query.ts'
import type { Product } from '#portal/products/store.ts'
import { withResidence } from './guard.ts'
import { peopleSoFar } from './people-form.ts'
import { useFunnel } from './store.ts'
import { tripRequest } from './trip-request.ts'

/** Returns the request that registers the sale (spec 7): the trip, the people and the agreed price. */
export function registerRequest(
  product: Product,
  more: Partial<RequestSentOf<typeof registerPolicy>>,
): RequestSentOf<typeof registerPolicy> {
  const { trip, people: storedPeople, policyUuid, policyVersion, clientLocale, channel, asksToBegin } = useFunnel.getState()
  if (!trip) throw new Error('no trip to register')
  const people = peopleSoFar(storedPeople, trip)
  const { birthDates: _, ages, ...sent } = tripRequest(trip, product.settings.hasAmountCancellation)
  // A quote may lack the client's residence, as it may lack their name.
  const { roleFirstUser, users } = peopleOf(more.saveBudget ? people : withResidence(people), Number(trip.travelers))
  return {
    productUUID: product.uuid,
    ...sent,
    // A sale has all birth dates.
    ...(more.saveBudget && ages ? { ages } : {}),
    roleFirstUser,
    users: users.map(({ documentKind, ...user }) => ({ ...user, ...(documentKind === 'passport' ? { documentKind } : {}) })),
    buReference: people.insuranceData?.trim() || null,
    ...(people.uploadFile?.uuid ? { uploadFile: people.uploadFile.uuid } : {}),
    insuranceType: product.id,
    locale: clientLocale ?? localeNow(),
    ...(channel === 'distance' ? { channel, askedToBegin: asksToBegin } : {}),
    ...(policyUuid ? { policyUuid, ...(policyVersion ? { version: policyVersion } : {}) } : {}),
    ...more,
  }
}

/**
 * Returns the message if the quote that the sale resumes was deleted, or saved again meanwhile. The sale becomes independent of a deleted one. One saved
 * again is loaded, and the page then offers to open it.
 */
export function budgetFailure(error: unknown): 'funnel.buy.budget_gone' | 'funnel.buy.budget_changed' | undefined {
  const { policyUuid } = useFunnel.getState()
  if (!policyUuid) return undefined
  if (isRefusedAs(error, 'request.not_found')) {
    useFunnel.setState({ policyUuid: undefined, policyVersion: undefined, takenUp: undefined })
    return 'funnel.buy.budget_gone'
  }
  if (!isRefusedAs(error, 'request.conflict')) return undefined
  void queries.invalidateQueries({ queryKey: policyQuery(policyUuid).queryKey })
  return 'funnel.buy.budget_changed'
}
