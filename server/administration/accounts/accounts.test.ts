import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClosing } from '#server/accounting/statements/close.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { type Seller, sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
let seller: Seller
let closing: () => Promise<void>
const businessUnitUuid = demoScope('azahar').businessUnitId
const request = () => ({ requestUuid: crypto.randomUUID(), businessUnitUuid })
beforeEach(async () => {
  let real = Date.now()
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  ask = await admin(app)
  seller = await sellerOf(app)
  closing = openClosing(app.world)
})
afterEach(() => app.stop())

async function at(instant: string): Promise<void> {
  expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
}
const account = async () => (await ask.post('accounting/list', { businessUnitUuid })).body.data.accounts[0]
const sell = (startDate: string) => sellAs(seller, { startDate, endDate: startDate })
const pay = (amount: number, more: object = {}) =>
  ask.post('accounting/payment', { ...request(), way: 'received', amount, on: '2026-12-20', reference: 'N43-17', ...more })
const statements = async () => {
  const { headers } = await signIn(app, 'accounts@azahar.example')
  return (await app.ask('/api/accounting/statements', { body: {}, headers })).body.data.statements
}

/** Plays until the 21st of December: the statement of November is paid, and a sale since is not. */
async function paidNovember(): Promise<void> {
  await at('2026-11-10T10:00:00Z')
  await sell('2026-11-20')
  await at('2026-12-01T06:00:00Z')
  await closing()
  await at('2026-12-20T23:00:00Z')
  expect((await pay((await account()).lastStatement.due)).status).toBe(200)
  expect((await sell('2027-01-20')).status).toBe(200)
}

