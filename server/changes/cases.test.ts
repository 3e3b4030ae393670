import { afterAll, beforeAll, expect, test } from 'vitest'
import allCases from '#common/changes/cases.json' with { type: 'json' }
import { toCents } from '#common/kit/money.ts'
import type { TestReply } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { reconcile } from '#server/policies/payment/reconcile.ts'
import { purchaseAs, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { type CardApp, cardApp, payBy } from '#server/policies/testing-cards.ts'

/** The cases of the rules, played through the calls. Each ref and each D… of the file is mapped to a person whom the form takes. */

type Traveller = { ref: string; name?: string; birth?: string; doc?: string | null }
type Stands = { status: string; version: number; premium: number; taxes: Record<string, number>; total: number; commission: number }
type Step = {
  do: string
  at: string
  change?: {
    travellers?: Traveller[]
    destinations?: number[]
    origin?: number
    amount?: number
    contact?: object
    product?: string
    [field: string]: unknown
  }
  expectedVersion?: number
  acceptNoRefund?: boolean
  twin?: boolean
  refundDone?: boolean
  pending?: boolean
  expect: { allowed: boolean; status?: number; code?: string; after?: Stands; [field: string]: unknown }
}
type Trip = {
  origin: number
  destinations: number[]
  startDate: string
  endDate: string
  amount?: number
  reservationDate?: string
  travellers: Traveller[]
}
type Case = {
  id: string
  title: string
  policy: { unit: string; product: string; soldAt: string; gateway?: 'StripeV2'; channel?: string; askedToBegin?: boolean; trip: Trip }
  sold: Stands
  steps: Step[]
}

/** A renewal has no call yet, and a form takes no adult without a document (C039). */
const isPlayable = ({ id, steps }: Case): boolean => id !== 'C039' && steps.every(step => step.do !== 'renew')

// Safe: the file is written so.
const cases = (allCases as unknown as Case[]).filter(isPlayable)

let app: CardApp
let sellers: Record<string, Seller>
beforeAll(async () => {
  // Real time advances by a millisecond at each reading, so the business clock stands at the instants of the cases, and ids keep their order.
  let real = Date.now()
  app = await cardApp({ clock: { now: () => new Date((real += 1)) } })
  sellers = { azahar: await sellerOf(app, 'agent@azahar.example'), rotta: await sellerOf(app, 'agent@rotta.example') }
})
afterAll(() => app.stop())

const letters = (text: string): string => text.replaceAll(/\d/g, digit => String.fromCodePoint(97 + Number(digit)))
const numberOf = (text: string): string => Array.from(text, letter => String(letter.codePointAt(0) ?? 0)).join('')

/** Counts the policies sold: the cases share a database, and equal documents would make duplicates of each other. */
let serial = 100

const userOf = ({ ref, name, birth, doc }: Traveller) => ({
  name: letters(name ?? `Traveller ${ref}`).replaceAll('.', ''),
  middleName: 'García',
  lastName: 'López',
  birthDate: birth,
  ...(doc ? { documentKind: 'passport', docNumber: `AB${serial}${numberOf(doc)}` } : {}),
})

/** The pupils of the file are no policyholders, so their teacher takes the policy out and stays. */
const teacher: Traveller = { ref: 'teacher', name: 'Teacher', birth: '1980-01-15', doc: 'T1' }
const usersOf = (travellers: Traveller[], isGroup: boolean): Traveller[] => (isGroup ? [teacher, ...travellers] : travellers)

const contactIn = (unit: string) => ({
  ...reach,
  ...(unit === 'rotta' ? { phonePrefix: '+39', phoneNumber: '3123456789', zipCode: '00184' } : {}),
})

async function at(instant: string | number): Promise<void> {
  const { status } = await app.ask('/dev/clock', { body: { at: new Date(instant).toISOString() } })
  expect(status).toBe(200)
}

function signedIn(unit: string): Seller {
  const seller = sellers[unit]
  if (!seller) throw new Error(`no seller at ${unit}`)
  return seller
}

async function sellAs(seller: Seller, { policy }: Case): Promise<string> {
  const { trip, unit, product, soldAt, gateway: way = 'Deferred', channel, askedToBegin } = policy
  const { travellers, destinations, origin, amount, ...rest } = trip
  const gateway = seller.gateway(way)
  await at(Date.parse(soldAt) - 1000)
  const { body } = await registerAs(seller, {
    ...rest,
    productUUID: seller.products.find(({ code }) => code === product).uuid,
    roleFirstUser: product === 'GRP' ? 2 : 1,
    users: usersOf(travellers, product === 'GRP').map((traveller, index) => ({
      ...userOf(traveller),
      ...(index === 0 ? contactIn(unit) : {}),
    })),
    paxNumber: travellers.length,
    countryOriginId: origin,
    countriesDestinationId: destinations.join(','),
    ...(amount === undefined ? {} : { insurancedAmount: amount }),
    paymentGatewayUUID: gateway,
    ...(channel === undefined ? {} : { channel, askedToBegin: askedToBegin ?? false }),
  })
  expect(body.error, JSON.stringify(body.fields)).toBeUndefined()
  await at(soldAt)
  if (body.data.clientSecret) await payBy(app, body.data.clientSecret)
  const bought = await purchaseAs(seller, { paymentGatewayUUID: gateway, purchaseUUID: body.data.purchaseUUID })
  return bought.body.data.policyData.policyUuid
}

const post = (seller: Seller, path: string, body: unknown) => app.ask(`/api/policy/${path}`, { body, headers: seller.headers })
const termsOf = async (seller: Seller, policyUuid: string) => (await post(seller, 'change/terms', { policyUuid })).body.data.policy

function stands({
  status,
  version,
  charged,
}: {
  status: string
  version: number
  charged: Stands & { taxes: { code: string; amount: number }[] }
}): Stands {
  const { premium, taxes, total, commission } = charged
  return { status, version, premium, taxes: Object.fromEntries(taxes.map(({ code, amount }) => [code, amount])), total, commission }
}

/** Returns the body of a change. People who are in the policy already have their uuid. */
function changeOf(people: Map<string, string>, asked: NonNullable<Step['change']>) {
  const { travellers, destinations, origin, amount, contact, ...rest } = asked
  const users =
    travellers &&
    usersOf(travellers, people.has(teacher.ref)).map(traveller => ({
      ...(people.has(traveller.ref) ? { personUuid: people.get(traveller.ref) } : {}),
      ...userOf(traveller),
    }))
  const renamed = contact && [...people.values()].map((personUuid, index) => ({ personUuid, ...(index === 0 ? contact : {}) }))
  return {
    ...rest,
    ...(users ? { users } : renamed ? { users: renamed } : {}),
    ...(destinations ? { countriesDestinationId: destinations.join(',') } : {}),
    ...(origin ? { countryOriginId: origin } : {}),
    ...(amount ? { insurancedAmount: amount } : {}),
  }
}

type Played = { seller: Seller; policyUuid: string; version: number; people: Map<string, string>; byCard: boolean }

/** Pays a step that waits for its payment, as the browser does. */
async function paid(seller: Seller, asked: TestReply): Promise<TestReply> {
  const { state, clientSecret, changeUuid } = asked.body.data ?? {}
  if (state !== 'awaiting_payment') return asked
  await payBy(app, clientSecret)
  return post(seller, 'change/pay', { changeUuid })
}

/** Previews a step and then makes it, with the money that the preview says. */
async function play({ seller, policyUuid, version, people, byCard }: Played, step: Step) {
  const on = { policyUuid, version }
  const settle = { paymentGatewayUUID: seller.gateway(byCard ? 'StripeV2' : 'Deferred') }
  if (step.do === 'amend') {
    const change = changeOf(people, step.change ?? {})
    const preview = await post(seller, 'change/preview', { ...on, change })
    const { difference, charge = 0 } = preview.body.data ?? {}
    const made = await post(seller, 'change', {
      ...on,
      change,
      expectedDifference: difference?.total ?? 0,
      ...(charge > 0 ? { settle } : {}),
    })
    return { preview: preview.body.data, made: step.pending ? made : await paid(seller, made) }
  }
  if (step.do === 'reinstate') {
    const preview = await post(seller, 'reinstate/preview', on)
    return {
      preview: preview.body.data,
      made: await paid(seller, await post(seller, 'reinstate', { ...on, expectedCharge: preview.body.data.charge, settle })),
    }
  }
  const as = step.do === 'withdraw' ? 'withdrawal' : 'cancellation'
  const preview = (await post(seller, 'cancel/preview', { ...on, as })).body.data
  const ask = { ...on, as, reason: 'other', acceptNoRefund: step.acceptNoRefund ?? false, expectedRefund: preview.refund }
  return { preview, made: await post(seller, 'cancel', ask) }
}

/** Files a claim as an agent does. */
async function claim(seller: Seller, policyUuid: string, incidentDate: string): Promise<void> {
  const { data } = (await post(seller, 'detail', { policyUuid })).body
  const types = (await app.ask('/api/tickets/types', { headers: seller.headers })).body.data
  const filed = await app.ask('/api/tickets/claims', {
    headers: seller.headers,
    body: {
      typeUuid: types.find(({ kind }: { kind: string }) => kind === 'claim').uuid,
      policyNumber: data.policy.policyNumber,
      incidentDate,
      subject: 'A claim',
      description: 'What happened, in some words.',
      contactEmail: reach.email,
      contactPhone: '+34612345678',
    },
  })
  expect([filed.status, filed.body.fields]).toEqual([200, undefined])
}

test.each(cases.map(each => [each.id, each.title, each] as const))('%s: %s', async (_id, _title, example) => {
  const { unit, trip } = example.policy
  serial += 1
  const seller = signedIn(unit)
  const policyUuid = await sellAs(seller, example)
  const sold = await termsOf(seller, policyUuid)
  expect(stands(sold)).toEqual(example.sold)
  const people = new Map<string, string>(
    usersOf(trip.travellers, example.policy.product === 'GRP').map(({ ref }, index) => [ref, sold.people[index].personUuid]),
  )
  for (const step of example.steps) {
    await at(step.at)
    if (step.do === 'claim') {
      await claim(seller, policyUuid, step.at.slice(0, 10))
      continue
    }
    if (step.twin) {
      await sellAs(seller, example)
      await at(step.at)
    }
    if (step.refundDone !== false) await reconcile(app.sales)
    const byCard = example.policy.gateway === 'StripeV2'
    // The first of two changes is requested, and waits for its payment.
    if (step.pending) await play({ seller, policyUuid, version: 1, people, byCard }, step)
    const before = await termsOf(seller, policyUuid)
    const { preview, made } = await play({ seller, policyUuid, version: step.expectedVersion ?? before.version, people, byCard }, step)
    const after = await termsOf(seller, policyUuid)
    if (!step.expect.allowed) {
      expect([made.status, made.body.error]).toEqual([step.expect.status, step.expect.code])
      expect(after).toEqual(before)
      continue
    }
    expect(made.body.error, JSON.stringify(made.body.fields)).toBeUndefined()
    const { charge, refund, difference, commission, kept = 0 } = step.expect
    expect(
      [preview.charge, preview.refund, preview.difference.total, preview.commission.amount, preview.kept?.amount ?? 0].map(toCents),
    ).toEqual([charge, refund, difference, commission, kept])
    expect(stands(after)).toEqual(step.expect.after)
    if (step.do === 'cancel') {
      const state = refund === 0 ? 'none' : byCard ? 'due' : 'done'
      expect(made.body.data.refund).toEqual({ amount: preview.refund, state, routes: preview.routes })
    }
  }
})

test('no invariant is broken once the documents and emails of all cases are made', async () => {
  await app.world.outbox.drain()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
