import type { Tariff } from '#common/products/tariff.ts'

type Base = Tariff['base']
type Row = readonly [from: number, to: number, figure: number]

/** One traveller's base, unrounded: `factors` over `divisors`. It is rounded once, together with the age (docs/rating.md, step 4). */
export type TravellerBase = { factors: number[]; divisors: number[]; minimum: number }

export const figureAt = (rows: readonly Row[], value: number): number | undefined =>
  rows.find(([from, to]) => value >= from && value <= to)?.[2]

/** Returns the base for a zone and a length (docs/rating.md, step 3), if the tariff has one. */
export function travellerBase(base: Exclude<Base, { kind: 'term' }>, zone: string, days: number): TravellerBase | undefined {
  switch (base.kind) {
    case 'bands': {
      const price = base.net[zone]?.[base.upToDays.findIndex(upTo => upTo >= days)]
      return price === undefined ? undefined : { factors: [price], divisors: [], minimum: 0 }
    }
    case 'perDay':
      return discounted(base, zone, days)
    case 'perMonth':
      return discounted(base, zone, Math.ceil(days / base.monthDays))
    case 'none':
      return { factors: [0], divisors: [], minimum: 0 }
  }
}

function discounted(base: Extract<Base, { kind: 'perDay' | 'perMonth' }>, zone: string, units: number): TravellerBase | undefined {
  const [price, percent] = [base.net[zone], figureAt(base.discount, units)]
  if (price === undefined || percent === undefined) return undefined
  return { factors: [price, units, percent], divisors: [100], minimum: base.minimumPerTraveller ?? 0 }
}

/** Returns the price of the whole party. */
export function partyPrice(base: Extract<Base, { kind: 'term' }>, zone: string, pax: number): number | undefined {
  const prices = base.net[zone]
  if (pax >= 3) return prices?.family
  return pax === 2 ? prices?.couple : prices?.individual
}

/** True if the tariff has a price for this number of days in the zone. */
export const hasPriceFor = (base: Base, zone: string, days: number): boolean =>
  base.kind === 'term' ? base.net[zone] !== undefined : travellerBase(base, zone, days) !== undefined

/** Returns the longest trip with a price, for the message that refuses a longer one. */
export function longestPriced(base: Base): number {
  switch (base.kind) {
    case 'bands':
      return base.upToDays.at(-1) ?? 0
    case 'perDay':
      return base.discount.at(-1)?.[1] ?? 0
    case 'perMonth':
      return (base.discount.at(-1)?.[1] ?? 0) * base.monthDays
    case 'term':
    case 'none':
      return Number.MAX_SAFE_INTEGER
  }
}
