import type { Route } from '#common/changes/money.ts'
import { changesNeeds } from '#common/changes/differences.ts'
import type { Version } from '#common/changes/state.ts'
import type { StepDocumentKind } from '#common/documents/kinds.ts'
import { countryName } from '#common/geography/countries.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Words } from '#common/kit/words/words.ts'
import { fullNameOfRow } from '#common/people/person.ts'
import { needsParams } from '#common/quotes/needs.ts'
import { paidFor, totalIn } from '#common/quotes/price-lines.ts'
import { type ManyTrips, manyTrips } from '#common/quotes/rating/many-trips.ts'
import { travelDays } from '#common/quotes/rating/stay.ts'
import { sentOf } from '#common/quotes/trip-codecs.ts'
import type { World } from '#server/kit/app-context.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Intent, PaymentRow } from '#server/payments/public.ts'
import {
  clean,
  namesOf,
  namesWithSort,
  type NewContents,
  type NewPerson,
  personInStatement,
  personOf,
  type PolicyRow,
  priceLines,
  searchTextOf,
  versionOf,
  withNumber,
} from '#server/policies/public.ts'
import type { Where } from '#server/session/public.ts'
import type { Loaded } from './load.ts'
import type { MovementKind } from './tables.ts'

/** The contents of a next version, as a preview holds them. A person who joins has no uuid yet. */
export type Contents = Omit<Version, 'people'> & {
  people: readonly (Omit<Version['people'][number], 'personUuid'> & { personUuid: string | null })[]
  reference: string | null
  locale: Locale
  /** The premium of each person, or the earlier version that has the same people. */
  premiums: readonly number[] | { version: number }
}

/** A step as its preview says it, ready to be written. */
export type Step = {
  kind: MovementKind
  contents: Contents
  charge: number
  refund: number
  stopped: number
  kept: number
  waived: number
  commission: number
  routes: Route[]
  basis: string | null
  waitUntil: number | null
  papers: StepDocumentKind[]
  /** Until when it can be paid by card. */
  validUntil: number
  reason: string | null
  note: string | null
  /** How the policy ends; null if it is in force afterwards. */
  ending: { kind: 'cancellation' | 'withdrawal'; coverEnds: string | null } | null
}

/** A step's card payment, and the intent by which it was paid. */
type Paid = { payment: PaymentRow; intent: Intent }

/** The author of a step: a user of the unit, or the client by a statement of withdrawal. */
type Author = { userId: string | null; name: string; withdrawalId?: string }

/** A step to be written under the policy's lock. `paid`: the card payment that it waited for. */
export type Written = {
  id: string
  row: PolicyRow
  loaded: Loaded
  step: Step
  asked: Record<string, unknown>
  by: Author
  where: Where
  requestKey: string | null
  now: Date
  paid?: Paid
}

type Next = {
  row: PolicyRow
  loaded: Loaded
  contents: Contents
  userId: string | null
  now: Date
}

/** Returns the next version of a policy, to be written, and the columns by which lists show it. */
export async function nextVersion(world: World, tx: UnitTx, step: Next): Promise<{ contents: NewContents; columns: Partial<PolicyRow> }> {
  const { ids, secrets } = world
  const { row, loaded, contents, userId, now } = step
  const { version: before } = loaded
  const { trip, charged, segments, tariffPremium } = contents
  const version = row.version + 1
  const { premiums } = contents
  const known =
    'version' in premiums ? (await namesOf(tx, { id: row.id, version: premiums.version })).map(each => each.premium_cents) : premiums
  const people = peopleOf(ids, step, { holderType: before.role_first_user, premiums: known })
  const of = { policy_id: row.id, version }
  const next = {
    version: {
      ...of,
      at: now,
      user_id: userId,
      role_first_user: before.role_first_user,
      pax_number: travellersIn(people),
      catalogue_version: before.catalogue_version,
      product_version: before.product_version,
      tariff_version: before.tariff_version,
      total_cents: totalIn(charged),
      tariff_premium_cents: tariffPremium,
      currency: row.currency,
      content: { ...contentOf(before.content, step, people), ...(await shownWith(world, tx, step, people)) },
    },
    people: people.map(person => personInStatement(secrets, tx.scope, person)),
    lines: priceLines(of, charged, loaded.policy.edition.commissionPercent),
    segments: segments.map(({ from, to, premium, joined }, position) => ({
      ...of,
      position,
      from_day: from,
      to_day: to,
      premium_cents: premium,
      joined,
    })),
  }
  const [holder] = people
  const names = {
    product: row.product_name,
    taker: holder ? fullNameOfRow(holder) : row.taker,
    seller: row.seller_name,
    reference: clean(contents.reference) ?? '',
  }
  const columns = {
    version,
    ...namesWithSort(names),
    search: withNumber(searchTextOf(names, people.map(fullNameOfRow)), row.number ?? ''),
    start_date: trip.startDate,
    end_date: trip.endDate,
    locale: contents.locale,
    total_cents: totalIn(charged),
    commission_cents: charged.commission,
    updated_at: now,
  }
  return { contents: next, columns }
}

