import type { ResponseSentOf } from '#common/kit/call.ts'
import { addMonths, today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type * as calls from '#common/policies/day-calls.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { offeredProducts } from '#server/products/public.ts'
import { seesCommission } from '../visibility.ts'
import { lastNames, type SalesCount, soldSince } from './queries.ts'

type Picture = ResponseSentOf<typeof calls.policySales>

const months = 6
/** Keeps a count a hundred times as long as it took, at most a minute: counting is a hundredth of the work at most. */
const keptTimes = 100
const longestMs = 60_000
const maxRows = 10

/**
 * Returns the sales of the last months. Counts at once where that is quick, so that they agree with the list after a sale. Counts rarely for a
 * large agency, whose month has many rows. Callers with the same unit, own-sales limit, view of commissions and language share a count.
 */
export const sales = (world: World): Handler<typeof calls.policySales> => {
  const cache = new Map<string, { until: number; picture: Promise<Picture> }>()
  return ({ caller, locale }) => {
    const { scope } = caller.unit
    const now = world.clock.now().getTime()
    for (const [key, { until }] of cache) if (until <= now) cache.delete(key)
    const own = ownOnly(caller)
    const earned = seesCommission(caller)
    const key = `${scope.businessUnitId} ${own ?? ''} ${earned} ${languageOf(locale)}`
    const cached = cache.get(key)
    if (cached) return cached.picture
    const began = world.elapsed()
    const counted = { until: Number.POSITIVE_INFINITY, picture: count(world, scope, { own, earned }, locale) }
    cache.set(key, counted)
    counted.picture.then(
      () => {
        counted.until = world.clock.now().getTime() + Math.min(longestMs, keptTimes * (world.elapsed() - began))
      },
      () => cache.delete(key),
    )
    return counted.picture
  }
}

type Sight = { own: string | undefined; earned: boolean }

const count = (world: World, scope: Scope, { own, earned }: Sight, locale: Locale): Promise<Picture> =>
  world.database.inScope(scope, async tx => {
    const { timeZone, currency } = await unitSettings(tx)
    const thisMonth = today(world.clock.now(), timeZone).slice(0, 7)
    const names = Array.from({ length: months }, (_, ago) => addMonths(`${thisMonth}-01`, ago - months + 1).slice(0, 7))
    // Safe: there is at least one month.
    const sold = await soldSince(tx, { own, first: names[0] as string, timeZone })
    const of = (kind: SalesCount['kind']) => sold.filter(each => each.kind === kind)
    const byMonth = new Map(of('month').map(each => [each.of, each]))
    const [products, sellers] = [of('product').slice(0, maxRows), of('seller').slice(0, maxRows)]
    const offered = new Map((await offeredProducts(tx)).map(({ id, content }) => [id, content.name[languageOf(locale)]]))
    const productNames = await lastNames(tx, 'product', products.map(idOf))
    const sellerNames = await lastNames(tx, 'seller', sellers.map(idOf))
    return {
      currency,
      months: names.map(name => countOf(earned, name, byMonth.get(name))),
      products: products.map(each => ({ uuid: each.of, ...countOf(earned, offered.get(each.of) ?? productNames.get(each.of), each) })),
      sellers: sellers.map(each => ({ uuid: each.of, ...countOf(earned, sellerNames.get(each.of), each) })),
    }
  })

const idOf = ({ of }: SalesCount): string => of

const none = { policies: 0, cents: 0, earnedCents: 0 }

const countOf = (showsEarned: boolean, name = '', { policies, cents, earnedCents }: Omit<SalesCount, 'kind' | 'of'> = none) => ({
  name,
  policies,
  total: fromCents(cents),
  earned: showsEarned ? fromCents(earnedCents) : null,
})
