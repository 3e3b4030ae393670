import type { QuestionSent } from '#common/kit/call.ts'
import type { registerPolicy } from '#common/policies/calls.ts'
import { peopleOf } from '#common/policies/step2.ts'
import { isRefusedAs } from '#portal/kit/errors/error-message.ts'
import { localeNow } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { peopleSoFar } from '../people/people-form.ts'
import { useFunnel } from '../store.ts'
import { askedOf, tripQuestion } from '../trip/rating.ts'

/** What the register call is asked (spec 7): the trip, the people, and the price that was shown and agreed to. */
export function registration(product: Product, also: Partial<QuestionSent<typeof registerPolicy>>): QuestionSent<typeof registerPolicy> {
  const { trip, people: typed, policyUuid } = useFunnel.getState()
  if (!trip) throw new Error('no trip to register')
  const people = peopleSoFar(typed, trip)
  const { birthDates: _, ...asked } = tripQuestion(askedOf(trip, product.settings.hasAmountCancellation))
  const { roleFirstUser, users } = peopleOf(people, Number(trip.travelers))
  return {
    productUUID: product.uuid,
    ...asked,
    roleFirstUser,
    users: users.map(user => ({ ...user })),
    buReference: people.insuranceData?.trim() || null,
    insuranceType: product.id,
    locale: localeNow(),
    ...(policyUuid ? { policyUuid } : {}),
    ...also,
  }
}

/** The budget that is sold was deleted meanwhile: from now on what was typed is a sale of its own. */
export function leaveLostBudget(error: unknown): boolean {
  const isLost = isRefusedAs(error, 'request.not_found') && useFunnel.getState().policyUuid !== undefined
  if (isLost) useFunnel.setState({ policyUuid: undefined, takenUp: undefined })
  return isLost
}
