import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { audit } from './audit.ts'
import { scopeOf } from './scope.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

test('an audit entry records who, when, from where and what', async () => {
  const { database, ids } = app.world
  const unit = await database.kysely.selectFrom('memberships').select(['business_unit_id', 'user_id']).executeTakeFirstOrThrow()
  const scope = scopeOf(unit.business_unit_id)
  const caller = { userId: unit.user_id, name: '', email: '', sessionId: '', accessToken: '' }
  const origin = { ip: '2001:db8:7:7::1', userAgent: 'Firefox', requestId: ids.next() }
  const inUnit = { ...caller, unit: { scope, locale: 'es-ES' as const, roles: [], permissions: [] } }
  await database.inScope(scope, tx =>
    audit(app.world, tx, { ...origin, caller: inUnit }, { action: 'agency.update', outcome: 'done', details: { fields: ['address'] } }),
  )
  const row = await database.kysely.selectFrom('audit').selectAll().where('request_id', '=', origin.requestId).executeTakeFirstOrThrow()
  expect(row).toMatchObject({
    user_id: unit.user_id,
    business_unit_id: unit.business_unit_id,
    action: 'agency.update',
    details: { fields: ['address'] },
    network: '2001:db8:7:7',
  })
  // In a unit's transaction the entry belongs to that unit, not to the caller's.
  const other = scopeOf(ids.next())
  await database.inScope(other, tx => audit(app.world, tx, { ...origin, caller: inUnit }, { action: 'x.y', outcome: 'done' }))
  const entry = await database.kysely.selectFrom('audit').select('business_unit_id').where('action', '=', 'x.y').executeTakeFirstOrThrow()
  expect(entry.business_unit_id).toBe(other.businessUnitId)
})
