import type { Reply } from '#common/kit/call.ts'
import { displayDate, readDate } from '#common/kit/dates.ts'
import { toCents } from '#common/kit/money.ts'
import type { policyDetail } from '#common/policies/calls.ts'
import { step2From } from '#common/policies/step2.ts'
import { destinationsIn } from '#common/quotes/destinations.ts'
import { tripProblems } from '#common/quotes/trip.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { type Product, useProducts } from '#portal/products/store.ts'
import { arePeopleComplete } from '../guard.ts'
import { tripFor, tripOf } from '../sale.ts'
import { type Step, type TakenUp, type TripForm, useFunnel } from '../store.ts'

export type PolicyDetail = Reply<typeof policyDetail>

/**
 * A budget is taken up again, at the price that was told then; or what was sold begins a new sale. Gives the step to go on with: the first
 * that has something to be done.
 */
export function startFunnelFrom(detail: PolicyDetail, mode: TakenUp['mode']): Step {
  const { products } = useProducts.getState()
  const today = todayInUnit()
  const sale = saleFrom(detail, mode, products, today)
  useFunnel.setState({ ...sale, step: 1, bought: undefined })
  const product = products.find(({ uuid }) => uuid === sale.productUuid)
  const isTripDone = product && !sale.takenUp.productGone && tripProblems(tripOf(sale.trip), product.settings, today).length === 0
  const step = mode === 'copy' || !isTripDone ? 1 : arePeopleComplete() ? 3 : 2
  useFunnel.setState({ step })
  return step
}

/** What of the funnel a policy gives back. A product that is no longer sold leaves its place to the first that is. */
export function saleFrom(
  { policy, price, trip, users, roleFirstUser }: PolicyDetail,
  mode: TakenUp['mode'],
  products: Product[],
  today: string,
) {
  const sold = products.find(({ uuid }) => uuid === policy.productUuid)
  const product = sold ?? products[0]
  const asked = tripFrom(policy, trip, users)
  const wanted = mode === 'copy' ? withoutPast(asked, today) : asked
  return {
    productUuid: product?.uuid,
    trip: product ? tripFor(product, wanted) : wanted,
    people: { ...step2From({ roleFirstUser, users }), insuranceData: policy.buReference },
    policyUuid: mode === 'resume' ? policy.policyUuid : undefined,
    takenUp: {
      mode,
      taker: policy.policyTaker,
      startDate: policy.startDate,
      endDate: policy.endDate,
      productGone: sold ? undefined : policy.productName,
    },
    agreedTotal: mode === 'resume' ? toCents(price.total) : undefined,
  }
}

/** The register call's question was kept as it was asked; what cannot be read of it any more is asked anew. */
function tripFrom(policy: PolicyDetail['policy'], asked: PolicyDetail['trip'], users: PolicyDetail['users']): TripForm {
  const places = asked['countriesDestinationId']
  return {
    startDate: displayDate(policy.startDate) ?? '',
    endDate: displayDate(policy.endDate) ?? '',
    coverageScope: numberIn(asked['countryOriginId']),
    mainDestination: typeof places === 'string' ? destinationsIn(places).filter(id => id > 0) : [],
    travelers: numberIn(asked['paxNumber']) ?? 1,
    priceTravel: numberIn(asked['insurancedAmount']),
    reservationDate: displayDate(asked['reservationDate']) ?? '',
    birthDates: users.filter(({ traveller }) => traveller).map(({ birthDate }) => ({ date: displayDate(birthDate) ?? '' })),
  }
}

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A trip that lies behind is asked for anew; one that is still to come may have another traveller. */
const withoutPast = (trip: TripForm, today: string): TripForm =>
  (readDate(trip.startDate) ?? '') < today ? { ...trip, startDate: '', endDate: '', reservationDate: '' } : trip
