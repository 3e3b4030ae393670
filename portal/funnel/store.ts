import type { Step2 } from '#common/policies/step2.ts'
import type { NumberValue } from '#portal/kit/field/number-field.tsx'
import { openStore } from '#portal/kit/stores.ts'
import { type Product, useProducts } from '#portal/products/store.ts'
import type { Bought } from './payment/purchase-state.ts'

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

/** What a sale was taken up from: a budget, at the price that was told then, or a policy that is sold once more. */
export type TakenUp = { mode: 'resume' | 'copy'; taker: string; startDate: string; endDate: string; productGone: string | undefined }

export type FunnelState = {
  /** Counts the sales: forms hold what is typed by themselves, and another sale has others. */
  sale: number
  /** spec 4: the current step persists across reloads. */
  step: Step
  productUuid: string | undefined
  trip: TripForm | undefined
  people: Step2 | undefined
  /** The budget that this sale replaces, or resumes. */
  policyUuid: string | undefined
  takenUp: TakenUp | undefined
  /** What was shown and agreed to, in cents: nothing is sold at another price. */
  agreedTotal: number | undefined
  /** Under way or done: a reload, a closed tab or a lost reply takes it up where it was. */
  bought: Bought | undefined
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

export const useFunnel = openStore<FunnelState>('funnel', fresh, { own: true, follow: followCopy })

/** A new tab begins with a copy of what was typed last: once the one is sold, so is the other. */
function followCopy(mine: FunnelState, { productUuid, trip, people, bought }: Partial<FunnelState>): Partial<FunnelState> | undefined {
  const isCopy = JSON.stringify([mine.productUuid, mine.trip, mine.people]) === JSON.stringify([productUuid, trip, people])
  return isCopy && bought?.done ? { bought } : undefined
}

/** spec 3 and 9: what a new sale begins with; the places are the product's own. */
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

/** A sale that was begun and not kept anywhere. What was bought is done with. */
export function isSomethingTyped({ trip, people, bought }: FunnelState): boolean {
  if (bought?.done || !trip) return false
  return isBegun(trip) || Boolean(people?.name || people?.documentNumber || people?.policyHolderName || people?.businessName)
}

/** More than what one product or the other begins with by itself. */
function isBegun({ startDate, endDate, reservationDate, priceTravel, birthDates, travelers, mainDestination }: TripForm): boolean {
  if (startDate || endDate || reservationDate || priceTravel || birthDates.some(({ date }) => date)) return true
  const beginnings = useProducts.getState().products.map(newTripForm)
  return (
    !beginnings.some(trip => trip.travelers === travelers) ||
    mainDestination.some(id => !beginnings.some(trip => trip.mainDestination.includes(id)))
  )
}

/** The sidebar's one entry (spec 2) says what it leads to: whoever has begun a sale goes on with it. */
export function useSaleEntry() {
  const isOn = useFunnel(isSomethingTyped)
  const step = useFunnel(({ step }) => step)
  return isOn
    ? ({ to: '/funnel', search: { step: String(step) }, label: 'shell.menu.funnel_on', icon: 'pencil' } as const)
    : ({ to: '/funnel', search: {}, label: 'shell.menu.funnel', icon: 'plus' } as const)
}
