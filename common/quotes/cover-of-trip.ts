import { languageOf } from '#common/kit/locales.ts'
import { formatMoney } from '#common/kit/money.ts'
import type { Coverage } from '#common/products/catalogue.ts'
import { type CoverGroup, coverageValue, type Reader } from '#common/products/cover.ts'
import type { Zones } from '#common/products/tariff.ts'
import { keyCover } from './ranking.ts'
import { tripZone } from './rating/zone.ts'

type Trip = { destinations: readonly number[]; origin: number; amountCents?: number | undefined }
type Product = { product: { coverages: readonly Coverage[] }; zones: Zones }

/** Returns a product's cover in a group with its limit for this trip; undefined without one. Cancellation covers the trip's cost. */
export function coverOfTrip(
  group: CoverGroup,
  { product, zones }: Product,
  { destinations, origin, amountCents: cents }: Trip,
  reader: Reader,
): { name: string; value: string } | undefined {
  const cover = keyCover(group, product.coverages, tripZone(destinations, origin, zones))
  if (!cover) return undefined
  const isCost = cover.code === 'cancellation.trip' && cents !== undefined
  return {
    name: cover.name[languageOf(reader.locale)],
    value: isCost ? formatMoney(cents, reader.locale, reader.currency) : coverageValue(cover, reader),
  }
}
