import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countryName } from '#common/geography/countries.ts'
import { existing } from '#common/kit/testing.ts'
import { addDays } from '#common/kit/dates.ts'
import type { Basis } from '#common/quotes/rating/basis.ts'
import { priceTrip } from '#common/quotes/rating/price.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, leo, other, purchaseAs, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'

// A saved quote keeps its price for the unit's hours, whatever is loaded meanwhile.

let app: TestApp
let seller: Seller
let now: Date
const day = '2027-03-01'
const at = async (moment: string) => {
  now = new Date(moment)
  seller = await sellerOf(app)
}
beforeAll(async () => {
  now = new Date(`${day}T08:00:00Z`)
  app = await testApp({}, { clock: { now: () => (now = new Date(now.getTime() + 1)) } })
})
beforeEach(async () => {
  await setHours('azahar', 72)
  await at(`${day}T08:00:00Z`)
})
afterAll(async () => {
  expect(await brokenInvariants(app.world.database)).toEqual([])
  await app.stop()
})

const setHours = (key: string, hours: number) =>
  app.world.database.asService(tx =>
    sql`update business_units set settings = settings || ${JSON.stringify({ quoteHours: hours })}::jsonb, version = version + 1 where key = ${key}`.execute(
      tx,
    ),
  )

const { catalogue } = openCatalogue(join(import.meta.dirname, '../../../catalogue'))
let loads = 0
/** Loads the catalogue with dearer prices everywhere, another tax and other texts. */
async function loadDearer(): Promise<void> {
  const { products, taxes, insurer, units } = existing(catalogue)
  loads += 1
  for (const unit of units) unit.quoteHours = 72
  for (const product of products) {
    product.tariff.version = `2027-01.${loads}`
    product.tariff.ages = product.tariff.ages.map(([from, to, percent]): [number, number, number] => [from, to, percent + 10])
    product.description.es += ' Nuevo.'
  }
  const [line] = taxes['724'] ?? []
  if (line && 'rateBp' in line) line.rateBp += 100
  insurer.legalName += ' II'
  const { problems } = await app.world.database.asService(tx => loadCatalogue(tx, existing(catalogue), now))
  expect(problems).toEqual([])
}

const trip = { startDate: addDays(day, 40), endDate: addDays(day, 47) }
const totalOf = async (changes: Record<string, unknown>) => (await registerAs(seller, { ...trip, ...changes })).body.data.total
const save = async (changes: Record<string, unknown> = {}) =>
  (await registerAs(seller, { ...trip, saveBudget: true, ...changes })).body.data
