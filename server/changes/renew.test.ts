import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '#server/session/testing.ts'
import type { TestReply } from '#server/kit/testing.ts'
import { purchaseAs, registerAs, type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { annual, couple, type RenewalApp, renewalApp, sale, type Sold, tooOld } from './renewal/testing.ts'

let app: RenewalApp
beforeAll(async () => {
  app = await renewalApp()
})
afterAll(() => app.stop())

const renew = ({ seller, policyUuid }: Sold, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.ask('/api/policy/renew', { body: { policyUuid }, headers: { ...seller.headers, ...headers } })
const detailOf = async (seller: Seller, policyUuid: string) =>
  (await app.ask('/api/policy/detail', { body: { policyUuid }, headers: seller.headers })).body.data

describe('the renewal of an annual policy', () => {
  it('is a quote of the next term for the same people, at a price that stands until the last day ends (C137)', async () => {
    const sold = await app.soldUntil('2027-10-31T10:00:00Z')
    const { status, body, text } = await renew(sold)
    expect(status, text).toBe(200)
    expect(body.data).toMatchObject({ total: 282.45, currency: 'EUR', priceValidUntil: '2027-11-30T22:59:59.999Z' })
    expect(body.data.differences).toEqual([
      { what: 'Edad de Ana García López', was: '40', is: '41' },
      { what: 'Edad de Leo García Gil', was: '38', is: '39' },
    ])
    const quote = await detailOf(sold.seller, body.data.policyUuid)
    expect(quote).toMatchObject({
      policy: {
        status: 'budgeted',
        startDate: '2027-12-01',
        endDate: '2028-11-30',
        buReference: 'Expediente Ñ-7',
        username: 'Lucía Ferrer',
      },
      complete: true,
      renews: sold.policyUuid,
    })
    expect(quote.users.map(({ docNumber }: { docNumber: string }) => docNumber)).toEqual(['12345678Z', 'X1234567L'])
    const policy = await detailOf(sold.seller, sold.policyUuid)
    expect(policy).toMatchObject({ renews: null, renewedBy: body.data.policyUuid })
    expect(policy.can).toContainEqual({ action: 'renew', until: '2027-11-30T23:00:00.000Z' })
  })

  it('is made once, also by two requests at once, and again after it was deleted', async () => {
    const sold = await app.soldUntil('2027-10-31T10:00:00Z')
    const replies = await Promise.all([renew(sold), renew(sold), renew(sold)])
    const [first] = new Set(replies.map(({ body }) => body.data?.policyUuid))
    expect(new Set(replies.map(({ status, body }) => [status, body.data?.policyUuid].join()))).toEqual(new Set([`200,${first}`]))
    const { headers } = sold.seller
    await app.ask('/api/policy', { method: 'DELETE', body: { policyUuid: first }, headers })
    const again = await renew(sold)
    expect(again.body.data.policyUuid).not.toBe(first)
    const restored = await app.ask('/api/policy/restore', { body: { policyUuid: first }, headers })
    expect([restored.status, restored.body.error]).toEqual([409, 'request.conflict'])
  })

  it('keeps the end of its price when it is saved again, and is sold by it', async () => {
    const sold = await app.soldUntil('2027-10-31T10:00:00Z')
    const { policyUuid, priceValidUntil } = (await renew(sold)).body.data
    const productUUID = sold.seller.products.find(({ code }) => code === 'ANN').uuid
    const next = { productUUID, ...annual, startDate: '2027-12-01', endDate: '2028-11-30', users: couple, policyUuid }
    const saved = await registerAs(sold.seller, { ...next, saveBudget: true, buReference: 'R 9' })
    expect(saved.status, saved.text).toBe(200)
    expect(await detailOf(sold.seller, policyUuid)).toMatchObject({
      priceValidUntil,
      renews: sold.policyUuid,
      policy: { buReference: 'R 9' },
    })
    app.stopClock('2027-11-30T22:59:59.999Z')
    const seller = await sellerOf(app)
    const registered = await registerAs(seller, { ...next, expectedTotal: 282.45 })
    const bought = await purchaseAs(seller, { purchaseUUID: registered.body.data.purchaseUUID })
    expect([bought.status, bought.body.data.policyData.startDate]).toEqual([200, '2027-12-01'])
    expect((await detailOf(seller, sold.policyUuid)).renewedBy).toBe(policyUuid)
  })

  it('is a quote like any other once it is saved for another trip, and the policy can be renewed again', async () => {
    const sold = await app.soldUntil('2027-10-31T10:00:00Z')
    const { policyUuid } = (await renew(sold)).body.data
    const other = { startDate: '2027-12-01', endDate: '2027-12-08', users: couple, policyUuid, saveBudget: true }
    expect((await registerAs(sold.seller, other)).status).toBe(200)
    const quote = await detailOf(sold.seller, policyUuid)
    expect([quote.renews, Date.parse(quote.priceValidUntil) - app.world.clock.now().getTime() <= 86_400_000]).toEqual([null, true])
    expect((await renew(sold)).body.data.policyUuid).not.toBe(policyUuid)
  })

  it('names each of two people of one name', async () => {
    const twin = { ...couple[1], name: couple[0]?.name, middleName: couple[0]?.middleName, lastName: couple[0]?.lastName }
    const { differences } = (await renew(await app.soldUntil('2027-10-31T10:00:00Z', { users: [couple[0], twin] }))).body.data
    expect(differences.map(({ was }: { was: string }) => was)).toEqual(['40', '38'])
  })

  it.each([
    ['a day too early (C138)', '2027-10-30T10:00:00Z', {}, 409, 'renew.early'],
    ['after its last day', '2027-12-01T10:00:00Z', {}, 409, 'renew.not_renewable'],
    ['for a traveller who will be too old (C139)', '2027-10-31T10:00:00Z', tooOld, 422, 'quote.age'],
  ])('is refused %s, and nothing is saved', async (_, moment, changes, status, code) => {
    const sold = await app.soldUntil(moment, changes)
    const refused = await renew(sold)
    expect([refused.status, refused.body.error]).toEqual([status, code])
    expect(refused.text).not.toContain('refusal.')
    const policy = await detailOf(sold.seller, sold.policyUuid)
    expect(policy.renewedBy).toBeNull()
  })

  it('is refused for a policy of one trip (C140), a quote, and a policy of another unit', async () => {
    app.setClock(sale)
    const seller = await sellerOf(app)
    const single = (await sellAs(seller, { startDate: '2026-12-01', endDate: '2026-12-08' })).body.data.policyData.policyUuid
    const quoted = (await registerAs(seller, { startDate: '2026-12-01', endDate: '2026-12-08', saveBudget: true })).body.data.policyUuid
    const code = async (asked: Parameters<typeof renew>[0]) => (await renew(asked)).body.error
    expect(await code({ seller, policyUuid: single })).toBe('renew.not_renewable')
    expect(await code({ seller, policyUuid: quoted })).toBe('change.not_sold')
    const sold = await app.soldUntil('2027-10-31T10:00:00Z')
    const rival = { ...sold.seller, ...(await signIn(app, 'agent@rotta.example')) }
    expect(await code({ seller: rival, policyUuid: sold.policyUuid })).toBe('request.not_found')
  })
})
