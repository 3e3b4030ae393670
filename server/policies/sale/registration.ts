import type { RequestOf } from '#common/kit/call.ts'
import { languageOf, type Locale } from '#common/kit/locales.ts'
import { fromCents, toCents } from '#common/kit/money.ts'
import { composed, joinNames, searchable } from '#common/kit/text.ts'
import { documentNumberSent } from '#common/kit/validators/documents.ts'
import {
  byKind,
  fullNameOfRow,
  type Party,
  type PersonColumns,
  personFieldNames,
  personFields,
  type PersonKind,
} from '#common/people/person.ts'
import type * as calls from '#common/policies/calls.ts'
import { identificationTypes, type PolicyHolderTypeId } from '#common/policies/people.ts'
import type { Price } from '#common/quotes/price-lines.ts'
import type { NewPerson, NewPriceLine, NewVersion, PolicyRow } from '../queries.ts'
import type { Priced } from './pricing.ts'

export type RegisterRequest = RequestOf<typeof calls.registerPolicy>

/** A complete registration, before its rows are written. */
export type Registration = {
  policyId: string
  version: number
  ask: RegisterRequest
  holderType: PolicyHolderTypeId
  priced: Priced
  locale: Locale
  /** The unit's time zone, which the version keeps even if the unit's changes. */
  timeZone: string
  complete: boolean
  seller: { id: string; name: string }
  /** The policy whose next term is offered. */
  renews: string | null
  /** The current user, who may differ from the seller of a replaced quote. */
  userId: string
  /** The author of the version: a user, the client, or the service without a name. */
  by: { userId: string | null; name: string }
  now: Date
}

export type GatewayChoice = { id: string; name: 'Deferred' | 'StripeV2' }
/** A registration that was checked and priced. */
export type CheckedRegistration = Registration & { gateway: GatewayChoice; needsCard: boolean }

/** The columns of a policy that is not sold. */
export const unsold = {
  number: null,
  purchased_at: null,
  paid: null,
  sold_version: null,
  sold_cents: null,
  ended_kind: null,
  ended_at: null,
  cover_ends: null,
  erased_at: null,
  renewal_judged: null,
} satisfies Partial<PolicyRow>

type VersionRow = Omit<NewVersion, 'content'> & { content: Record<string, unknown> }
/** Everything that a policy is sold with. */
type Rows = { policy: RegisteredPolicy; version: VersionRow; people: NewPerson[]; lines: ReturnType<typeof priceLines> }
type RegisteredPolicy = Omit<PolicyRow, 'business_unit_id' | keyof typeof unsold>

export function rowsOf(registration: Registration): Rows {
  const people = peopleOf(registration)
  const { policyId, version, priced } = registration
  const lines = priceLines(
    { policy_id: policyId, version },
    { ...priced.price, commission: priced.commission.amount },
    priced.commission.rate,
  )
  return { policy: policyOf(registration, people), version: versionOf(registration), people, lines }
}

function policyOf(registration: Registration, people: NewPerson[]): RegisteredPolicy {
  const { ask, priced, seller, now } = registration
  const taker = people[0] ? fullNameOfRow(people[0]) : ''
  const names = { product: priced.product.name, taker, seller: seller.name, reference: clean(ask.buReference) ?? '' }
  return {
    id: registration.policyId,
    status: ask.saveBudget === true ? 'budgeted' : 'pending',
    version: registration.version,
    product_id: priced.product.uuid,
    seller_id: seller.id,
    ...namesWithSort(names),
    start_date: ask.startDate,
    end_date: ask.endDate,
    locale: registration.locale,
    currency: priced.currency,
    total_cents: priced.price.total,
    commission_cents: priced.commission.amount,
    complete: registration.complete,
    price_valid_until: priced.validUntil,
    renews: registration.renews,
    created_at: now,
    updated_at: now,
    search: searchTextOf(names, people.map(fullNameOfRow)),
  }
}

type PolicyNames = Record<'product' | 'taker' | 'seller' | 'reference', string>

/** Returns the columns of a policy's names, each with the form by which lists sort. */
export const namesWithSort = ({ product, taker, seller, reference }: PolicyNames) => ({
  product_name: product,
  product_sort: searchable(product),
  taker,
  taker_sort: searchable(taker),
  seller_name: seller,
  seller_sort: searchable(seller),
  reference,
  reference_sort: searchable(reference),
})