const detail = async (policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data
const productOf = (code: string) => seller.products.find(each => each.code === code)
const cancellable = (lead: number, reservedAgo = 0) => ({
  productUUID: productOf('TOT').uuid,
  startDate: addDays(day, lead),
  endDate: addDays(day, lead + 7),
  insurancedAmount: 1000,
  reservationDate: addDays(day, -reservedAgo),
})
const validUntil = async (changes: Record<string, unknown> = {}): Promise<string> =>
  (await detail((await save(changes)).policyUuid)).priceValidUntil.slice(0, 16)

describe('a saved quote’s price stands', () => {
  it('for a day, or for the hours that unit and tariff allow', async () => {
    expect(await validUntil()).toBe('2027-03-04T08:00')
    await setHours('azahar', 720)
    expect(await validUntil()).toBe('2027-03-31T08:00')
    await setHours('azahar', 24)
    expect(await validUntil()).toBe('2027-03-02T08:00')
  })

  it.each<[string, () => Record<string, unknown>, string]>([
    ['a step of the lead', () => cancellable(92), '2027-03-02T22:59'],
    ['the first days after the booking', () => cancellable(60, 6), '2027-03-02T22:59'],
    ['the last day on which the trip may begin', () => cancellable(2), '2027-03-02T22:59'],
  ])('not past %s', async (_, changes, until) => expect(await validUntil(changes())).toBe(until))

  it('until the time that its emails and its list say', async () => {
    const { policyUuid } = await save(cancellable(92))
    await app.ask('/api/policy/sendCertificates', { headers: seller.headers, body: { policyUuid, emails: ['until@example.com'] } })
    await app.world.outbox.drain()
    const mail = app.world.database.kysely.selectFrom('mails').select('text_body').where('recipient_address', '=', 'until@example.com')
    expect((await mail.executeTakeFirstOrThrow()).text_body).toContain('válido hasta el 02/03/2027, 23:59 CET.')
  })

  it.each(['priceValidUntil', 'quoteHours', 'validUntil', 'terms', 'tariffVersion'])('whatever a client sends as %s', async field => {
    const { status, body } = await registerAs(seller, { ...trip, saveBudget: true, [field]: '2030-01-01T00:00:00Z' })
    expect([status, body.fields[0].path]).toEqual([422, field])
  })
})

describe('after a load of dearer prices, a saved quote', () => {
  it('insures people of the country of origin, even by older terms', async () => {
    const { policyUuid } = await save()
    await app.world.database.asService(tx =>
      sql`update product_versions set content = content #- '{settings,insures}', hash = hash || '-silent'`.execute(tx),
    )
    await loadDearer()
    const users = [{ ...ana, ...reach, residenceCountryId: 250, documentKind: 'passport', docNumber: 'AB123456', zipCode: '75001' }, leo]
    const { status, body } = await registerAs(seller, { ...trip, policyUuid, users })
    expect([status, body.fields?.[0].path]).toEqual([422, 'users[0].residenceCountryId'])
    const { terms } = await detail(policyUuid)
    expect(terms.basis.settings.insures).toBe('origin')
  })

  it('by an older edition cannot be bought for people who live elsewhere', async () => {
    await app.world.database.asService(tx =>
      sql`update product_versions set content = content #- '{settings,insures}', hash = hash || '-mute'`.execute(tx),
    )
    const abroad = { ...ana, ...reach, documentKind: 'passport', docNumber: 'AB123456', zipCode: '75001', residenceCountryId: 250 }
    const saved = [await save({ users: [abroad, leo] }), await save()]
    await loadDearer()
    const bought = await Promise.all(saved.map(({ purchaseUUID }) => purchaseAs(seller, { purchaseUUID })))
    expect(bought.map(({ status, body }) => [status, body.error])).toEqual([
      [409, 'policy.incomplete'],
      [200, undefined],
    ])
  })

  it('is bought at a floating-point sum, which is stored in cents', async () => {
    const sum = { ...cancellable(92), insurancedAmount: 400 + 751.36 }
    expect(sum.insurancedAmount).not.toBe(1151.36)
    const { policyUuid, total } = await save(sum)
    expect((await detail(policyUuid)).trip.insurancedAmount).toBe(1151.36)
    await loadDearer()
    const { status, body } = await registerAs(seller, { ...sum, policyUuid, expectedTotal: total })
    expect([status, body.data?.total]).toEqual([200, total])
  })

  it('is bought at its price and by its own edition, until its time is over', async () => {
    const [saved, expired] = [await save(), await save()]
    const before = await detail(saved.policyUuid)
    expect(before.terms).toBeNull()
    await loadDearer()
    const dearer = await totalOf({})
    expect(dearer).toBeGreaterThan(saved.total)
    await at('2027-03-04T07:59:00Z')
    const again = await registerAs(seller, { ...trip, policyUuid: saved.policyUuid, expectedTotal: saved.total })
    expect([again.status, again.body.data.total]).toEqual([200, saved.total])
    expect((await purchaseAs(seller, { purchaseUUID: again.body.data.purchaseUUID })).body.data.policyData.total).toBe(saved.total)
    expect(await editionsOf(saved.policyUuid)).toHaveLength(1)
    expect((await detail(saved.policyUuid)).priceValidUntil).toBe(before.priceValidUntil)

    await at('2027-03-04T08:01:00Z')
    expect((await detail(expired.policyUuid)).terms).toBeNull()
    const late = await registerAs(seller, { ...trip, policyUuid: expired.policyUuid, expectedTotal: expired.total })
    expect([late.status, late.body.error, late.body.data.total]).toEqual([409, 'quote.price_changed', dearer])
  })

  it('is bought as it was saved, without being registered again', async () => {
    const saved = await save()
    await loadDearer()
    await at('2027-03-03T08:00:00Z')
    const sold = await purchaseAs(seller, { purchaseUUID: saved.purchaseUUID })
    expect([sold.status, sold.body.data.policyData.total]).toEqual([200, saved.total])
  })

  it('keeps its price when it is saved again, and not for longer', async () => {
    const saved = await save()
    const { priceValidUntil } = await detail(saved.policyUuid)
    await loadDearer()
    await at('2027-03-03T08:00:00Z')
    expect((await save({ policyUuid: saved.policyUuid, buReference: 'again' })).total).toBe(saved.total)
    expect(await detail(saved.policyUuid)).toMatchObject({ priceValidUntil, policy: { buReference: 'again', total: saved.total } })
  })

  it('has a price of today for another trip, or for other ages', async () => {
    const saved = await save()
    await loadDearer()
    const { policyUuid } = saved
    const longer = { endDate: addDays(trip.endDate, 7) }
    const older = { users: [{ ...ana, ...reach, birthDate: '1989-05-05' }, leo] }
    for (const change of [longer, older]) expect(await totalOf({ ...change, policyUuid, saveBudget: true })).toBe(await totalOf(change))
    // By now it is priced like a new quote.
    expect(await totalOf({ policyUuid })).toBe(await totalOf({}))
  })

  it('for a group needs only ages, and is sold at its price with people of these ages', async () => {
    const ages = [45, 45, ...Array<number>(10).fill(16)]
    const group = { productUUID: productOf('GRP').uuid, paxNumber: ages.length }
    const numbers = (await save({ ...group, users: [{}] })).policyUuid
    expect((await detail(numbers)).price.provisional).toBe(true)
    const { policyUuid, total } = await save({ ...group, ages, users: [{}] })
    const saved = await detail(policyUuid)
    expect([saved.price.provisional, saved.trip.ages, saved.users.filter(({ name }: { name: string }) => name)]).toEqual([false, ages, []])
    await loadDearer()
    const unnamed = await registerAs(seller, { ...trip, ...group, users: [{}], policyUuid, expectedTotal: total })
    expect([unnamed.status, unnamed.body.error]).toEqual([422, 'validation.failed'])
    const users = ages.map((age, index) => ({ ...other(index), ...(index === 0 && reach), birthDate: `${2027 - age}-01-01` }))
    const named = await registerAs(seller, { ...trip, ...group, users, policyUuid, expectedTotal: total })
    expect([named.status, named.body.data?.total]).toEqual([200, total])
    expect(await totalOf({ ...group, users })).toBeGreaterThan(total)
    expect((await purchaseAs(seller, { purchaseUUID: named.body.data.purchaseUUID })).body.data.policyData.total).toBe(total)
  })

  it('keeps its price when unknown ages become known', async () => {
    const ages = (birthDate: string | null) => ({ users: [{ ...ana, ...reach, birthDate }, leo] })
    const saved = await save(ages(null))
    const old = await totalOf(ages('1955-05-05'))
    await loadDearer()
    const now = await totalOf({ ...ages('1955-05-05'), policyUuid: saved.policyUuid })
    expect(now).toBe(old)
    expect(now).toBeGreaterThan(saved.total)
  })

  it('shows its seller the figures of its price and the documents for the client', async () => {
    const saved = await save()
    const former = productOf('ESS').files.map(({ file }: { file: string }) => file.slice('/api/files/'.length))
    await loadDearer()
    const { terms } = await detail(saved.policyUuid)
    const asked = { ...trip, origin: 724, destinations: [380], travellers: 2, birthDates: [ana.birthDate, leo.birthDate] }
    // Safe: the contract has the type.
    const { price } = priceTrip(terms.basis as Basis, asked, day, id => countryName(id, 'es-ES'))
    expect((price?.total ?? 0) / 100).toBe(saved.total)
    expect(terms.files).toEqual(former)

    const shown = (files: string[]) => ({ shown: { demandsAndNeeds: 'Cobertura.', files } })
    const { products } = await sellerOf(app)
    const current = products.find(each => each.code === 'ESS').files.map(({ file }: { file: string }) => file.slice('/api/files/'.length))
    const outcome = async (changes: object) => (await registerAs(seller, { ...trip, ...changes })).status
    expect(await outcome({ policyUuid: saved.policyUuid, ...shown(current) })).toBe(422)
    expect(await outcome(shown(former))).toBe(422)
    expect(await outcome(shown(current))).toBe(200)
    expect(await outcome({ policyUuid: saved.policyUuid, ...shown(former) })).toBe(200)
  })

  it('is registered by two requests at once at its price, and sold once', async () => {
    const saved = await save()
    await loadDearer()
    const both = await Promise.all(
      [1, 2].map(() => registerAs(seller, { ...trip, policyUuid: saved.policyUuid, expectedTotal: saved.total })),
    )
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const sold = await Promise.all(both.map(({ body }) => purchaseAs(seller, { purchaseUUID: body.data.purchaseUUID })))
    expect(sold.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })
})

/** Returns the distinct editions of the catalogue by which the versions of a policy were priced. */
const editionsOf = (policyId: string) =>
  app.world.database.kysely
    .selectFrom('policy_versions')
    .select(['product_version', 'catalogue_version', 'tariff_version'])
    .distinct()
    .where('policy_id', '=', policyId)
    .execute()
