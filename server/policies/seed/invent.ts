import { entriesOfSale } from '#common/accounting/book.ts'
import { addDays, daysBetween, today } from '#common/kit/dates.ts'
import type { Random } from '#common/kit/random.ts'
import { fromCents } from '#common/kit/money.ts'
import { searchable } from '#common/kit/text.ts'
import { policyNumber } from '#common/policies/number.ts'
import type { Quote } from '#common/quotes/schemas.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import { columnsOf } from '#server/accounting/public.ts'
import type { SealedNumber } from '#server/kit/sealed/document-numbers.ts'
import { namesWithSort } from '../sale/registration.ts'

type Seller = { id: string; name: string }
type Offered = { id: string; name: string; version: number; tariffVersion: string; commission: number }

/** The data that all invented policies share. */
export type SeedContext = {
  products: Offered[]
  sellers: Seller[]
  gatewayId: string
  country: number
  timeZone: string
  locale: string
  currency: string
  catalogueVersion: number
  sealed: (policyId: string, number: string) => SealedNumber
}

/** The rows of one policy, by table. */
export type InventedRows = Record<
  'policies' | 'policy_versions' | 'policy_people' | 'policy_price_lines' | 'policy_history' | 'money_book' | 'payments',
  Record<string, Value>[]
>

export type Value = string | number | boolean | Date | Buffer | null

const statuses: StoredStatus[] = [
  'budgeted',
  'budgeted',
  'budgeted',
  'budgeted',
  'budgeted',
  'budgeted',
  'budgeted',
  'pending',
  'cancelled',
]

/** Returns a random status: some ninety percent are sold. */
const statusOf = (random: Random): StoredStatus => statuses[random.below(100)] ?? 'purchased'

/** Invents a policy sold at that moment. `index` gives its number in the unit. */
export function invent(context: SeedContext, random: Random, moment: number, index: number): InventedRows {
  const { currency } = context
  const status = statusOf(random)
  const isPaid = status === 'purchased' || status === 'cancelled'
  const product = random.oneOfCommon(context.products)
  const seller = random.oneOfCommon(context.sellers)
  const id = random.id(moment)
  const people = peopleOf(random, id)
  // Safe: there is at least one person.
  const taker = fullName(people[0] as Person)
  const at = new Date(moment)
  const start = addDays(today(at, context.timeZone), 1 + random.below(180))
  const end = addDays(start, 2 + random.below(28))
  const premium = (900 + random.below(6000)) * people.length
  const tax = Math.round(premium * 0.08)
  const total = premium + tax
  const commission = Math.round((premium * product.commission) / 100)
  const reference = `EXP-${String(index).padStart(7, '0')}`
  const number = isPaid ? policyNumber(index) : null
  const texts = [number ?? '', taker, seller.name, product.name, reference, ...people.map(fullName)]
  const paymentId = random.id(moment)
  const bookingId = random.id(moment)
  const own = { policy_id: id, version: 1 }
  const money = { amount_cents: total, currency }
  return {
    policies: [
      {
        id,
        status,
        version: 1,
        number,
        product_id: product.id,
        seller_id: seller.id,
        ...namesWithSort({ product: product.name, taker, seller: seller.name, reference }),
        start_date: start,
        end_date: end,
        locale: context.locale,
        currency,
        total_cents: total,
        commission_cents: commission,
        complete: true,
        price_valid_until: new Date(moment + 30 * 86_400_000),
        created_at: at,
        updated_at: at,
        purchased_at: isPaid ? at : null,
        sold_version: isPaid ? 1 : null,
        sold_cents: isPaid ? total : null,
        search: [...new Set(texts.map(searchable).filter(Boolean))].join('\n'),
      },
    ],
    policy_versions: [
      {
        ...own,
        at,
        user_id: seller.id,
        role_first_user: 1,
        pax_number: people.length,
        catalogue_version: context.catalogueVersion,
        product_version: product.version,
        tariff_version: product.tariffVersion,
        total_cents: total,
        currency,
        content: JSON.stringify(contentOf(context, product, { id, start, end, at, reference, many: people.length, premium, tax })),
      },
    ],
    policy_people: people.map((person, position) => ({
      ...own,
      position,
      ...person,
      ...context.sealed(id, person.document_number),
      premium_cents: premium / people.length,
    })),
    policy_price_lines: [
      { kind: 'travel', code: null, rate: null, amount_cents: premium },
      { kind: 'cancellation', code: null, rate: null, amount_cents: 0 },
      { kind: 'tax', code: 'IPS', rate: 8, amount_cents: tax },
      { kind: 'commission', code: null, rate: product.commission, amount_cents: commission },
    ].map((line, position) => ({ ...own, position, ...line })),
    policy_history: eventsTo(status).map((what, step) => ({
      policy_id: id,
      id: random.id(moment + step),
      at: new Date(moment + step),
      user_id: seller.id,
      user_name: seller.name,
      what,
      details: '{}',
    })),
    money_book: isPaid
      ? [
          {
            id: bookingId,
            at,
            kind: 'sale',
            policy_id: id,
            policy_version: 1,
            payment_id: paymentId,
            product_id: product.id,
            seller_id: seller.id,
            currency,
            ...columnsOf(
              entriesOfSale({
                lines: { premium, taxes: [{ code: 'IPS', amount: tax }], commission },
                way: { gateway: 'Deferred', amount: total },
              }),
            ),
          },
        ]
      : [],
    payments: [
      {
        id: paymentId,
        policy_id: id,
        policy_version: 1,
        gateway: 'Deferred',
        gateway_id: context.gatewayId,
        user_id: seller.id,
        ...money,
        state: isPaid ? 'settled' : 'open',
        idempotency_key: `purchase-${paymentId}`,
        received_cents: 0,
        refunded_cents: 0,
        created_at: at,
        settled_at: isPaid ? at : null,
      },
    ],
  }
}

