import { premiumIn } from '#common/quotes/price-lines.ts'
import { countryName } from '#common/geography/countries.ts'
import type { FormSettings } from '#common/changes/change.ts'
import type { Fields } from '#common/changes/asked/fields.ts'
import type { Ended, Now, Person, Policy, SoldPolicy, Version } from '#common/changes/state.ts'
import type { Made } from '#common/changes/undo.ts'
import { today } from '#common/kit/dates.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { earliestBirthDate as defaultEarliest, earliestTerms } from '#common/kit/validators/periods.ts'
import { settingsInUnit } from '#common/products/settings.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { tripKept } from '#common/quotes/trip-codecs.ts'
import { type UnitSettings, unitSettings } from '#server/business-unit/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { numberSought } from '#server/kit/sealed/document-numbers.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { deliveryOf } from '#server/mail/public.ts'
import { paymentsOf, unsentRefunds } from '#server/payments/public.ts'
import {
  clean,
  editionOf,
  personIdOf,
  personReply,
  type PolicyRow,
  priceIn,
  type StoredVersion,
  storedVersion,
  versionOf,
} from '#server/policies/public.ts'
import {
  afterSaleSold,
  commonContent,
  contentSold,
  insuresSold,
  lackingForChanges,
  type SoldContent,
  unitGateways,
} from '#server/products/public.ts'
import { claimOf } from '#server/tickets/public.ts'
import { movementTo, type MovementRow, hasTwin, openChangeOf, type OpenChangeRow, segmentsOf, waivedOf } from './queries.ts'

/** A sold policy as the rules of changes read it (decision 45), with the unit's gateways. */
export type Loaded = {
  policy: Policy
  now: Now
  gateways: { id: string; name: 'Deferred' | 'StripeV2' }[]
  /** The newest change, if nothing followed it, with the reference and the language before it. */
  made: (Made & ReturnType<typeof wordsOf>) | undefined
  /** The step that ended a cancelled policy. */
  ending: MovementRow | undefined
  /** The change that is offered or waits for its payment. */
  open: OpenChangeRow | undefined
  claim: 'open' | 'closed' | undefined
  /** The row of the current version, and the edition that the policy was sold with. */
  version: VersionRow
  sold: SoldContent
  /** The settings by which the form checks people. */
  form: FormSettings
  /** The agency's address, if it wants copies of the emails about changes. */
  copyTo: { name: string; address: string } | undefined
}

/** The content of a version. Safe to read as this: registration.ts writes it. */
type Content = {
  /** Versions from before the time zone was kept lack it. */
  timeZone?: string
  locale?: Locale
  trip: TripSent & {
    buReference?: string | null
    channel?: 'counter' | 'distance' | null
    askedToBegin?: boolean | null
    termsGivenAt?: string | null
  }
  quote: Pick<Quote, 'taxes'>
}

type Reader = { secrets: Secrets; now: Date; locale: Locale }

/** Reads a sold policy with its edition, money and claims. */
export async function loadPolicy(tx: UnitTx, row: PolicyRow, reader: Reader): Promise<Loaded> {
  const loaded = await findLoaded(tx, row, await storedVersion(reader.secrets, tx, row), reader)
  if (!loaded) throw new Refusal('catalogue.lacks', { params: { lacks: (await lackingForChanges(tx, row.product_id)).join(', ') } })
  return loaded
}

