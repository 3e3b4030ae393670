import { addDays, today } from '#common/kit/dates.ts'
import { byKind, type PersonField } from '#common/people/person.ts'
import { inLetters, reach } from '#common/policies/testing.ts'
import type { TestApp, TestReply } from '#server/kit/testing.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'

/** A signed-in seller of one unit, with the products on offer and their payment gateways. */
export type Seller = SignedIn & {
  app: TestApp
  products: TestReply['body'][]
  gateway(name: 'Deferred' | 'StripeV2'): string
  country: number
}

export async function sellerOf(app: TestApp, email = 'agent@azahar.example', unit?: string): Promise<Seller> {
  const signedIn = await signIn(app, email, unit)
  const ask = (path: string, body?: unknown) => app.ask(path, { headers: signedIn.headers, ...(body ? { body } : {}) })
  const products = (await ask('/api/products', {})).body.data
  const { configuration } = (await ask('/api/business-unit/settings')).body.data
  return {
    ...signedIn,
    app,
    products,
    country: configuration.country,
    gateway: name => products[0].paymentGateways.find((each: { name: string }) => each.name === name).uuid,
  }
}

export const ana = {
  name: 'Ana',
  middleName: 'García',
  lastName: 'López',
  birthDate: '1990-05-05',
  docNumber: '12345678z',
  identificationTypeId: 3,
}
export const leo = { name: 'Leo', middleName: 'García', lastName: 'Gil', birthDate: '1988-01-01', docNumber: 'X1234567L' }
/** Returns a person like Leo with a passport of their own. */
export const other = (index: number) => ({
  ...leo,
  name: `Leo ${inLetters(index)}`,
  documentKind: 'passport',
  docNumber: `AB${1000 + index}`,
})
export { reach }

/** Returns a person with every fact. Those that are not given are Spanish. */
export const everyFact = <Given extends object>(person: Given): Record<PersonField, string | number> & Given => ({
  ...byKind({ text: 'Dato', documentNumber: '12345678Z', day: '1990-05-05', country: 724, documentKind: 'national' }),
  companyName: '',
  ...person,
})

/** A trip to Spain, with people as an Italian unit sells to them. */
export const italian = {
  users: [
    { ...ana, docNumber: 'RSSMRA85T10A562S' },
    { ...leo, docNumber: 'GRCLEO88A01H501P' },
  ].map(person => ({
    ...person,
    ...reach,
    phonePrefix: '+39',
    phoneNumber: '3123456789',
    zipCode: '00184',
  })),
  countriesDestinationId: '724',
}

/** Returns the request of an eight-day trip to Italy for two, paid on the agency's account. */
export function tripOf(seller: Seller, changes: Record<string, unknown> = {}): Record<string, unknown> {
  const start = addDays(today(new Date(), 'Europe/Madrid'), 11)
  return {
    ...product(seller, 'ESS'),
    saveBudget: false,
    users: [{ ...ana, ...reach }, leo],
    startDate: start,
    endDate: addDays(start, 7),
    paxNumber: 2,
    buReference: 'Expediente Ñ-7',
    paymentGatewayUUID: seller.gateway('Deferred'),
    countryOriginId: seller.country,
    countriesDestinationId: '380',
    roleFirstUser: 1,
    ...('productUUID' in changes ? { insuranceType: seller.products.find(({ uuid }) => uuid === changes['productUUID'])?.id } : {}),
    ...changes,
  }
}

/** Names a product as a sale does. */
function product(seller: Seller, code: string) {
  const { uuid, id } = seller.products.find(product => product.code === code)
  return { productUUID: uuid, insuranceType: id }
}

/** Returns the first day, at least this many days ahead, on which a trip of this length fits into the snow season, November to May. */
export function inSnow(least: number, days: number): number {
  const first = addDays(today(new Date(), 'Europe/Madrid'), least)
  const isSummer = (date: string) => /-(?:0[6-9]|10)-/.test(date)
  return isSummer(first) || isSummer(addDays(first, days - 1)) ? inSnow(least + 1, days) : least
}

/** The changes of `tripOf` for the product for snow. */
export function toSnow(seller: Seller): Record<string, unknown> {
  const start = addDays(today(new Date(), 'Europe/Madrid'), inSnow(11, 8))
  return { ...product(seller, 'SNO'), startDate: start, endDate: addDays(start, 7) }
}

type Headers = Record<string, string>

const post = (seller: Seller, path: string, body: unknown, headers: Headers = {}) =>
  seller.app.ask(path, { body, headers: { ...seller.headers, ...headers } })

export const registerAs = (seller: Seller, changes: Record<string, unknown> = {}, headers?: Headers): Promise<TestReply> =>
  post(seller, '/api/policy/register', tripOf(seller, changes), headers)

export const purchaseAs = (seller: Seller, body: Record<string, unknown>, headers?: Headers): Promise<TestReply> =>
  post(seller, '/api/policy/purchase', { paymentGatewayUUID: seller.gateway('Deferred'), ...body }, headers)

export const deleteAs = (seller: Seller, policyUuid: string): Promise<TestReply> =>
  seller.app.ask('/api/policy', { method: 'DELETE', body: { policyUuid }, headers: seller.headers })

/** Registers and purchases on the agency's account. */
export async function sellAs(seller: Seller, changes: Record<string, unknown> = {}): Promise<TestReply> {
  const { body } = await registerAs(seller, changes)
  return purchaseAs(seller, { purchaseUUID: body.data.purchaseUUID })
}

/** The changes of `tripOf` for a sale of the Italian agency: one traveller to Spain. */
export const fromItaly = {
  users: [{ ...ana, ...reach, docNumber: 'RSSMRA85T10A562S', phonePrefix: '+39', phoneNumber: '3123456789', zipCode: '00184' }],
  paxNumber: 1,
  countriesDestinationId: '724',
}
