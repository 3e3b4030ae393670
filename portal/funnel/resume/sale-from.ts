import { displayDate, readDate } from '#common/kit/dates.ts'
import { isLocale } from '#common/kit/locales.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { writeAges } from '#common/kit/typed/written-ages.ts'
import { step2From } from '#common/policies/step2-from.ts'
import { tripIn } from '#common/quotes/trip-codecs.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import type { PolicyDetail } from '#portal/policies/policy-query.ts'
import { type Product, useProducts } from '#portal/products/store.ts'
import { arePeopleComplete } from '../guard.ts'
import { tripFor } from '../sale.ts'
import { type SaleSource, type Step, type TripForm, useFunnel } from '../store.ts'
import { stepProblems } from '../trip-request.ts'

/** Resumes a saved quote at its price, or starts a new sale from a policy. Returns the first incomplete step. */
export function startFunnelFrom(detail: PolicyDetail, mode: SaleSource['mode']): Step {
  const { products } = useProducts.getState()
  const today = todayInUnit()
  const sale = saleFrom(detail, mode, products, today)
  useFunnel.setState({ ...sale, typedDates: undefined, step: 1, saving: undefined, bought: undefined })
  const product = products.find(({ uuid }) => uuid === sale.productUuid)
  const isTripDone = product && !sale.takenUp.productGone && stepProblems(sale.trip, product.settings).length === 0
  // A copy is for other people or another trip, so its people are checked before payment.
  const step = !isTripDone ? 1 : mode === 'resume' && arePeopleComplete() ? 3 : 2
  useFunnel.setState({ step })
  return step
}

/** Returns the sale made from a policy or saved quote. A product that is no longer sold is replaced by the first one. */
export function saleFrom(
  { policy, version, price, trip, users, roleFirstUser, locale, quotedTo, uploadFile }: PolicyDetail,
  mode: SaleSource['mode'],
  products: Product[],
  today: string,
) {
  const sameProduct = products.find(({ uuid }) => uuid === policy.productUuid)
  const product = sameProduct ?? products[0]
  const registered = tripFrom(policy, trip, users)
  const step2 = step2From({ roleFirstUser, users })
  // The newest address to which the quote was sent may be the policyholder's, if no other is known.
  const sentTo = mode === 'resume' ? quotedTo : undefined
  const newTrip = mode === 'copy' ? withoutPast(registered, today) : registered
  return {
    productUuid: product?.uuid,
    trip: product ? tripFor(product, newTrip) : newTrip,
    people: {
      ...step2,
      email: step2['email'] || sentTo || '',
      insuranceData: policy.buReference,
      uploadFile: mode === 'resume' ? uploadFile : null,
    },
    policyUuid: mode === 'resume' ? policy.policyUuid : undefined,
    policyVersion: mode === 'resume' ? version : undefined,
    clientLocale: mode === 'resume' && isLocale(locale) ? locale : undefined,
    channel: mode === 'resume' && trip['channel'] === 'distance' ? ('distance' as const) : ('counter' as const),
    asksToBegin: mode === 'resume' && trip['askedToBegin'] === true,
    takenUp: {
      mode,
      taker: policy.policyTaker,
      startDate: policy.startDate,
      endDate: policy.endDate,
      productGone: sameProduct ? undefined : policy.productName,
    },
    agreedTotal: mode === 'resume' ? toCents(price.total) : undefined,
  }
}

/** Returns the registered trip in the form's format. Unreadable values are left empty. */
function tripFrom(policy: PolicyDetail['policy'], trip: PolicyDetail['trip'], users: PolicyDetail['users']): TripForm {
  const { origin, destinations, travellers, amountCents, reservationDate, ages } = tripIn(trip)
  return {
    startDate: displayDate(policy.startDate) ?? '',
    endDate: displayDate(policy.endDate) ?? '',
    coverageScope: origin ?? null,
    mainDestination: [...(destinations ?? [])],
    travelers: travellers ?? 1,
    priceTravel: amountCents === undefined ? null : fromCents(amountCents),
    reservationDate: displayDate(reservationDate) ?? '',
    ages: ages ? writeAges(ages) : '',
    birthDates: users.filter(({ traveller }) => traveller).map(({ birthDate }) => ({ date: displayDate(birthDate) ?? '' })),
  }
}

/** Clears the dates and ages of a past trip. A future trip keeps them, since a copy may be for another traveller. */
const withoutPast = (trip: TripForm, today: string): TripForm =>
  (readDate(trip.startDate) ?? '') < today ? { ...trip, startDate: '', endDate: '', reservationDate: '', ages: '' } : trip
