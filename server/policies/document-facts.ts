import { daysBetween, readDate } from '#common/kit/dates.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fullNameOfRow } from '#common/people/person.ts'
import { identificationTypes } from '#common/policies/people.ts'
import type { Price } from '#common/quotes/price-lines.ts'
import { type ManyTrips, manyTripsIn } from '#common/quotes/rating/many-trips.ts'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import { tripKept } from '#common/quotes/trip-codecs.ts'
import type { DocumentPerson, ProductTexts, VersionFacts } from '#server/documents/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { isOneAddress } from '#server/kit/mail-address.ts'
import type { Secrets } from '#server/kit/store/secrets.ts'
import { contentSold, type SoldHashes } from '#server/products/public.ts'
import { personIdOf, personReply } from './reply.ts'
import { type linesOf, type PersonRow, type PolicyRow, versionOf } from './queries.ts'
import { clean } from './sale/registration.ts'
import { findStored } from './stored/queries.ts'

/** Reads the facts of a policy's documents, all in the edition that it was sold with. */
export async function readVersionFacts(
  secrets: Secrets,
  tx: UnitTx,
  policyId: string,
  wanted?: number | null,
): Promise<VersionFacts | undefined> {
  const stored = await findStored(secrets, tx, policyId, wanted)
  if (!stored || stored.policy.status === 'deleted') return undefined
  const { version, settings: unit, lines, people, paidBy } = stored
  const policy = asIn(stored.policy, version)
  if (!policy) return undefined
  // Safe: registration.ts writes it. Versions from before the time zone was kept lack it.
  const { trip, quote, shown, timeZone = unit.timeZone } = version.content as Content
  const soldAt = policy.purchased_at ?? version.at
  return {
    policy: {
      id: policy.id,
      status: policy.status,
      version: policy.version,
      sold_version: policy.sold_version,
      number: policy.number,
      locale: policy.locale,
      seller_id: policy.seller_id,
      reference: policy.reference,
      currency: policy.currency,
      totalCents: policy.total_cents,
      at: policy.version === policy.sold_version ? soldAt : version.at,
      soldAt,
      endedAt: policy.ended_at,
      priceValidUntil: policy.price_valid_until,
      provisional: quote.provisional ?? false,
    },
    seller: { ...unit, timeZone },
    product: await productTexts(tx, policy.product_id, version, stored.hashes),
    trip: {
      ...tripKept(trip),
      startDate: policy.start_date,
      endDate: policy.end_date,
    },
    days: daysBetween(policy.start_date, policy.end_date) + 1,
    price: priceIn(lines, quote.taxes ?? []),
    people: people.map(person => documentPerson(policy.id, person)),
    needs: shown?.at === version.at.toISOString() ? shown.demandsAndNeeds : null,
    paidBy,
  }
}

type Content = { trip: TripSent; quote: Partial<Quote>; shown?: { demandsAndNeeds: string; at?: string }; timeZone?: string }

/** Returns a sold policy as it stood in a version. A version from before the sale has no documents. */
export const asOf = async (tx: UnitTx, now: PolicyRow, version: number): Promise<PolicyRow | undefined> =>
  isSold(now, version) ? asIn(now, await versionOf(tx, { id: now.id, version })) : undefined

const isSold = ({ sold_version: sold, version: last }: PolicyRow, version: number): boolean =>
  sold !== null && version >= sold && version <= last

function asIn(now: PolicyRow, { version, content, total_cents }: Version): PolicyRow | undefined {
  // An unsold quote has only its own version.
  if (version === now.version) return now
  if (!isSold(now, version)) return undefined
  // Safe: registration.ts writes it.
  const { trip, locale } = content as { trip: TripSent & { buReference?: string | null }; locale?: Locale }
  return {
    ...now,
    version,
    total_cents,
    locale: locale ?? now.locale,
    reference: clean(trip.buReference) ?? '',
    start_date: readDate(trip.startDate) ?? now.start_date,
    end_date: readDate(trip.endDate) ?? now.end_date,
  }
}

type Version = Awaited<ReturnType<typeof versionOf>>

async function productTexts(
  tx: UnitTx,
  productId: string,
  { product_version: product, catalogue_version: catalogue, tariff_version: tariff }: Version,
  hashes?: SoldHashes,
): Promise<ProductTexts> {
  const sold = await contentSold(tx, { productId, product, catalogue, tariff }, hashes)
  const { insurer, zones, information, conditions } = sold.common.content
  const described = { product: sold.product, tariff: sold.tariff, insurer, zones }
  return { id: productId, hash: sold.hash, commonHash: sold.common.hash, described, information, conditions }
}

/** Returns the address of the policyholder, if an email can go there. */
export const addressOf = (holder: { email: string | null } | undefined): string | undefined =>
  holder?.email && isOneAddress(holder.email) ? holder.email : undefined

/** Returns what the emails say of the version sold: the insurer's 24-hour number, as the certificate prints it, and its scope. */
export async function mailFacts(tx: UnitTx, policy: Pick<PolicyRow, 'id' | 'version' | 'product_id' | 'locale'>) {
  const version = await versionOf(tx, policy)
  const { described } = await productTexts(tx, policy.product_id, version)
  // Safe: registration.ts writes it.
  const { trip } = version.content as Content
  return mailFactsIn(described, tripKept(trip), policy.locale)
}

/** Returns the same from facts that are already read. */
export const mailFactsIn = (described: ProductTexts['described'], places: Places, locale: Locale) => ({
  assistance: described.insurer.emergencyPhone,
  ...scopeIn(manyTripsIn(described, places), locale),
})

type Places = Parameters<typeof manyTripsIn>[1]

/** Returns the scope of a policy in the form that emails take. */
export const scopeIn = (many: ManyTrips | undefined, locale: Locale) => ({
  trips: many ? 'several' : 'one',
  zone: many?.zone[languageOf(locale)] ?? '',
  tripDays: many?.days ?? 0,
})

/** Returns the price of a version by its lines. The labels and shares of the taxes come from its quote. */
export function priceIn(lines: Awaited<ReturnType<typeof linesOf>>, quoted: Quote['taxes']): Price {
  const sum = (kind: string) => lines.reduce((cents, line) => (line.kind === kind ? cents + line.amount_cents : cents), 0)
  const taxes = lines
    .filter(({ kind }) => kind === 'tax')
    .map(({ code, rate, amount_cents: amount }) => {
      const { label = code ?? '', sharePercent = null } = quoted.find(tax => tax.code === code) ?? {}
      return { code: code ?? '', label, rate: Number(rate ?? 0), sharePercent, amount }
    })
  return { travelPremium: sum('travel'), cancellationPremium: sum('cancellation'), taxes, commission: sum('commission') }
}

type Person = Omit<PersonRow, 'business_unit_id' | 'policy_id' | 'version' | 'premium_cents'>

export const documentPerson = (policyId: string, person: Person): DocumentPerson => ({
  id: personIdOf(policyId, person),
  holder: person.holder,
  traveller: person.traveller,
  isCompany: person.identification_type_id === identificationTypes.company,
  name: fullNameOfRow(person),
  birthDate: person.birth_date,
  documentNumber: person.document_number ?? '',
  hasPassport: person.document_kind === 'passport',
  address: [person.address, [person.zip_code, person.city].filter(Boolean).join(' '), person.state === person.city ? '' : person.state]
    .filter(Boolean)
    .join(', '),
  facts: personReply(person),
})