test('an agency that does not pay is stopped, and sells again once it has paid', async () => {
  await at('2026-11-10T10:00:00Z')
  const sold = (await sell('2026-11-20')).body.data.policyData
  expect(await account()).toMatchObject({
    account: sold.total,
    commission: sold.commission,
    limit: null,
    headroom: null,
    overdueSince: null,
  })
  await at('2026-12-01T06:00:00Z')
  await closing()
  const due = Number((sold.total - sold.commission).toFixed(2))
  expect(await account()).toMatchObject({
    account: due,
    commission: 0,
    lastStatement: { number: 'azahar-2026-11', dueOn: '2026-12-15', due },
  })
  await at('2026-12-20T22:00:00Z')
  await closing()
  expect((await statements())[0].state).toBe('open')
  expect((await sell('2027-01-20')).status).toBe(200)
  await at('2026-12-20T23:00:00Z')
  await closing()
  expect((await statements())[0].state).toBe('overdue')
  expect((await sell('2027-01-21')).body.error).toBe('account.overdue')
  const paid = await pay(due)
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body.data).toMatchObject({ overdueSince: null })
  expect((await statements())[0].state).toBe('paid')
  expect((await sell('2027-01-22')).status).toBe(200)
  expect((await auditOf(app, 'account_payment')).at(-1)).toMatchObject({ details: { way: 'received', amount: due, reference: 'N43-17' } })
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('a limit is set, lifted until the end of a day, and ended', async () => {
  await paidNovember()
  const { account: open } = await account()
  const terms = { businessUnitUuid, limit: open, netted: true, reason: 'Agreed with the agency' }
  expect((await ask.post('accounting/limit', terms)).body.data).toMatchObject({ limit: open, headroom: 0 })
  expect((await sell('2027-02-01')).body.error).toBe('account.limit')
  await ask.post('accounting/limit', { ...terms, liftedUntil: '2026-12-21' })
  expect((await sell('2027-02-02')).status).toBe(200)
  await at('2026-12-21T23:00:00Z')
  expect((await sell('2027-02-03')).body.error).toBe('account.limit')
  expect((await ask.post('accounting/limit', { ...terms, limit: null })).body.data).toMatchObject({ limit: null, headroom: null })
  expect((await sell('2027-02-04')).status).toBe(200)
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('a payment that is sent twice, also concurrently, is booked once', async () => {
  await paidNovember()
  const { account: open } = await account()
  const sent = { ...request(), way: 'received', amount: 1.25, on: '2026-12-01', reference: 'N43-18' }
  const replies = await Promise.all([1, 2, 3].map(() => ask.post('accounting/payment', sent)))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await account()).account).toBeCloseTo(open - 1.25, 10)
  const audited = async () => (await auditOf(app, 'account_payment')).filter(({ details }) => details?.['reference'] === 'N43-18')
  expect(await audited()).toHaveLength(1)
  const changed = await ask.post('accounting/payment', { ...sent, amount: 9 })
  expect([changed.status, changed.body.error]).toEqual([422, 'idempotency.mismatch'])
  expect([(await audited()).length, (await account()).account]).toEqual([1, expect.closeTo(open - 1.25, 10)])
})

test('a payout moves the balance of its statement, also after a change of terms', async () => {
  await paidNovember()
  const { account: open, commission } = await account()
  const terms = { businessUnitUuid, limit: null, reason: 'Agreed with the agency' }
  await ask.post('accounting/limit', { ...terms, netted: false })
  const paid = await pay(2, { way: 'paid', beyond: true })
  await ask.post('accounting/limit', { ...terms, netted: true })
  expect(paid.body.data).toMatchObject({ account: expect.closeTo(open + 2, 10), commission })
})

test('a write-off lowers the account, and needs a reason', async () => {
  await paidNovember()
  const { account: open } = await account()
  const written = await ask.post('accounting/write-off', { ...request(), amount: 10.5, reason: 'A quarrel that is settled' })
  expect(written.body.data.account).toBeCloseTo(open - 10.5, 10)
  expect((await auditOf(app, 'account_written_off')).at(-1)).toMatchObject({
    reason: 'A quarrel that is settled',
    details: { amount: 10.5 },
  })
})

const payment = { ...request(), way: 'received', amount: 5, on: '2026-12-01', reference: 'x' }
test.each([
  ['payment', { ...payment, amount: -5 }, 'amount'],
  ['payment', { ...payment, amount: 0 }, 'amount'],
  ['payment', { ...payment, amount: 1.005 }, 'amount'],
  ['payment', { ...payment, on: '2027-01-01' }, 'on'],
  ['payment', { ...payment, on: '2026-11-31' }, 'on'],
  ['payment', { ...payment, on: '1970-01-01' }, 'on'],
  ['payment', { ...payment, reference: ' ' }, 'reference'],
  ['limit', { businessUnitUuid, limit: -1, netted: true, reason: 'For a test' }, 'limit'],
  ['limit', { businessUnitUuid, limit: 1, netted: true, liftedUntil: '2026-12-20', reason: 'For a test' }, 'liftedUntil'],
  ['limit', { businessUnitUuid, limit: 1, netted: true, liftedUntil: '2027-12-22', reason: 'For a test' }, 'liftedUntil'],
  ['limit', { businessUnitUuid, limit: 1, netted: true, liftedUntil: '9999-12-31', reason: 'For a test' }, 'liftedUntil'],
  ['write-off', { ...request(), amount: 1, reason: 'no' }, 'reason'],
])('a %s of %j is refused at its field, and books nothing', async (path, body, field) => {
  await paidNovember()
  const before = await account()
  const reply = await ask.post(`accounting/${path}`, body)
  expect([reply.status, reply.body.fields?.map((each: { path: string }) => each.path)]).toEqual([422, [field]])
  expect(await account()).toEqual(before)
})

test('each view of agencies’ accounts, or of the bookings of one, is audited', async () => {
  await paidNovember()
  const looks = async () => (await auditOf(app, 'accounts_listed')).map(({ object, details, user_id }) => [object, details, user_id])
  const before = await looks()
  await ask.post('accounting/list', {})
  await ask.post('accounting/list', { businessUnitUuid })
  const { bookings } = (await ask.post('accounting/bookings', { businessUnitUuid })).body.data
  const by = expect.stringMatching(/^[0-9a-f-]{36}$/)
  expect(await looks()).toEqual([
    ...before,
    [null, { page: 1 }, by],
    [businessUnitUuid, { page: 1 }, by],
    [businessUnitUuid, { page: 1, shown: bookings.length }, by],
  ])
})

test('payments since a statement are the same for the agency and the insurer', async () => {
  await paidNovember()
  expect((await pay(1.25)).status).toBe(200)
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const { number, open } = (await account()).lastStatement
  const own = (await app.ask('/api/accounting/statements/detail', { body: { number }, headers })).body.data
  expect(own.open).toEqual(open)
})

test('accounts are for administrators, and an unknown agency has none', async () => {
  const manager = asker(app, await signIn(app, 'manager@azahar.example'))
  for (const path of ['list', 'limit', 'payment', 'write-off'])
    expect((await manager.post(`accounting/${path}`, path === 'list' ? {} : payment)).status).toBe(403)
  const unknown = { ...payment, businessUnitUuid: '00000000-0000-4000-8000-000000000000' }
  expect((await ask.post('accounting/payment', unknown)).status).toBe(404)
})

test('an agency stays stopped until it pays, even once the next month has closed', async () => {
  await paidNovember()
  for (const instant of ['2027-01-01T06:00:00Z', '2027-01-20T23:00:00Z']) {
    await at(instant)
    await closing()
  }
  const [december] = await statements()
  expect(december).toMatchObject({ number: 'azahar-2026-12', state: 'overdue' })
  await at('2027-02-02T10:00:00Z')
  await closing()
  const standing = (await statements()).map(({ state, carriedTo, overdue }: Record<string, unknown>) => [state, carriedTo, overdue])
  // The newest statement carries the older one over, and so has all that is overdue.
  expect(standing).toEqual([
    ['open', null, { amount: december.due.account, since: '2027-01-15' }],
    ['overdue', 'azahar-2027-01', null],
    ['paid', null, null],
  ])
  // A payment settles December first, which the statement of January carries over.
  expect((await account()).openStatements).toEqual([{ number: 'azahar-2026-12', dueOn: '2027-01-15', open: december.due.account }])
  expect((await pay(0.01)).body.data).toMatchObject({ overdueSince: '2027-01-15' })
  expect((await sell('2027-03-01')).body.error).toBe('account.overdue')
  expect((await account()).openStatements[0].open).toBeCloseTo(december.due.account - 0.01, 10)
  expect((await pay(Number((december.due.account - 0.01).toFixed(2)))).body.data).toMatchObject({ overdueSince: null })
  expect((await account()).openStatements).toEqual([])
  expect((await sell('2027-03-01')).status).toBe(200)
})
