import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { brokenInvariants } from '#server/policies/checks/invariants.ts'
import { scopeOf } from '#server/session/scope.ts'
import { signIn } from '#server/session/testing.ts'
import type { PolicyTables } from '#server/policies/tables.ts'
import { seedPolicies } from './write.ts'

describe('invented policies', () => {
  let app: TestApp
  let rows = 0
  /** The rows of each table before any test adds some. */
  let written: number[]
  const many = async (table: keyof PolicyTables | 'payments' | 'money_book') =>
    (
      await app.world.database.kysely
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as('many'))
        .executeTakeFirstOrThrow()
    ).many

  beforeAll(async () => {
    app = await testApp()
    const { id } = await app.world.database.kysely
      .selectFrom('business_units')
      .select('id')
      .where('key', '=', 'azahar')
      .executeTakeFirstOrThrow()
    const options = { seed: 7, now: new Date('2026-06-01T12:00:00Z'), show: () => {} }
    rows += await seedPolicies(app.world, [{ scope: scopeOf(id), many: 1100 }], options)
    rows += await seedPolicies(app.world, [{ scope: scopeOf(id), many: 10 }], options)
    written = await Promise.all(
      (['policies', 'payments', 'policy_people', 'policy_price_lines', 'policy_versions', 'policy_history', 'money_book'] as const).map(
        many,
      ),
    )
  })
  afterAll(() => app.stop())

  it('exist in the requested number and satisfy the invariants of sales', async () => {
    expect(await many('policies')).toBe(1110)
    expect(rows).toBe(written.reduce((sum, each) => sum + each, 0))
    // No emails are sent about invented policies.
    const violations = (await brokenInvariants(app.world.database)).filter(violation => !violation.startsWith('a sale whose subscribers'))
    expect(violations).toEqual([])
  })

  it('are listed, searched, displayed and emailed like others', async () => {
    const { headers } = await signIn(app, 'agent@azahar.example')
    const list = async (body: object) => (await app.ask('/api/policy/list', { body, headers })).body.data
    const all = await list({ perPage: 100 })
    expect(all.total).toBeGreaterThan(900)
    const found = await list({ searchData: 'garcia', perPage: 100 })
    expect(found.total).toBeGreaterThan(all.total / 20)
    const { policyUuid, total } = found.policies[0]
    const { body } = await app.ask('/api/policy/detail', { body: { policyUuid }, headers })
    const parts = body.data.price.lines.filter(({ kind }: { kind: string }) => kind !== 'commission')
    const sent = await app.ask('/api/policy/sendCertificates', { body: { policyUuid, emails: ['client@example.es'] }, headers })
    expect([sent.status, sent.body.data]).toEqual([200, { queued: 1 }])
    expect(Math.round(parts.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0) * 100)).toBe(Math.round(total * 100))
  })
})