/** Reads a sold policy; undefined if its edition has no terms of changes. */
export async function findLoaded(tx: UnitTx, row: PolicyRow, stored: StoredVersion, reader: Reader): Promise<Loaded | undefined> {
  const { secrets, now, locale } = reader
  const [unit, settled, gateways, open, claim, offered] = await Promise.all([
    unitSettings(tx),
    paymentsOf(tx, row.id),
    unitGateways(tx),
    openChangeOf(tx, row.id),
    claimOf(tx, row.id),
    commonContent(tx),
  ])
  const { country, showSecondLastName, earliestBirthDate = defaultEarliest } = unit
  const { version } = stored
  const found = await soldIn(tx, row, stored, unit)
  if (!found) return undefined
  const [contents, { ended, ending, made, waived }, given, twin] = await Promise.all([
    contentsOf(tx, row, stored),
    stepBefore(tx, row, reader),
    termsGiven(tx, row.id, { ...contentOf(version).trip, soldAt: found.policy.soldAt, from: row.created_at }, now),
    row.status === 'purchased' && hasTwin(tx, row, numbersOf(secrets, tx, stored)),
  ])
  const { trip } = contentOf(version)
  const payments = settled
    .filter(({ state }) => state === 'settled')
    .toSorted((a, b) => Number(a.settled_at) - Number(b.settled_at) || (a.id < b.id ? -1 : 1))
  const policy: Policy = {
    ...found.policy,
    ...contents,
    edition: { ...found.policy.edition, commissionPercent: Number(stored.lines.find(({ kind }) => kind === 'commission')?.rate ?? 0) },
    version: row.version,
    number: row.version - (row.sold_version ?? row.version) + 1,
    status: row.status === 'cancelled' ? 'cancelled' : 'purchased',
    ...(ended ? { ended } : {}),
    reference: row.reference || null,
    locale: row.locale,
    payments: payments.map(each => ({
      paymentUuid: each.id,
      gateway: each.gateway,
      left: each.amount_cents - each.refunded_cents,
    })),
    waived,
    askedToBegin: trip.askedToBegin ?? false,
    ...given,
    claimed: claim !== undefined,
    pending: open !== undefined,
    twin,
  }
  const { excludedCountries } = offered.content.zones
  const names = gateways.map(({ name }) => name)
  return {
    policy,
    now: { at: now.getTime(), excludedCountries, gateways: names, countryName: id => countryName(id, locale) },
    gateways,
    made,
    ending,
    open,
    claim,
    version,
    sold: found.sold,
    form: { locale: unit.locale, country, showSecondLastName, earliestBirthDate, today: today(now, policy.timeZone) },
    copyTo: unit.copiesOfChanges ? { name: unit.brandName, address: unit.contactInfo.email } : undefined,
  }
}

/** Reads a version without the rest of its policy; undefined if its edition has no terms of changes. */
export async function soldIn(
  tx: UnitTx,
  row: PolicyRow,
  { version, people, hashes }: Pick<StoredVersion, 'version' | 'people' | 'hashes'>,
  { country, timeZone: zoneOfUnit, earliestBirthDate = defaultEarliest }: UnitSettings,
): Promise<{ policy: SoldPolicy; sold: SoldContent } | undefined> {
  const edition = editionOf(version, row.product_id)
  const sold = await contentSold(tx, edition, hashes)
  const { product, common, tariff } = sold
  const terms = await afterSaleSold(tx, edition, sold)
  if (!terms) return undefined
  const { zones, taxes } = common.content
  const settings = { ...settingsInUnit(product.settings, country), insures: await insuresSold(tx, edition, product) }
  const { accidentCapital } = product
  // The days of a policy are counted where it was sold, also if the unit moves later.
  const { trip, timeZone = zoneOfUnit } = contentOf(version)
  const policy: SoldPolicy = {
    trip: tripKept(trip),
    people: peopleIn(row, people),
    edition: {
      basis: { settings, accidentCapital, tariff, zones, taxes, country, currency: row.currency, earliestBirthDate },
      ...terms,
    },
    timeZone,
    soldAt: (row.purchased_at ?? row.created_at).getTime(),
    holder: holders[version.role_first_user] ?? 'travels',
    channel: trip.channel ?? 'counter',
  }
  return { policy, sold }
}

const numbersOf = (secrets: Secrets, { businessUnitId }: UnitTx, { people }: StoredVersion) =>
  people.flatMap(({ document_number: number }) => (number ? [numberSought(secrets, businessUnitId, number)] : []))

/**
 * Returns when the terms reached the client: as the agency said at the sale, else by the email of a sale at a distance. An instant after the sale, or long
 * before it, which older versions kept, does not count. An email that was refused has not arrived: until it does, the terms count as given now, so that no
 * window of a right begins.
 */
