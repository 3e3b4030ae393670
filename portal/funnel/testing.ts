import { addDays, displayDate } from '#common/kit/dates.ts'
import { typedPerson } from '#common/policies/testing.ts'
import type { PeopleForm } from './people-form.ts'
import type { TripForm } from './store.ts'

/** Loads the same instances of the funnel's modules as the open page. */
export async function openFunnel() {
  const [store, sale, guard, requests, tripRequests, people, { useProducts }, { todayInUnit }, { whenWritten }] = await Promise.all([
    import('./store.ts'),
    import('./sale.ts'),
    import('./guard.ts'),
    import('./requests.ts'),
    import('./trip-request.ts'),
    import('./people-form.ts'),
    import('#portal/products/store.ts'),
    import('#portal/business-unit/today.ts'),
    import('#portal/kit/kept/encrypted-storage.ts'),
  ])
  const product = useProducts.getState().products.find(({ code }) => code === 'ESS')
  if (!product) throw new Error('the demo sells no Essential')
  const start = addDays(todayInUnit(), 11)
  /** Eight days of one traveller in Italy. */
  const trip: TripForm = {
    ...store.newTripForm(product),
    startDate: displayDate(start) ?? '',
    endDate: displayDate(addDays(start, 7)) ?? '',
    mainDestination: [380],
    travelers: 1,
  }
  const typed: PeopleForm = {
    ...people.peopleForm(undefined, trip),
    ...typedPerson,
    documentNumber: '12345678Z',
  }
  /** Fills the store with a sale that is ready to be paid. */
  const fill = () => store.useFunnel.setState({ trip, people: people.step2Of(typed), step: 3 })
  return { ...store, ...sale, ...guard, ...requests, ...tripRequests, ...people, useProducts, whenWritten, product, trip, typed, fill }
}