type Known = { holderType: number; premiums: readonly (number | null)[] }

function peopleOf(ids: World['ids'], { row, contents }: Next, { holderType, premiums }: Known): NewPerson[] {
  return contents.people.map((person, position) => {
    const holder = position === 0
    return {
      policy_id: row.id,
      version: row.version + 1,
      position,
      holder,
      traveller: !holder || holderType === 1,
      ...personOf(person, holder && holderType === 3),
      premium_cents: !holder || holderType === 1 ? (premiums[position] ?? null) : null,
      person_id: person.personUuid ?? ids.next(),
    }
  })
}

/** Returns the request and the quote of a version: those of the sale, with the new trip and price. */
function contentOf(before: Record<string, unknown>, { contents, loaded }: Next, people: NewPerson[]): Record<string, unknown> {
  const { edition, timeZone } = loaded.policy
  const { trip, charged, locale, reference } = contents
  // Safe: every version has both, as objects.
  const { trip: asked, quote } = before as { trip: Record<string, unknown>; quote: Record<string, unknown> }
  return {
    ...before,
    trip: {
      ...asked,
      ...sentOf(trip),
      paxNumber: travellersIn(people),
      buReference: reference,
      locale,
    },
    quote: {
      ...quote,
      ...paidFor(charged),
      commission: { rate: edition.commissionPercent, amount: fromCents(charged.commission) },
      travelDays: travelDays(trip),
    },
    locale,
    language: languageOf(locale),
    timeZone,
  }
}

const travellersIn = (people: NewPerson[]): number => people.filter(({ traveller }) => traveller).length

/**
 * Returns the demands and needs of the next version. A step that changes them writes the sentence anew. One that restores an earlier version reuses
 * its sentence.
 */
async function shownWith(
  world: World,
  tx: UnitTx,
  { row, loaded, contents, now }: Next,
  people: NewPerson[],
): Promise<{ shown?: unknown }> {
  const { premiums, trip, locale } = contents
  const { version: before, policy, sold } = loaded
  if ('version' in premiums) {
    const former = premiums.version === before.version ? before : await versionOf(tx, { id: row.id, version: premiums.version })
    return { shown: former.content['shown'] }
  }
  if (!changesNeeds(policy, contents)) return {}
  const { product } = sold
  const stated = {
    trip,
    many: manyTrips(policy.edition.basis, trip),
    travellers: travellersIn(people),
    product: product.name[languageOf(locale)],
    currency: row.currency,
    locale,
  }
  // Safe: the call `register` writes it so, if at all.
  const { files = [] } = (before.content['shown'] ?? {}) as { files?: string[] }
  return { shown: { demandsAndNeeds: needsText(stated, world.words(locale)), files, at: now.toISOString() } }
}

type Stated = {
  trip: Version['trip']
  many: ManyTrips | undefined
  travellers: number
  product: string
  currency: string
  locale: Locale
}

/** States the client's demands and needs, as the portal does before the sale. */
export const needsText = ({ trip, locale, ...stated }: Stated, words: Words): string =>
  words(
    'funnel.before.needs',
    needsParams(
      {
        ...trip,
        ...stated,
        destinations: trip.destinations.map(id => countryName(id, locale) ?? String(id)),
      },
      locale,
    ),
  )
