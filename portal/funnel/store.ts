import type { QuestionSent, Reply } from '#common/kit/call.ts'
import type { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import type { Step2 } from '#common/policies/step2.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { openStore } from '#portal/kit/stores.ts'
import { type Product, useProducts } from '#portal/products/store.ts'

/** Step 1 as its fields hold it, under the names of spec 3. `birthDates` are optional, and make the price exact. */
export type TripForm = {
  startDate: string
  endDate: string
  coverageScope: number | null
  mainDestination: number[]
  travelers: NumberValue
  priceTravel: NumberValue
  reservationDate: string
  birthDates: { date: string }[]
}

export type Step = 1 | 2 | 3

/** What a sale was resumed or copied from: a saved quote, at its price, or a policy. */
export type TakenUp = { mode: 'resume' | 'copy'; taker: string; startDate: string; endDate: string; productGone: string | undefined }

/**
 * A sale on its way (spec 3, quote state). The request and its keys are stored before it is sent, so that sending it again is the same
 * sale: after a reload or a lost reply, in another language, whatever another tab types. Neither card nor client secret is in it.
 */
export type Purchase = {
  asked: QuestionSent<typeof registerPolicy>
  registerKey: string
  purchaseKey: string
  registered?: Omit<Reply<typeof registerPolicy>, 'clientSecret' | 'publishableKey'>
  done?: Sold
}
export type Sold = Reply<typeof purchasePolicy>

export type FunnelState = {
  /** Counts the sales: each has forms of its own. */
  sale: number
  /** spec 4: the current step persists across reloads. */
  step: Step
  productUuid: string | undefined
  trip: TripForm | undefined
  people: Step2 | undefined
  /** The saved quote that this sale replaces or resumes. */
  policyUuid: string | undefined
  takenUp: TakenUp | undefined
  /** The price that was shown and agreed to, in cents: nothing is sold at another. */
  agreedTotal: number | undefined
  /** Under way or done: resumed after a reload, a closed tab or a lost reply. */
  bought: Purchase | undefined
}

export const fresh: FunnelState = {
  sale: 0,
  step: 1,
  productUuid: undefined,
  trip: undefined,
  people: undefined,
  policyUuid: undefined,
  takenUp: undefined,
  agreedTotal: undefined,
  bought: undefined,
}

export const useFunnel = openStore<FunnelState>('funnel', fresh, { perTab: true, follow: followCopy })

/** A new tab begins with a copy of the sale: once one of them is sold, so is the other. */
function followCopy(mine: FunnelState, { productUuid, trip, people, bought }: Partial<FunnelState>): Partial<FunnelState> | undefined {
  const isCopy = JSON.stringify([mine.productUuid, mine.trip, mine.people]) === JSON.stringify([productUuid, trip, people])
  return isCopy && bought?.done ? { bought } : undefined
}

/** spec 3 and 9: the defaults of a new sale; the countries are the product's own. */
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
    birthDates: [],
  }
}

/** True if a sale was begun, and is neither saved nor sold. */
export function isSomethingTyped({ trip, people, bought }: FunnelState): boolean {
  if (bought?.done || !trip) return false
  return isBegun(trip) || Boolean(people?.name || people?.documentNumber || people?.policyHolderName || people?.businessName)
}

/** True if the trip differs from every product's defaults. */
function isBegun({ startDate, endDate, reservationDate, priceTravel, birthDates, travelers, mainDestination }: TripForm): boolean {
  if (startDate || endDate || reservationDate || priceTravel || birthDates.some(({ date }) => date)) return true
  const beginnings = useProducts.getState().products.map(newTripForm)
  return (
    !beginnings.some(trip => trip.travelers === travelers) ||
    mainDestination.some(id => !beginnings.some(trip => trip.mainDestination.includes(id)))
  )
}

/** The sidebar's one entry (spec 2): a new sale, or the one that was begun. */
export function useSaleEntry() {
  const isOn = useFunnel(isSomethingTyped)
  const step = useFunnel(({ step }) => step)
  return isOn
    ? ({ to: '/funnel', search: { step: String(step) }, label: 'shell.menu.funnel_on', icon: 'pencil' } as const)
    : ({ to: '/funnel', search: {}, label: 'shell.menu.funnel', icon: 'plus' } as const)
}
