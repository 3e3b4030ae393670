import type { ReplySent } from '#common/kit/call.ts'
import { addMonths, today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type * as calls from '#common/policies/day-calls.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import type { Scope } from '#server/kit/scope.ts'
import { offeredProducts } from '#server/products/public.ts'
import { ownOnly } from '../visibility.ts'
import { lastNames, type SoldBy, soldSince } from './queries.ts'

type Picture = ReplySent<typeof calls.policySales>

const months = 6
const keptMs = 60_000
const most = 10

/** Counted at most once a minute for each unit, whoever sees only his own, and language, however many look: a month of a large agency is many rows to read. */
export const sales = (world: World): Handler<typeof calls.policySales> => {
  const kept = new Map<string, { until: number; picture: Promise<Picture> }>()
  return ({ caller, locale }) => {
    const { scope } = caller.unit
    const now = world.clock.now().getTime()
    for (const [whose, { until }] of kept) if (until <= now) kept.delete(whose)
    const own = ownOnly(caller)
    const whose = `${scope.businessUnitId} ${own ?? ''} ${languageOf(locale)}`
    const known = kept.get(whose)
    if (known) return known.picture
    const picture = count(world, scope, own, locale)
    kept.set(whose, { until: now + keptMs, picture })
    picture.catch(() => kept.delete(whose))
    return picture
  }
}

const count = (world: World, scope: Scope, own: string | undefined, locale: Locale): Promise<Picture> =>
  world.database.inScope(scope, async tx => {
    const { timeZone, currency } = await unitSettings(tx)
    const thisMonth = today(world.clock.now(), timeZone).slice(0, 7)
    const names = Array.from({ length: months }, (_, ago) => addMonths(`${thisMonth}-01`, ago - months + 1).slice(0, 7))
    const sold = await soldSince(tx, { own, first: names[0] as string, timeZone })
    const of = (kind: SoldBy['kind']) => sold.filter(each => each.kind === kind)
    const byMonth = new Map(of('month').map(each => [each.of, each]))
    const [products, sellers] = [of('product').slice(0, most), of('seller').slice(0, most)]
    const offered = new Map((await offeredProducts(tx)).map(({ id, content }) => [id, content.name[languageOf(locale)]]))
    const productNames = await lastNames(tx, 'product', products.map(idOf))
    const sellerNames = await lastNames(tx, 'seller', sellers.map(idOf))
    return {
      currency,
      months: names.map(name => told(name, byMonth.get(name))),
      products: products.map(each => ({ uuid: each.of, ...told(offered.get(each.of) ?? productNames.get(each.of), each) })),
      sellers: sellers.map(each => ({ uuid: each.of, ...told(sellerNames.get(each.of), each) })),
    }
  })

const idOf = ({ of }: SoldBy): string => of

const told = (name = '', { policies, cents }: Pick<SoldBy, 'policies' | 'cents'> = { policies: 0, cents: 0 }) => ({
  name,
  policies,
  total: fromCents(cents),
})
