import type { QuestionSent } from '#common/kit/call.ts'
import type { registerPolicy } from '#common/policies/calls.ts'
import { peopleOf, type Step2 } from '#common/policies/step2.ts'
import { localeNow } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { useFunnel } from '../store.ts'
import { askedOf, tripQuestion } from '../trip/rating.ts'

const nobody: Step2 = { policyHolderType: { id: 1 } }

/** What the register call is asked (spec 7): the trip, the people, and the price that was shown and agreed to. */
export function registration(product: Product, also: Partial<QuestionSent<typeof registerPolicy>>): QuestionSent<typeof registerPolicy> {
  const { trip, people, policyUuid } = useFunnel.getState()
  if (!trip) throw new Error('no trip to register')
  const { birthDates: _, ...asked } = tripQuestion(askedOf(trip, product.settings.hasAmountCancellation))
  const { roleFirstUser, users } = peopleOf(people ?? nobody, Number(trip.travelers))
  return {
    productUUID: product.uuid,
    ...asked,
    roleFirstUser,
    users: users.map(user => ({ ...user })),
    buReference: (people as { insuranceData?: string } | undefined)?.insuranceData?.trim() || null,
    insuranceType: product.id,
    locale: localeNow(),
    ...(policyUuid ? { policyUuid } : {}),
    ...also,
  }
}