/** Returns the events that lead to a status. */
function eventsTo(status: StoredStatus): string[] {
  if (status === 'budgeted') return ['saved']
  return ['registered', ...(status === 'pending' ? [] : ['purchased']), ...(status === 'cancelled' ? ['cancelled'] : [])]
}

type Person = ReturnType<typeof personOf>

function peopleOf(random: Random, policyId: string): Person[] {
  const many = 1 + random.below(3)
  const family = random.oneOfCommon(surnames)
  return Array.from({ length: many }, (_, position) => personOf(random, policyId, family, position))
}

function personOf(random: Random, policyId: string, family: string, position: number) {
  const [name, other] = [random.oneOfCommon(givenNames), random.oneOfCommon(surnames)]
  const isHolder = position === 0
  const digits = String(random.below(99_999_999)).padStart(8, '0')
  const city = random.oneOfCommon(places)
  const reach = {
    email: `${searchable(name)}.${policyId.slice(0, 8)}@example.com`,
    phone_prefix: '+34',
    phone_number: `6${String(random.below(99_999_999)).padStart(8, '0')}`,
    address: `Calle ${random.oneOfCommon(surnames)} ${1 + random.below(90)}`,
    ...city,
  }
  const nowhere = { email: null, phone_prefix: null, phone_number: null, address: null, city: null, state: null, zip_code: null }
  return {
    holder: isHolder,
    traveller: true,
    name,
    middle_name: family,
    last_name: other,
    company_name: null,
    birth_date: addDays('1950-01-01', random.below(20_000)),
    document_number: `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23]}`,
    identification_type_id: 3,
    ...(isHolder ? reach : nowhere),
    given_sort: searchable(`${name} ${family} ${other}`),
    name_sort: searchable(`${family} ${other} ${name}`),
  }
}

const fullName = ({ name, middle_name, last_name }: Person): string => `${name} ${middle_name} ${last_name}`

type Sold = { id: string; start: string; end: string; at: Date; reference: string; many: number; premium: number; tax: number }

function contentOf({ country, locale, gatewayId, currency }: SeedContext, product: Offered, sold: Sold) {
  const { id, start, end, at, reference, many, premium, tax } = sold
  const trip = {
    productUUID: product.id,
    startDate: start,
    endDate: end,
    paxNumber: many,
    buReference: reference,
    paymentGatewayUUID: gatewayId,
    countryOriginId: country,
    countriesDestinationId: '380',
    roleFirstUser: 1,
  }
  const quote: Quote = {
    quoteUUID: id,
    productUUID: product.id,
    startDate: start,
    endDate: end,
    currency,
    total: fromCents(premium + tax),
    premium: fromCents(premium),
    travelPremium: fromCents(premium),
    cancellationPremium: 0,
    taxes: [{ code: 'IPS', label: 'IPS', rate: 8, sharePercent: 100, amount: fromCents(tax) }],
    commission: { rate: product.commission, amount: fromCents(Math.round((premium * product.commission) / 100)) },
    travelDays: daysBetween(start, end) + 1,
    zone: 'europe',
    perTraveller: Array.from({ length: many }, () => ({ birthDate: null, premium: fromCents(premium / many) })),
    provisional: false,
    validUntil: at.toISOString(),
  }
  return { trip, quote, locale, language: locale.slice(0, 2) }
}

/** Names, the most common first. */
const surnames = `
  García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Hernández Díaz Moreno Muñoz
  Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez
  Ortega Delgado Castro Ortiz Rubio Marín Sanz Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano
  Prieto Méndez Cruz Calvo Gallego Vidal León Márquez Herrera Peña Flores Cabrera Campos Vega Fuentes Carrasco Díez Reyes
  Caballero Nieto Aguilar Pascual Santana Herrero Lorenzo Montero Hidalgo Giménez Ibáñez Ferrer Durán Santiago Benítez
  Mora Vicente Vargas Arias Carmona Crespo Román Pastor Soto Sáez Velasco Moya Soler Parra Esteban Bravo Gallardo Rojas
  Zubizarreta Etxeberria Bermejo Quintanilla Villanueva Urrutia
`
  .trim()
  .split(/\s+/)

const givenNames = `
  María Antonio Carmen José Ana Manuel Isabel Francisco Laura David Cristina Juan Marta Javier Lucía Daniel Elena Carlos
  Raquel Miguel Pilar Alejandro Sara Rafael Paula Pedro Mercedes Ángel Rosa Pablo Beatriz Sergio Teresa Fernando Julia
  Jorge Silvia Luis Irene Alberto Alba Álvaro Nuria Diego Andrea Adrián Inés Raúl Noelia Iván Begoña Rubén Olga Óscar
  Amparo Ramón Eva Íñigo
`
  .trim()
  .split(/\s+/)

const places = [
  { city: 'Madrid', state: 'Madrid', zip_code: '28001' },
  { city: 'Barcelona', state: 'Barcelona', zip_code: '08001' },
  { city: 'València', state: 'València/Valencia', zip_code: '46001' },
  { city: 'Sevilla', state: 'Sevilla', zip_code: '41001' },
  { city: 'Zaragoza', state: 'Zaragoza', zip_code: '50001' },
  { city: 'Málaga', state: 'Málaga', zip_code: '29001' },
  { city: 'Bilbao', state: 'Bizkaia', zip_code: '48001' },
]
