import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { existing } from '#common/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { intentOf, payBy } from '#server/policies/testing-cards.ts'
import { deleteAs, registerAs, sellerOf } from '#server/policies/testing.ts'
import { openCatalogue } from '#server/products/catalogue/check.ts'
import { loadCatalogue } from '#server/products/catalogue/load.ts'
import { openRenewals } from './night.ts'
import { annual, couple, type RenewalApp, renewalApp, type Sold } from './testing.ts'

let app: RenewalApp
beforeAll(async () => {
  app = await renewalApp()
})
afterEach(async () => {
  expect(await brokenInvariants(app.world.database)).toEqual([])
})
afterAll(() => app.stop())

async function playNight(moment: string): Promise<void> {
  app.setClock(moment)
  await openRenewals(app.world)()
  await app.world.outbox.drain()
}

const renewalsOf = ({ policyUuid }: Sold) =>
  app.world.database.asService(tx =>
    tx
      .selectFrom('policies')
      .select(['id', 'status', 'reference', 'total_cents'])
      .where('renews', '=', policyUuid)
      .orderBy('created_at')
      .execute(),
  )

const post = async ({ seller }: Sold, path: string, body: object) =>
  (await app.ask(`/api/policy/${path}`, { body, headers: seller.headers })).body

/** Sells a policy, and plays the first night in which it is renewed. */
async function renewed(): Promise<Sold & { renewal: string }> {
  const { policyUuid } = await app.soldUntil('2027-10-31T06:00:00Z')
  await playNight('2027-10-31T06:00:00Z')
  const sold = { policyUuid, seller: await sellerOf(app) }
  const [renewal] = await renewalsOf(sold)
  return { ...sold, renewal: renewal?.id ?? '' }
}

/** Loads the catalogue with higher prices. */
async function loadDearer(): Promise<void> {
  const { catalogue } = openCatalogue(join(import.meta.dirname, '../../../catalogue'))
  const loaded = existing(catalogue)
  for (const { tariff } of loaded.products) {
    tariff.version = 'dearer'
    if (tariff.base.kind === 'term') for (const net of Object.values(tariff.base.net)) net.couple += 1000
  }
  await app.world.database.asService(tx => loadCatalogue(tx, loaded, app.world.clock.now()))
}

const changeReference = (sold: Sold) =>
  post(sold, 'change', { policyUuid: sold.policyUuid, version: 1, change: { buReference: 'R 9' }, expectedDifference: 0 })

/** Registers the renewal for a sale by card. */
async function beginToPay({ seller, renewal }: Sold & { renewal: string }): Promise<string> {
  const productUUID = seller.products.find(({ code }) => code === 'ANN').uuid
  const next = { productUUID, ...annual, startDate: '2027-12-01', endDate: '2028-11-30', users: couple }
  const registered = await registerAs(seller, { ...next, policyUuid: renewal, paymentGatewayUUID: seller.gateway('StripeV2') })
  expect(registered.status, registered.text).toBe(200)
  return registered.body.data.clientSecret
}

it('a changed policy loses its unsold renewal, and gets another in the next night', async () => {
  const sold = await renewed()
  expect((await changeReference(sold)).data).toMatchObject({ state: 'done' })
  await app.world.outbox.drain()
  expect(await renewalsOf(sold)).toMatchObject([{ id: sold.renewal, status: 'deleted' }])
  await playNight('2027-11-01T06:00:00Z')
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }, { status: 'budgeted', reference: 'R 9' }])
  await playNight('2027-11-02T06:00:00Z')
  expect(await renewalsOf(sold)).toHaveLength(2)
})

it('a policy that was ended loses its unsold renewal for good', async () => {
  const sold = await renewed()
  const { data } = await post(sold, 'cancel/preview', { policyUuid: sold.policyUuid, version: 1 })
  const ended = await post(sold, 'cancel', { policyUuid: sold.policyUuid, version: 1, expectedRefund: data.refund, reason: 'other' })
  expect(ended.data).toMatchObject({ state: 'done' })
  await app.world.outbox.drain()
  await playNight('2027-11-01T06:00:00Z')
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }])
})

