import { afterEach, beforeEach, expect, test } from 'vitest'
import { closeByHand, closeMonths } from '#server/accounting/statements/close.ts'
import type { Database } from '#server/kit/database.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { sellAs, sellerOf } from '#server/policies/testing.ts'
import { demoScope, signIn } from '#server/session/testing.ts'
import { admin, asker, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
const businessUnitUuid = demoScope('azahar').businessUnitId
beforeEach(async () => {
  let real = Date.now()
  app = await testApp({}, { clock: { now: () => new Date((real += 1)) } })
  ask = await admin(app)
  await at('2026-10-10T10:00:00Z')
  await sellAs(await sellerOf(app), { startDate: '2026-11-20', endDate: '2026-11-20' })
})
afterEach(() => app.stop())

const at = async (instant: string) => expect((await app.ask('/dev/clock', { body: { at: instant } })).status).toBe(200)
const close = (month: string) => ask.post('accounting/close', { businessUnitUuid, month })
const account = async () => (await ask.post('accounting/list', { businessUnitUuid })).body.data.accounts[0]
const refusalOf = async (month: string) => {
  const { status, body } = await close(month)
  return [status, body.error]
}
const numbers = async () => {
  const { headers } = await signIn(app, 'accounts@azahar.example')
  const { body } = await app.ask('/api/accounting/statements', { body: {}, headers })
  return body.data.statements.map(({ number }: { number: string }) => number)
}

test('a month that is not over is not closed, until six in the morning after it', async () => {
  await at('2026-11-01T04:59:59Z')
  expect((await account()).openMonth).toBeNull()
  expect(await refusalOf('2026-10')).toEqual([409, 'account.month_not_over'])
  expect(await refusalOf('2026-11')).toEqual([409, 'account.month_not_over'])
  expect(await refusalOf('2026-13')).toEqual([422, 'validation.failed'])
  expect(await numbers()).toEqual([])
})

test('one of several closings at once closes the month, and refuses the others', async () => {
  await at('2026-12-01T08:00:00Z')
  expect((await account()).openMonth).toBe('2026-10')
  expect(await refusalOf('2026-11')).toEqual([409, 'account.month_before'])
  expect(await refusalOf('2026-12')).toEqual([409, 'account.month_not_over'])
  const replies = await Promise.all([1, 2, 3].map(() => close('2026-10')))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
  expect(replies.find(({ status }) => status === 200)?.body.data).toMatchObject({
    openMonth: '2026-11',
    lastStatement: { number: 'azahar-2026-10' },
  })
  expect(replies.filter(({ status }) => status === 409).map(({ body }) => body.error)).toEqual([
    'account.month_closed',
    'account.month_closed',
  ])
  expect(await refusalOf('2026-10')).toEqual([409, 'account.month_closed'])
  expect((await auditOf(app, 'month_closed')).map(({ details }) => details)).toEqual([{ month: '2026-10' }])
})

test('the job and a person at once close a month once', async () => {
  await at('2026-12-01T08:00:00Z')
  expect((await close('2026-10')).status).toBe(200)
  const [reply] = await Promise.all([close('2026-11'), closeMonths(app.world)])
  expect([200, 409]).toContain(reply.status)
  expect(await numbers()).toEqual(['azahar-2026-11', 'azahar-2026-10'])
  expect((await account()).openMonth).toBeNull()
  expect(await brokenInvariants(app.world.database)).toEqual([])
})

test('a person who saw a month open while another one closed it is refused', async () => {
  await at('2026-11-01T08:00:00Z')
  const { world } = app
  const asService: Database['asService'] = async work => {
    const seen = await world.database.asService(work)
    expect((await close('2026-10')).status).toBe(200)
    return seen
  }
  const written: string[] = []
  const late = closeByHand({ ...world, database: { ...world.database, asService } }, demoScope('azahar'), '2026-10', async () => {
    written.push('an audit entry')
  })
  await expect(late).rejects.toMatchObject({ code: 'account.month_closed' })
  expect(written).toEqual([])
})

test('an agency without bookings has nothing to close, and only administrators close', async () => {
  await at('2026-11-01T08:00:00Z')
  const rotta = { businessUnitUuid: demoScope('rotta').businessUnitId, month: '2026-10' }
  expect((await ask.post('accounting/close', rotta)).body.error).toBe('account.month_empty')
  const unknown = { businessUnitUuid: '00000000-0000-4000-8000-000000000000', month: '2026-10' }
  expect((await ask.post('accounting/close', unknown)).status).toBe(404)
  const manager = asker(app, await signIn(app, 'manager@azahar.example'))
  expect((await manager.post('accounting/close', rotta)).status).toBe(403)
})
