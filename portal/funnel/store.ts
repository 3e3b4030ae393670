import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import type { Locale } from '#common/kit/locales.ts'
import type { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import type { Step2 } from '#common/policies/step2.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { openStore } from '#portal/kit/stores.ts'
import { type Product, useProducts } from '#portal/products/store.ts'

/** Step 1 in the form's format, under the names of spec 3. Ages and birth dates are optional, and make the price exact. */
export type TripForm = {
  startDate: string
  endDate: string
  coverageScope: number | null
  mainDestination: number[]
  travelers: NumberValue
  priceTravel: NumberValue
  reservationDate: string
  /** The text of the ages, such as `34, 36, 8`. Missing in a sale stored by an older build. */
  ages?: string
  /** The birth dates of step 2, which override the ages. */
  birthDates: { date: string }[]
}

export type Step = 1 | 2 | 3

/** The source of a sale: a saved quote that it resumes at its price, or a policy that it copies. */
export type SaleSource = { mode: 'resume' | 'copy'; taker: string; startDate: string; endDate: string; productGone: string | undefined }

/**
 * A purchase under way (spec 3, quote state). The request and its keys are stored before it is sent. Sending it again makes the same sale, after a
 * reload or a lost response, in another language, and whatever another tab changes. It stores neither card nor client secret.
 */
export type Purchase = {
  asked: RequestSentOf<typeof registerPolicy>
  registerKey: string
  purchaseKey: string
  registered?: Omit<ResponseOf<typeof registerPolicy>, 'clientSecret' | 'publishableKey'>
  done?: Sold
}
export type Sold = ResponseOf<typeof purchasePolicy>

export type FunnelState = {
  /** The number of the sale. A new number gives it new forms. */
  sale: number
  /** spec 4: the current step persists across reloads. */
  step: Step
  /** The product that the user chose in this sale. Without one, the product that suits the trip best is selected. */
  productUuid: string | undefined
  trip: TripForm | undefined
  /** The dates of the trip as typed, if the policy has its own, which are then those in `trip`. */
  typedDates?: Pick<TripForm, 'startDate' | 'endDate'> | undefined
  people: Step2 | undefined
  /** The saved quote that this sale replaces or resumes, and its version as this sale read or wrote it. */
  policyUuid: string | undefined
  policyVersion?: number | undefined
  takenUp: SaleSource | undefined
  /** The price that the user accepted, in cents. Nothing is sold at another price. */
  agreedTotal: number | undefined
  /** The number of travellers that had the accepted price, as step 2 found it. */
  agreedFor?: { total: number; travellers: number }
  /** The request that saves the sale as a quote, while its outcome is unknown. Like a purchase, sending it again saves it once. */
  saving: { asked: RequestSentOf<typeof registerPolicy>; key: string } | undefined
  /** The client's language, for documents and emails. The default is the portal's own. */
  clientLocale: Locale | undefined
  /** The place of the contract, and whether the client of a distance sale asks that cover begin at once. */
  channel: 'counter' | 'distance'
  asksToBegin: boolean
  /** The purchase, under way or completed. It resumes after a reload, a closed tab or a lost response. */
  bought: Purchase | undefined
}

export const emptyFunnel: FunnelState = {
  sale: 0,
  step: 1,
  productUuid: undefined,
  trip: undefined,
  typedDates: undefined,
  people: undefined,
  policyUuid: undefined,
  policyVersion: undefined,
  takenUp: undefined,
  agreedTotal: undefined,
  saving: undefined,
  clientLocale: undefined,
  channel: 'counter',
  asksToBegin: false,
  bought: undefined,
}

export const useFunnel = openStore<FunnelState>('funnel', emptyFunnel, { perTab: true, follow: followCopy })

/**
 * Adopts another tab's purchase or saved quote of the same sale. A new tab starts with a copy, so selling one sells both. Saving one does not leave
 * the other to be sold beside the quote.
 */
function followCopy(mine: FunnelState, theirs: Partial<FunnelState>): Partial<FunnelState> | undefined {
  const saleIn = ({ productUuid, trip, people }: Partial<FunnelState>) => JSON.stringify([productUuid, trip, people])
  if (saleIn(mine) !== saleIn(theirs)) return undefined
  const { bought, policyUuid, policyVersion, agreedTotal, clientLocale, channel = mine.channel, asksToBegin = mine.asksToBegin } = theirs
  if (bought?.done) return { bought }
  const isUnsaved = mine.policyUuid === undefined && !mine.saving && !mine.bought
  return isUnsaved && policyUuid !== undefined ? { policyUuid, policyVersion, agreedTotal, clientLocale, channel, asksToBegin } : undefined
}

/** Returns the trip of a new sale, with the product's countries and defaults (spec 3 and 9). */
export function newTripForm({ settings }: Product): TripForm {
  const { defaultOriginRegion, defaultDestinationCountry } = settings
  return {
    startDate: '',
    endDate: '',
    coverageScope: defaultOriginRegion.id,
    mainDestination: defaultDestinationCountry ? [defaultDestinationCountry.id] : [],
    travelers: Math.max(1, settings.minPax),
    priceTravel: settings.hasAmountCancellation ? null : 0,
    reservationDate: '',
    ages: '',
    birthDates: [],
  }
}

/** True if the sale has input that is neither saved nor sold. */
export function hasInput({ trip, people, bought }: FunnelState): boolean {
  if (bought?.done || !trip) return false
  return isChanged(trip) || Boolean(people?.name || people?.documentNumber || people?.policyHolderName || people?.businessName)
}

/** True if the trip differs from every product's defaults. */
function isChanged({ startDate, endDate, reservationDate, priceTravel, ages, birthDates, travelers, mainDestination }: TripForm): boolean {
  if (startDate || endDate || reservationDate || priceTravel || ages || birthDates.some(({ date }) => date)) return true
  const defaults = useProducts.getState().products.map(newTripForm)
  return (
    !defaults.some(trip => trip.travelers === travelers) ||
    mainDestination.some(id => !defaults.some(trip => trip.mainDestination.includes(id)))
  )
}

/** The hash with which the products page focuses the first field of the trip. */
export const lineHash = 'trip'

/** Returns the sidebar's entry (spec 2): a new sale, or the one in progress. Before step 2, it may also lead to the trip on the products page. */
export function useSaleEntry() {
  const isInProgress = useFunnel(hasInput)
  const step = useFunnel(({ step }) => step)
  return isInProgress
    ? ({ to: '/funnel', search: { step: String(step) }, label: 'shell.menu.funnel_on', icon: 'pencil', isPastTrip: step > 1 } as const)
    : ({ to: '/funnel', search: {}, label: 'shell.menu.funnel', icon: 'plus', isPastTrip: false } as const)
}
