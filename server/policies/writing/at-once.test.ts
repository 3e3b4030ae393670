import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { recordStatements, type Statement } from '#testing/recorder.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { openApp } from '#server/app.ts'
import { inProcess, type TestApp, type TestReply, testApp, testConfig } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { purchaseAs, registerAs, type Seller, sellerOf } from '#server/policies/testing.ts'
import { demoScope } from '#server/session/testing.ts'

// The statement that writes compares the revisions of everything that was judged. So each test changes something in between, as another node would.

let app: TestApp
let seller: Seller
const recorded: Statement[] = []

beforeAll(async () => {
  app = await testApp({ DOCUMENTS_WAIT_MS: '0' })
  seller = await sellerOf(app)
  recordStatements(app.world.database.pool, recorded)
  // From now on this node knows the unit's catalogue, and has numbers.
  await buy(await register())
})
afterEach(async () => expect(await brokenInvariants(app.world.database)).toEqual([]))
afterAll(() => app.stop())

const key = () => ({ 'idempotency-key': crypto.randomUUID() })
const register = (headers = key(), changes: Record<string, unknown> = {}) => registerAs(seller, changes, headers)
const buy = ({ body }: TestReply, headers = key()) => purchaseAs(seller, { purchaseUUID: body.data.purchaseUUID }, headers)
const inUnit = <T>(work: (tx: UnitTx) => Promise<T>) => app.world.database.inScope(demoScope('azahar'), work)
const asService = (text: string) => app.world.database.asService(tx => sql.raw(text).execute(tx))
const azahar = `(select id from business_units where key = 'azahar')`
const essential = () => `(select id from products where code = 'ESS')`

/** Changes what this node knows, and changes it back afterwards. */
async function whileChanged(change: string, back: string, work: () => Promise<void>): Promise<void> {
  await register()
  await asService(change)
  try {
    await work()
  } finally {
    await asService(back)
  }
}

/** Returns how often a movement was written by what `work` sends. */
async function calls(work: () => Promise<TestReply>): Promise<[number, TestReply]> {
  recorded.length = 0
  const reply = await work()
  return [recorded.filter(({ text }) => text.includes('write_movement')).length, reply]
}

const rowsOf = async (table: 'policies' | 'payments' | 'idempotency') =>
  inUnit(
    async tx =>
      (
        await tx
          .selectFrom(table)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
  )

test('each call of a sale is one statement', async () => {
  // After a change of the agency, the first sale reads what the next ones remember.
  await buy(await register())
  const [registered, reply] = await calls(register)
  expect(recorded.filter(({ text }) => /insert|update/.test(text))).toEqual([])
  const [settled, bought] = await calls(() => buy(reply))
  expect(recorded.filter(({ text }) => /insert|update/.test(text))).toEqual([])
  expect([registered, settled, bought.status]).toEqual([1, 1, 200])
})

const offer = (set: string) => `update unit_products set ${set} where business_unit_id = ${azahar} and product_id = ${essential()}`

test('a sale uses a commission that was changed meanwhile', async () => {
  const { commission_percent } = await inUnit(tx =>
    tx
      .selectFrom('unit_products')
      .innerJoin('products', 'products.id', 'unit_products.product_id')
      .where('products.code', '=', 'ESS')
      .select('commission_percent')
      .executeTakeFirstOrThrow(),
  )
  await whileChanged(offer('commission_percent = 7'), offer(`commission_percent = ${commission_percent}`), async () => {
    const [times, reply] = await calls(register)
    const lines = await inUnit(tx =>
      tx
        .selectFrom('policy_price_lines')
        .select('rate')
        .where('policy_id', '=', reply.body.data.policyUuid)
        .where('kind', '=', 'commission')
        .execute(),
    )
    expect([times, lines.map(({ rate }) => Number(rate))]).toEqual([2, [7]])
  })
})

const gateway = (set: string) => `update unit_gateways set ${set} where business_unit_id = ${azahar} and name = 'Deferred'`
const withdrawn = [
  ['product', offer, 404],
  ['gateway', gateway, 422],
] as const

test.each(withdrawn)('a %s that was withdrawn meanwhile is not registered', async (_, change, status) => {
  await whileChanged(change('enabled = false'), change('enabled = true'), async () => expect((await register()).status).toBe(status))
})

test.each(withdrawn)('a %s that was withdrawn meanwhile is not sold', async (_, change) => {
  const before = await register()
  await whileChanged(change('enabled = false'), change('enabled = true'), async () =>
    expect((await buy(before)).body.error).toBe('policy.not_purchasable'),
  )
  expect((await buy(before)).status).toBe(200)
})

test('a price of replaced content is computed again', async () => {
  await asService(`
    insert into product_versions (product_id, version, loaded_at, hash, content)
    select product_id, version + 1, loaded_at, hash || '.2', jsonb_set(content, '{name,es}', '"Otro"') from product_versions
    where product_id = ${essential()} and version = (select version from products where code = 'ESS')`)
  const version = (by: number) => `update products set version = version + ${by} where code = 'ESS'`
  await whileChanged(version(1), version(-1), async () => {
    const [times, reply] = await calls(register)
    const { product_name } = await inUnit(tx =>
      tx.selectFrom('policies').select('product_name').where('id', '=', reply.body.data.policyUuid).executeTakeFirstOrThrow(),
    )
    expect([times, product_name]).toEqual([2, 'Otro'])
  })
})

test('a price of replaced common content is computed again', async () => {
  await register()
  await asService(`
    insert into catalogue_versions (version, loaded_at, hash, content)
    select version + 1, loaded_at, hash || '.2', content from catalogue_versions order by version desc limit 1`)
  const [times, { status }] = await calls(register)
  expect([times, status]).toEqual([2, 200])
})

test('the jobs of a sale are taken once it is written, and not before', async () => {
  const jobsFor = app.world.outbox.jobsFor.bind(app.world.outbox)
  const published = vi.fn()
  vi.spyOn(app.world.outbox, 'jobsFor').mockImplementation((...jobs) => ({ ...jobsFor(...jobs), published }))
  const same = key()
  const registered = await register()
  expect((await buy(registered, same)).status).toBe(200)
  expect(published).toHaveBeenCalledTimes(1)
  const other = await register()
  expect((await buy(other, same)).body.error).toBe('idempotency.mismatch')
  expect(published).toHaveBeenCalledTimes(1)
})

test('a registration is checked by settings that were changed meanwhile', async () => {
  const set = (value: string) =>
    `update business_units set settings = settings || '{"earliestBirthDate": "${value}"}', version = version + 1 where key = 'azahar'`
  await whileChanged(set('1999-01-01'), set('1945-01-01'), async () => {
    const { status, body } = await register()
    expect([status, body.fields?.[0]?.path]).toEqual([422, 'users[0].birthDate'])
  })
})

test('a purchase uses settings that were changed since the registration', async () => {
  const before = await register()
  await asService(`update business_units set version = version + 1 where key = 'azahar'`)
  const [times, { status }] = await calls(() => buy(before))
  expect([times, status]).toEqual([2, 200])
})

test('a policy that was changed meanwhile is judged again', async () => {
  const before = await register()
  const { policyUuid } = before.body.data
  await inUnit(tx => tx.updateTable('policies').set({ complete: false }).where('id', '=', policyUuid).execute())
  const { status, body } = await buy(before)
  expect([status, body.error]).toEqual([409, 'policy.incomplete'])
})

test('a payment that was closed meanwhile is not settled', async () => {
  const before = await register()
  await inUnit(tx => tx.updateTable('payments').set({ state: 'closed' }).where('id', '=', before.body.data.purchaseUUID).execute())
  expect((await buy(before)).body.error).toBe('policy.not_purchasable')
})

test('a sale that another node registered is sold here', async () => {
  const there = await sellerOf(inProcess(await openApp(testConfig(), app.world.database)))
  const registered = await registerAs(there, {}, key())
  const [times, bought] = await calls(() => buy(registered))
  expect([times, bought.status]).toEqual([1, 200])
})

test('concurrent equal registrations are made once, and all get the same bytes', async () => {
  const [same, before] = [key(), await rowsOf('policies')]
  const replies = await Promise.all(Array.from({ length: 12 }, () => register(same)))
  const done = replies.filter(({ status }) => status === 200)
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ body }) => body.error))).toEqual(new Set())
  expect([new Set(done.map(({ text }) => text)).size, (await rowsOf('policies')) - before]).toEqual([1, 1])
  expect((await register(same)).text).toBe(done[0]?.text)
})

