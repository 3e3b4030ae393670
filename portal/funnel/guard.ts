import { redirect } from '@tanstack/react-router'
import { readDate } from '#common/kit/dates.ts'
import { missingInTrip } from '#common/quotes/trip.ts'
import type { PeopleSettings } from '#common/policies/people.ts'
import { step2Problems } from '#common/policies/step2.ts'
import { home } from '#common/session/redirect.ts'
import { useSettings } from '#portal/business-unit/settings.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { queries } from '#portal/kit/queries.ts'
import { policyQuery } from '#portal/policies/policy-query.ts'
import { productOf } from '#portal/products/store.ts'
import { isKept, keptPriceOf } from './resume/saved-quote.ts'
import { newSale } from './sale.ts'
import { type Step, useFunnel } from './store.ts'
import { choiceOf, tripOf } from './trip-request.ts'

const steps: readonly Step[] = [1, 2, 3]

/** Returns the step in a URL's path or query, 1 by default (spec 2). */
export function stepOf(pathname: string, query: string): Step {
  const named = /^\/funnel\/steps\/step([123])$/.exec(pathname)?.[1] ?? new URLSearchParams(query).get('step')
  return steps.find(step => String(step) === named) ?? 1
}

type Navigation = { location: { pathname: string; searchStr: string }; preload: boolean }

/** Redirects to the products unless the earlier steps are complete (spec 2). */
export function checkStep({ location: { pathname, searchStr }, preload }: Navigation): void {
  const step = stepOf(pathname, searchStr)
  const query = new URLSearchParams(searchStr)
  const { bought } = useFunnel.getState()
  if (query.has('policy') || query.has('copy')) return
  if (bought && step === 3) return
  // A purchase under way is completed or abandoned in step 3.
  if (bought && !bought.done) throw redirect({ to: '/funnel', search: { step: '3' }, replace: true })
  // After a sale, step 2 has no form.
  if (bought && step === 2) throw redirect({ to: '/funnel', search: { step: '1' }, replace: true })
  // After a sale, step 1 starts a new one.
  if (bought && !preload) newSale(productOf(query.get('product') ?? undefined))
  if ((step >= 2 && !isTripComplete()) || (step === 3 && !arePeopleComplete())) throw redirect({ to: home })
}

function isTripComplete(): boolean {
  const { trip, productUuid } = useFunnel.getState()
  const product = productOf(productUuid)
  return trip !== undefined && product !== undefined && missingInTrip(tripOf(trip), product.settings).length === 0
}

export function arePeopleComplete(): boolean {
  const { trip, people } = useFunnel.getState()
  return (
    trip !== undefined &&
    people !== undefined &&
    step2Problems(withResidence(people), Number(trip.travelers), peopleSettings()).length === 0
  )
}

/** Returns the settings of the unit for the rules of step 2. */
export function peopleSettings() {
  const configuration = useSettings.getState().settings?.configuration
  return {
    locale: configuration?.locale ?? 'en-EN',
    country: configuration?.country ?? 0,
    today: todayInUnit(),
    startDate: readDate(useFunnel.getState().trip?.startDate),
    showSecondLastName: configuration?.showSecondLastName ?? '1',
    earliestBirthDate: configuration?.earliestBirthDate,
    ...insuredNow(),
  }
}

/** Returns the people who may be insured, and the trip's origin: by the terms of a resumed quote, else by the current ones. */
function insuredNow(): Pick<PeopleSettings, 'insures' | 'origin'> {
  const { trip, productUuid, policyUuid } = useFunnel.getState()
  const product = productOf(productUuid)
  if (!trip || !product) return {}
  const { settings } = product
  const kept = policyUuid ? keptPriceOf(queries.getQueryData(policyQuery(policyUuid).queryKey)) : undefined
  const isByKept = kept && isKept(kept, choiceOf(product, trip))
  const { insures } = isByKept ? kept.basis.settings : settings
  return { insures: insures ?? undefined, origin: trip.coverageScope ?? undefined }
}

/** Returns the policyholder's country, by default the unit's. */
export const residenceOf = ({ residenceCountryId }: Residence): number => residenceCountryId ?? peopleSettings().country

type Residence = { residenceCountryId?: number | null | undefined }

/** Returns the people with the residence that step 2 shows. A sale states it even if the user did not choose it. */
export const withResidence = <People extends Residence>(people: People) => ({ ...people, residenceCountryId: residenceOf(people) })
