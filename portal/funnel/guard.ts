import { redirect } from '@tanstack/react-router'
import { missingInTrip } from '#common/quotes/trip.ts'
import { step2Problems } from '#common/policies/step2.ts'
import { home } from '#common/session/redirect.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { productOf, useProducts } from '#portal/products/store.ts'
import { tripOf, newSale } from './sale.ts'
import { type Step, useFunnel } from './store.ts'

/** The step that an address names: by its path or its query; 1 when it names none (spec 2). */
export function stepOf(pathname: string, query: string): Step {
  const named = /^\/funnel\/steps\/step([123])$/.exec(pathname)?.[1] ?? new URLSearchParams(query).get('step') ?? '1'
  return Number(named) as Step
}

type NavigationTarget = { location: { pathname: string; searchStr: string }; preload: boolean }

/** spec 2: step 2 is refused unless step 1 is complete, and step 3 unless step 2 is. Refused means: to the products. */
export function checkStep({ location: { pathname, searchStr }, preload }: NavigationTarget): void {
  const step = stepOf(pathname, searchStr)
  const query = new URLSearchParams(searchStr)
  const { bought, productUuid } = useFunnel.getState()
  if (query.has('policy') || query.has('copy')) return
  if (bought && step === 3) return
  // What is under way is finished there, or given up.
  if (bought && !bought.done) throw redirect({ to: '/funnel', search: { step: '3' }, replace: true })
  // Back from there, the form of what is sold is no form any more.
  if (bought && step === 2) throw redirect({ to: '/funnel', search: { step: '1' }, replace: true })
  // What is sold is done with: whoever begins again begins anew.
  if (bought && !preload) newSale(productOf(query.get('product') ?? productUuid) ?? useProducts.getState().products[0])
  if ((step >= 2 && !isTripComplete()) || (step === 3 && !arePeopleComplete())) throw redirect({ to: home })
}

function isTripComplete(): boolean {
  const { trip, productUuid } = useFunnel.getState()
  const product = productOf(productUuid)
  return trip !== undefined && product !== undefined && missingInTrip(tripOf(trip), product.settings).length === 0
}

export function arePeopleComplete(): boolean {
  const { trip, people } = useFunnel.getState()
  return trip !== undefined && people !== undefined && step2Problems(people, Number(trip.travelers), peopleSettings()).length === 0
}

/** What the rules of step 2 must know of the unit. */
export function peopleSettings() {
  const configuration = useSettings.getState().settings?.configuration
  return { locale: configuration?.locale ?? 'en-EN', today: todayInUnit(), showSecondLastName: configuration?.showSecondLastName ?? '1' }
}
