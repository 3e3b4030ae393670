import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { ana, deleteAs, leo, purchaseAs, reach, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { giveRoles } from '#server/session/testing.ts'
import { type CardApp, cardApp } from '#server/policies/testing-cards.ts'

let app: CardApp
let seller: Seller
let freelancer: Seller

beforeAll(async () => {
  app = await cardApp()
  seller = await sellerOf(app)
  await giveRoles(app, 'manager@azahar.example', ['freelancer'])
  freelancer = await sellerOf(app, 'manager@azahar.example')
})
afterEach(async () => expect(await brokenInvariants(app.world.database)).toEqual([]))
afterAll(() => app.stop())

const statusOf = async (id: string) =>
  (await app.world.database.kysely.selectFrom('policies').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status

describe('a user limited to own sales', () => {
  it('cannot replace another user’s saved quote, which looks unknown', async () => {
    const { policyUuid } = (await registerAs(seller, { saveBudget: true })).body.data
    const tried = await registerAs(freelancer, { saveBudget: true, policyUuid })
    expect([tried.status, tried.body.error]).toEqual([404, 'request.not_found'])
    const own = (await registerAs(freelancer, { saveBudget: true })).body.data
    expect((await registerAs(freelancer, { saveBudget: true, policyUuid: own.policyUuid })).status).toBe(200)
  })

  it('cannot purchase another user’s policy, sold or not', async () => {
    const { purchaseUUID, policyUuid } = (await registerAs(seller)).body.data
    expect((await purchaseAs(freelancer, { purchaseUUID })).status).toBe(404)
    expect(await statusOf(policyUuid)).toBe('pending')
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
    expect((await purchaseAs(freelancer, { purchaseUUID })).status).toBe(404)
  })
})

describe('a registration (attacks C38 and C40)', () => {
  it.each([
    ['another format', '03/04/1990'],
    ['a day that does not exist', '1990-02-30'],
    ['a timestamp', '1990-02-03T00:00Z'],
  ])('is refused with a birth date as %s, also as a saved quote', async (_what, birthDate) => {
    for (const saveBudget of [false, true]) {
      const tried = await registerAs(seller, { users: [{ ...ana, ...reach, birthDate }, leo], saveBudget })
      expect([tried.status, tried.body.fields[0].path]).toEqual([422, 'users[0].birthDate'])
    }
  })

  it('may lack a birth date as a saved quote', async () => {
    for (const birthDate of ['', null]) {
      const { status } = await registerAs(seller, { users: [{ ...ana, ...reach, birthDate }, leo], saveBudget: true })
      expect(status).toBe(200)
    }
  })

  it('is refused with an impossible trip price, and stores none without cancellation', async () => {
    expect((await registerAs(seller, { insurancedAmount: -5000 })).status).toBe(422)
    const { policyUuid } = (await registerAs(seller, { insurancedAmount: 5000, reservationDate: '2099-01-01' })).body.data
    const { content } = await app.world.database.kysely
      .selectFrom('policy_versions')
      .select('content')
      .where('policy_id', '=', policyUuid)
      .executeTakeFirstOrThrow()
    expect(content).toMatchObject({ trip: { insurancedAmount: null, reservationDate: null } })
  })

  it('is refused when the expected total differs by a fraction of a cent', async () => {
    for (const expectedTotal of [33.755, 33.764])
      for (const saveBudget of [false, true])
        expect((await registerAs(seller, { expectedTotal, saveBudget })).body.error).toBe('quote.price_changed')
  })

  it('accepts a gateway id in upper case', async () => {
    const paymentGatewayUUID = seller.gateway('Deferred').toUpperCase()
    const { purchaseUUID } = (await registerAs(seller, { paymentGatewayUUID })).body.data
    expect((await purchaseAs(seller, { purchaseUUID, paymentGatewayUUID })).status).toBe(200)
  })
})

describe('a gateway that the unit lost (attack C50)', () => {
  it('sells nothing on account, even what was registered before', async () => {
    const { purchaseUUID, policyUuid } = (await registerAs(seller)).body.data
    const allowed = (enabled: boolean) =>
      app.world.database.kysely.updateTable('unit_gateways').set({ enabled }).where('name', '=', 'Deferred').execute()
    await allowed(false)
    const tried = await purchaseAs(seller, { purchaseUUID })
    await allowed(true)
    expect([tried.status, tried.body.error]).toEqual([409, 'policy.not_purchasable'])
    expect(await statusOf(policyUuid)).toBe('pending')
    expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(200)
  })
})

describe('a registration whose response was lost', () => {
  it('is made again by the same key after its deletion', async () => {
    const headers = { 'idempotency-key': 'lost and deleted' }
    const byCard = { paymentGatewayUUID: seller.gateway('StripeV2'), buReference: 'lost-and-deleted' }
    app.network.fault({ fault: 'drop-before', times: 3, method: 'POST', path: '/v1/payment_intents' })
    const lost = await registerAs(seller, byCard, headers)
    expect(lost.status).toBe(503)
    app.network.clearFaults()
    const { id } = await app.world.database.kysely
      .selectFrom('policies')
      .select('id')
      .where('reference', '=', 'lost-and-deleted')
      .executeTakeFirstOrThrow()
    expect((await deleteAs(seller, id)).status).toBe(200)
    const again = await registerAs(seller, byCard, headers)
    expect(again.body).toMatchObject({ code: 200, data: { status: 'pending', clientSecret: expect.stringContaining('_secret_') } })
    expect(again.body.data.policyUuid).not.toBe(id)
  })
})

describe('the audit', () => {
  it('has an entry for every change of a policy', async () => {
    const sold = (await registerAs(seller, { saveBudget: true })).body.data
    const again = (await registerAs(seller, { policyUuid: sold.policyUuid })).body.data
    await purchaseAs(seller, { purchaseUUID: again.purchaseUUID })
    const dropped = (await registerAs(seller, { saveBudget: true })).body.data
    await deleteAs(seller, dropped.policyUuid)
    await app.ask('/api/policy/restore', { body: { policyUuid: dropped.policyUuid }, headers: seller.headers })
    const entries = await app.world.database.kysely
      .selectFrom('audit')
      .selectAll()
      .where('object', 'in', [sold.policyUuid, dropped.policyUuid])
      .orderBy('id')
      .execute()
    expect(entries.map(({ action }) => action)).toEqual([
      'policy.saved',
      'policy.registered',
      'policy.purchased',
      'policy.saved',
      'policy.deleted',
      'policy.restored',
    ])
    for (const entry of entries)
      expect(entry).toMatchObject({
        user_id: seller.user.uuid,
        business_unit_id: seller.user.businessUnits[0].uuid,
        outcome: 'done',
        network: '127.0.0.1',
        request_id: expect.stringMatching(/./),
      })
  })
})