test('concurrent equal purchases are made once, and all get the same bytes', async () => {
  const [same, registered] = [key(), await register()]
  const replies = await Promise.all(Array.from({ length: 12 }, () => buy(registered, same)))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies[0]?.status).toBe(200)
})

test('a key that was used for another request writes nothing', async () => {
  const same = key()
  await register(same)
  const before = [await rowsOf('policies'), await rowsOf('payments'), await rowsOf('idempotency')]
  const { status, body } = await register(same, { buReference: 'Otra' })
  expect([status, body.error]).toEqual([422, 'idempotency.mismatch'])
  expect([await rowsOf('policies'), await rowsOf('payments'), await rowsOf('idempotency')]).toEqual(before)
})

/** Turns a stored reply into a missing one, whose key was taken this many seconds ago. */
const unanswered = (of: ReturnType<typeof key>, seconds: number) =>
  asService(`
    update idempotency set status = null, reply = null, sealed = null, sealed_by = null, claimed_at = now() - interval '${seconds} seconds'
    where key = '${of['idempotency-key']}'`)

test('a key that a node left behind is taken over by the same request, and by no other', async () => {
  const same = key()
  const first = await register(same)
  await unanswered(same, 21)
  expect((await register(same, { buReference: 'Otra' })).body.error).toBe('idempotency.mismatch')
  // The sale was registered before the node died.
  expect((await register(same)).body.data.purchaseUUID).toBe(first.body.data.purchaseUUID)
})

test('a request waits for a running one under the same key', async () => {
  const same = key()
  const { purchaseUUID } = (await register(same)).body.data
  // As if the first request had not yet written its sale.
  await inUnit(tx => tx.updateTable('payments').set({ request_key: null }).where('id', '=', purchaseUUID).execute())
  await unanswered(same, 19)
  expect((await register(same)).body.error).toBe('idempotency.running')
})

test('a key that is over a day old is free', async () => {
  const same = key()
  const first = await register(same)
  await asService(`update idempotency set claimed_at = claimed_at - interval '24 hours 1 second' where key = '${same['idempotency-key']}'`)
  const second = await register(same, { buReference: 'Otra' })
  expect([second.status, second.body.data.purchaseUUID === first.body.data.purchaseUUID]).toEqual([200, false])
  expect((await register(same, { buReference: 'Otra' })).text).toBe(second.text)
})
