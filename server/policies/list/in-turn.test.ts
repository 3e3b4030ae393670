import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as calls from '#common/policies/calls.ts'
import { type Permission, permissions } from '#common/kit/permissions.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { CallerInUnit } from '#server/kit/caller.ts'
import type { Database } from '#server/kit/database.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { seedPolicies } from '#server/policies/seed/write.ts'
import { demoScope } from '#server/session/testing.ts'
import { filterOf } from './filter.ts'
import { totalsOf } from './list.ts'
import { openTotals } from './totals.ts'

let app: TestApp
const scope = demoScope('azahar')

beforeAll(async () => {
  app = await testApp()
  await seedPolicies(app.world, [{ scope, many: 30 }], { seed: 3, now: new Date('2026-06-01T12:00:00Z'), show: () => {} })
})
afterAll(() => app.stop())

test('totals of concurrent searches are counted two at a time, one per user', async () => {
  let [now, most] = [0, 0]
  const watched: Pick<Database, 'inScope'> = {
    async inScope(...how) {
      now += 1
      most = Math.max(most, now)
      return app.world.database.inScope(...how).finally(() => {
        now -= 1
      })
    },
  }
  const totals = totalsOf(app.world, openTotals({ ...app.world, database: watched }, { fewEnough: 0 }))
  const asked = (userId: string, searchData: string) => {
    // Safe: nothing else of the input is read.
    return totals({ ask: { searchData }, caller: callerOf(userId), isGone: () => false } as HandlerInput<typeof calls.policyTotals>)
  }
  const words = ['garcía', 'lópez', 'viaje', 'esencial', 'rosa', 'zzzz']
  const one = await Promise.all(words.map(word => asked('ana', word)))
  expect(most).toBe(1)
  expect(one.at(-1)).toMatchObject({ matches: 0, total: 0 })
  expect(new Set(one.map(({ matches }) => matches)).size).toBeGreaterThan(2)
  await Promise.all(['ana', 'leo', 'eva'].flatMap(user => words.map(word => asked(user, `${word} ${user}`))))
  expect(most).toBe(2)
})

test('a search is counted anew once the agency has sold', async () => {
  const totals = openTotals(app.world, { fewEnough: 0 })
  const name = () =>
    app.world.database.inScope(scope, tx => totals.nameOf(tx, filterOf(app.world.secrets, { searchData: 'garcía' }, callerOf('ana'))))
  const before = await name()
  expect(await name()).toBe(before)
  await seedPolicies(app.world, [{ scope, many: 1 }], { seed: 4, now: new Date('2026-06-01T12:00:00Z'), show: () => {} })
  expect(await name()).not.toBe(before)
})

test('the count of saved quotes is cached for five seconds', async () => {
  let elapsed = 0
  await seedPolicies(app.world, [{ scope, many: 40 }], { seed: 5, now: new Date('2026-06-02T12:00:00Z'), show: () => {} })
  const totals = openTotals({ ...app.world, elapsed: () => elapsed }, { fewEnough: 0 })
  const statuses: [StoredStatus] = ['budgeted']
  const filter = { ...filterOf(app.world.secrets, { searchData: 'garcía' }, callerOf('ana')), statuses }
  const count = (exact: boolean) => app.world.database.inScope(scope, tx => totals.count(tx, filter, { exact }))
  const counted = await count(true)
  elapsed = 4_999
  expect(await count(false)).toBe(counted)
  elapsed = 5_000
  expect(await count(false)).toBeUndefined()
})

const all: readonly Permission[] = permissions
// Safe: nothing else of the caller is read.
const callerOf = (userId: string) => ({ userId, unit: { scope, permissions: all } }) as unknown as CallerInUnit