it('a renewal that an agent asks for replaces an outdated one at once', async () => {
  const sold = await renewed()
  await changeReference(sold)
  await post(sold, 'renew', { policyUuid: sold.policyUuid })
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }, { status: 'budgeted', reference: 'R 9' }])
  await app.world.outbox.drain()
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }, { status: 'budgeted' }])
})

it('an outdated renewal is not sold, not by an agent either', async () => {
  const sold = await renewed()
  await changeReference(sold)
  const productUUID = sold.seller.products.find(({ code }) => code === 'ANN').uuid
  const next = { productUUID, ...annual, startDate: '2027-12-01', endDate: '2028-11-30', users: couple, policyUuid: sold.renewal }
  expect((await registerAs(sold.seller, next)).body.error).toBe('request.conflict')
})

it('an outdated renewal is not restored', async () => {
  const sold = await renewed()
  await changeReference(sold)
  await app.world.outbox.drain()
  expect((await post(sold, 'restore', { policyUuid: sold.renewal })).error).toBe('request.conflict')
})

it('an accepted renewal that a change ends is a task for the agent', async () => {
  const sold = await renewed()
  const { kysely } = app.world.database
  const answer = { decision: 'accepted', decided_policy: sold.renewal, decided_at: app.world.clock.now() } as const
  await kysely
    .updateTable('quote_links')
    .set(answer)
    .where('id', 'in', kysely.selectFrom('quote_link_policies').select('link_id').where('policy_id', '=', sold.renewal))
    .execute()
  await changeReference(sold)
  await app.world.outbox.drain()
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }])
  const { tasks } = (await app.ask('/api/policy/day', { headers: sold.seller.headers })).body.data
  expect(tasks.items).toContainEqual(expect.objectContaining({ kind: 'renewal_outdated', policyUuid: sold.policyUuid }))
})

it('a payment that has begun is cancelled at the network before its outdated renewal is deleted', async () => {
  const sold = await renewed()
  const secret = await beginToPay(sold)
  await changeReference(sold)
  await app.world.outbox.drain()
  expect(intentOf(app, secret)?.status).toBe('canceled')
  expect(await renewalsOf(sold)).toMatchObject([{ status: 'deleted' }])
})

it('an outdated renewal that was paid stands, and is a task for the agent', async () => {
  const sold = await renewed()
  await payBy(app, await beginToPay(sold))
  await changeReference(sold)
  await app.world.outbox.drain()
  expect(await renewalsOf(sold)).toMatchObject([{ id: sold.renewal, status: 'purchased' }])
  const tasksOf = async () => (await app.ask('/api/policy/day', { headers: sold.seller.headers })).body.data.tasks.items
  const task = { kind: 'renewal_outdated', policyUuid: sold.renewal }
  expect(await tasksOf()).toContainEqual(expect.objectContaining(task))
  await post(sold, 'detail', { policyUuid: sold.renewal })
  expect(await tasksOf()).not.toContainEqual(expect.objectContaining(task))
})

it('another renewal costs what the replaced one did, whatever was loaded meanwhile', async () => {
  const sold = await renewed()
  const totals = async (of: Sold) => (await renewalsOf(of)).map(({ total_cents }) => total_cents)
  const [promised = 0] = await totals(sold)
  const other = await app.soldUntil('2027-10-31T06:00:00Z')
  await loadDearer()
  await changeReference({ ...sold, seller: other.seller })
  await app.world.outbox.drain()
  await playNight('2027-11-01T06:00:00Z')
  expect(await totals(sold)).toEqual([promised, promised])
  const [dearer = 0] = await totals(other)
  expect(dearer).toBeGreaterThan(promised)
  // The agent deletes it: nothing has outdated it, and another one costs what it does today.
  const seller = await sellerOf(app)
  await deleteAs(seller, (await renewalsOf(sold)).at(-1)?.id ?? '')
  await post({ ...sold, seller }, 'renew', { policyUuid: sold.policyUuid })
  expect(await totals(sold)).toEqual([promised, promised, dearer])
})