async function termsGiven(
  tx: UnitTx,
  policyId: string,
  { channel, termsGivenAt, soldAt, from }: Content['trip'] & { soldAt: number; from: Date },
  now: Date,
): Promise<Pick<Policy, 'termsGivenAt'>> {
  const said = termsGivenAt ? Date.parse(termsGivenAt) : undefined
  if (said !== undefined && said <= soldAt && said >= earliestTerms(from.getTime())) return { termsGivenAt: said }
  if (channel !== 'distance') return {}
  const { sentAt, refused } = await deliveryOf(tx, policyId, 'policy_purchased')
  if (sentAt) return { termsGivenAt: sentAt.getTime() }
  return refused ? { termsGivenAt: now.getTime() } : {}
}

/** By `roleFirstUser` (spec 7). */
const holders: Record<number, Policy['holder']> = { 1: 'travels', 2: 'stays', 3: 'company' }

/** Reads the movement that led to the current version, which an undo or a reinstatement reverses, and the sum that all movements waived. */
async function stepBefore(
  tx: UnitTx,
  row: PolicyRow,
  { secrets, now }: Reader,
): Promise<{ ended?: Ended; ending?: MovementRow; made?: Loaded['made']; waived: number }> {
  const movement = await movementTo(tx, row.id, row.version)
  // Steps lead from each version to the next, so without this one there is none.
  if (!movement) return { waived: 0 }
  const waived = await waivedOf(tx, row.id)
  if (movement.kind === 'undo' || movement.kind === 'reinstatement') return { waived }
  const before = await storedVersion(secrets, tx, { id: row.id, version: movement.from_version })
  const former = await contentsOf(tx, row, before)
  const unsent = (await unsentRefunds(tx, movement.id, now)).reduce((sum, { amount_cents: cents }) => sum + cents, 0)
  const at = movement.at.getTime()
  return movement.kind === 'change'
    ? { waived, made: { ...wordsOf(row, before.version), at, former, unsent, waived: movement.waived_cents } }
    : {
        waived,
        ending: movement,
        ended: { kind: movement.kind, at, former, refund: movement.refund_cents, unsent, waived: movement.waived_cents },
      }
}

/** Returns the day of the booking as it was at the sale. A change may name that of an addition. */
export async function reservedForSale(
  tx: UnitTx,
  { id, sold_version: sold }: PolicyRow,
  { policy, version }: Loaded,
): Promise<string | undefined> {
  if (!policy.edition.basis.tariff.cancellation) return undefined
  const sale = sold === null || sold === version.version ? version : await versionOf(tx, { id, version: sold })
  return tripKept(contentOf(sale).trip).reservationDate
}

export type VersionRow = StoredVersion['version']

const contentOf = (version: VersionRow): Content => version.content as Content // Safe: registration.ts writes it.

/** Reads a version as it stood. */
export async function contentsOf(tx: UnitTx, row: PolicyRow, { version, lines, people }: StoredVersion): Promise<Version> {
  const { trip, quote } = contentOf(version)
  const sold = tripKept(trip)
  const segments = (await segmentsOf(tx, row.id, version.version)).map(each => ({
    from: each.from_day,
    to: each.to_day,
    premium: each.premium_cents,
    joined: each.joined,
  }))
  const charged = priceIn(lines, quote.taxes)
  return {
    trip: sold,
    people: peopleIn(row, people),
    charged,
    tariffPremium: version.tariff_premium_cents ?? premiumIn(charged),
    segments: segments.length > 0 ? segments : [{ from: sold.startDate, to: sold.endDate, premium: premiumIn(charged), joined: 0 }],
  }
}

const peopleIn = ({ id }: PolicyRow, people: StoredVersion['people']): Person[] =>
  people.map(person => ({ ...personReply(person), personUuid: personIdOf(id, person) }))

/** Returns the reference and the language of a version. */
export function wordsOf({ locale }: PolicyRow, version: VersionRow): Pick<Fields, 'reference' | 'locale'> {
  const { trip, locale: own = locale } = contentOf(version)
  return { reference: clean(trip.buReference), locale: own }
}
