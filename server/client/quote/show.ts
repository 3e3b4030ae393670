import type { ClientQuotes } from '#common/client/quote/calls.ts'
import type * as calls from '#common/client/quote/calls.ts'
import { countryName } from '#common/geography/countries.ts'
import { today } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import { answered } from '#common/products/information.ts'
import type { CoverGroup } from '#common/products/cover.ts'
import { coverOfTrip } from '#common/quotes/cover-of-trip.ts'
import { keyGroups } from '#common/quotes/ranking.ts'
import { manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import { tripKept } from '#common/quotes/trip-codecs.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { differencesBetween } from '#server/changes/public.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findPolicy, noteOnce, type PolicyRow, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { readerOf } from '../access.ts'
import { priceLinesIn } from '../price-lines.ts'
import { brandOf } from '../brand.ts'
import { filesOf } from './files.ts'
import { travellersIn } from './missing.ts'
import { decisionOn, type Link, linkIn, stateOf } from './states.ts'
import { cardGateway, hasRight, needsOf, type StoredQuote, storedQuote } from './stored.ts'

const action = 'client.quote_seen'

type Shown = ClientQuotes['quotes'][number]

/** Shows the quotes of a link. The first time is noted, as is every view. */
export const showQuotes =
  (sales: Sales): Handler<typeof calls.clientQuote> =>
  async input => {
    const { world } = sales
    const reader = await readerOf(world, input, action, input.ask.token)
    return world.database.inScope(reader.scope, async tx => {
      const link = await linkIn(tx, reader.linkId)
      const { row, quotes } = link
      await audit(world, tx, input, { action, outcome: 'done', object: row.id })
      if (!row.opened_at) {
        const at = world.clock.now()
        await noteOnce(tx, row.id, 'opened_at', at)
        for (const { id } of quotes) await recordEvent(world, tx, { policyId: id, at, what: 'quote_opened' })
      }
      return viewOf(sales, tx, link, input.locale)
    })
  }

async function viewOf(sales: Sales, tx: UnitTx, link: Link, locale: Locale): Promise<ClientQuotes> {
  const { world } = sales
  const now = world.clock.now()
  const stored = await Promise.all(link.quotes.map(({ id }) => storedQuote(world.secrets, tx, id)))
  const [first] = stored
  if (!first) throw new Error('a link without quotes')
  const groups = keyGroups(stored.map(({ sold }) => sold.product))
  return {
    brand: brandOf(first.settings),
    insurer: first.sold.common.content.insurer.legalName,
    locale: first.policy.locale,
    timeZone: link.timeZone,
    today: today(now, link.timeZone),
    message: link.row.message,
    cards: (await cardGateway(sales, tx, link.quotes)) !== undefined,
    decision: decisionOn(link),
    quotes: await Promise.all(stored.map(each => shownQuote(sales, tx, each, { link, groups, locale, now }))),
  }
}

type Around = { link: Link; groups: CoverGroup[]; locale: Locale; now: Date }

/** Shows a quote in the reader's language, and its documents and the statement of needs in its own. */
async function shownQuote({ world }: Sales, tx: UnitTx, stored: StoredQuote, { link, groups, locale, now }: Around): Promise<Shown> {
  const { policy, version, lines, settings, sold } = stored
  const { insurer, zones, taxes, information } = sold.common.content
  const described = { product: sold.product, tariff: sold.tariff, insurer, zones }
  const state = stateOf(policy, link, now)
  // Safe: registration.ts writes it.
  const { trip: sent, quote } = version.content as { trip: TripSent; quote: { provisional?: boolean; taxes?: Quote['taxes'] } }
  const trip = tripKept(sent)
  const many = manyTripsIn(described, trip)
  const reader = { locale, currency: policy.currency }
  const product = sold.product.name[languageOf(locale)]
  const isOpen = state === 'open' || state === 'paying'
  const travellers = isOpen || state === 'accepted' ? travellersIn(stored, settings, now) : []
  return {
    policyUuid: policy.id,
    version: policy.version,
    state,
    product,
    startDate: policy.start_date,
    endDate: policy.end_date,
    destinations: many ? [] : trip.destinations.map(id => countryName(id, locale) ?? String(id)),
    zone: many?.zone[languageOf(locale)] ?? null,
    restrictions: answered('restrictions', described, information, reader).items,
    covers: groups.map(group => {
      const cover = coverOfTrip(group, described, trip, reader)
      return { group, name: cover?.name ?? '', value: cover?.value ?? null }
    }),
    files: state === 'gone' ? [] : filesOf(world, tx.scope, stored).map(({ uuid, name, label }) => ({ uuid, name, label })),
    travellers,
    agencyCompletes: isOpen && !policy.complete && travellers.every(({ missing }) => missing.length === 0),
    price: {
      currency: policy.currency,
      total: fromCents(policy.total_cents),
      lines: priceLinesIn(lines, { taxes, named: quote.taxes ?? [] }, locale),
    },
    provisional: quote.provisional ?? false,
    until: policy.price_valid_until.toISOString(),
    withdrawal: await hasRight(tx, stored),
    demandsAndNeeds: isOpen ? needsOf(world, stored) : '',
    differences: isOpen ? await differencesOf(world, tx, policy, locale) : [],
  }
}

/** Says what differs from the policy that the quote renews, unless its data are blocked or erased. */
async function differencesOf(world: World, tx: UnitTx, renewal: PolicyRow, locale: Locale): Promise<Shown['differences']> {
  const policy = renewal.renews === null ? undefined : await findPolicy(tx, renewal.renews)
  return policy?.status === 'purchased' && !policy.erased_at ? differencesBetween(world, tx, { policy, renewal }, locale) : []
}