/** Returns the text that `searchData` finds: policyholder, seller, product, reference and travellers. The sale adds the number. */
export function searchTextOf({ taker, seller, product, reference }: PolicyNames, people: string[]): string {
  const texts = [taker, seller, product, reference, ...people].map(searchable).filter(Boolean)
  return [...new Set(texts)].join('\n')
}

/** Adds the number to the search text, in lower case. */
export const withNumber = (search: string, number: string): string => `${number.toLowerCase()}\n${search}`

function versionOf({ policyId, version, ask, holderType, priced, locale, timeZone, by, now }: Registration): VersionRow {
  const { users: _, uploadFile: __, version: ___, shown, ...asked } = ask
  // A product without cancellation neither checks nor prices these fields, so they are not stored.
  const cents = toCents(ask.insurancedAmount)
  const trip = priced.product.hasAmountCancellation
    ? { ...asked, ...(cents === undefined ? {} : { insurancedAmount: fromCents(cents) }) }
    : { ...asked, insurancedAmount: null, reservationDate: null }
  return {
    policy_id: policyId,
    version,
    at: now,
    user_id: by.userId,
    role_first_user: holderType,
    pax_number: ask.paxNumber,
    catalogue_version: priced.terms.edition.catalogue,
    product_version: priced.terms.edition.product,
    tariff_version: priced.terms.edition.tariff,
    total_cents: priced.price.total,
    currency: priced.currency,
    content: { trip, quote: priced.quote, locale, language: languageOf(locale), timeZone, ...(shown ? { shown } : {}) },
  }
}

/** users[0] is the policyholder, and a traveller if the type says so. All others travel. */
function peopleOf({ policyId, version, ask, holderType, priced }: Registration): NewPerson[] {
  return ask.users.map((user, position) => {
    const holder = position === 0
    const traveller = !holder || holderType === 1
    const travellerIndex = holderType === 1 ? position : position - 1
    return {
      policy_id: policyId,
      version,
      position,
      holder,
      traveller,
      ...personOf(user, holder && holderType === 3),
      premium_cents: traveller ? (priced.price.perTraveller[travellerIndex]?.premium ?? null) : null,
    }
  })
}

/** Returns the columns of a person, as a form sends one. */
export function personOf(user: Party, isCompany: boolean) {
  const person = columnsOf(user)
  return {
    ...person,
    identification_type_id: isCompany ? identificationTypes.company : identificationTypes.person,
    given_sort: person.name && searchable(joinNames(person.name, person.middle_name, person.last_name)),
    name_sort: searchable(person.company_name ?? joinNames(person.middle_name, person.last_name, person.name)),
  }
}

const columnsOf = (user: Party): PersonColumns =>
  // Safe: each column has the value of its kind.
  Object.fromEntries(personFieldNames.map(field => [personFields[field].column, stored[field](user[field])])) as PersonColumns

/** How the columns store each kind of fact. */
const stored = byKind<Record<PersonKind, (value: unknown) => string | number | null>>({
  text: value => clean(typeof value === 'string' ? value : null),
  documentNumber: value => documentNumberSent(value) || null,
  day: value => (typeof value === 'string' && value) || null,
  country: value => (typeof value === 'number' ? value : null),
  documentKind: value => (value === 'passport' ? 'passport' : 'national'),
})

export const clean = (text: string | null | undefined): string | null => (text ? composed(text) : null)

type PricePart = { kind: NewPriceLine['kind']; code: string | null; rate: number | null; amount_cents: number }

/** Returns the rows of a version's price, in cents. */
export function priceLines(of: { policy_id: string; version: number }, price: Price, commissionRate: number) {
  const { travelPremium, cancellationPremium, taxes, commission } = price
  const lines: PricePart[] = [
    { kind: 'travel', code: null, rate: null, amount_cents: travelPremium },
    { kind: 'cancellation', code: null, rate: null, amount_cents: cancellationPremium },
    ...taxes.map(({ code, rate, amount }) => ({ kind: 'tax' as const, code, rate, amount_cents: amount })),
    { kind: 'commission', code: null, rate: commissionRate, amount_cents: commission },
  ]
  return lines.map((line, position) => ({ ...of, position, ...line }))
}
