import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#server/kit/scope.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { scopeOf } from '#server/session/scope.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { type Files, openFiles } from './files.ts'
import { openStore } from './open-store.ts'

let app: TestApp
let files: Files
let azahar: Scope
let agent: SignedIn
beforeAll(async () => {
  app = await testApp()
  files = openFiles(app.world, openStore(app.world.config))
  agent = await signIn(app, 'agent@azahar.example')
  azahar = scopeOf(agent.user.businessUnits[0].uuid)
})
afterAll(() => app.stop())

const put = (kind: 'certificate' | 'receipt' | 'offer' | 'conditions', userId: string) =>
  files.put(azahar, { kind, name: `${kind}.pdf`, mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7'), userId })
const get = async (id: string, headers: Record<string, string>) => (await app.ask(`/api/files/${id}`, { headers })).status

describe('whoever is shown only what he sold himself', () => {
  test.each(['certificate', 'receipt', 'offer'] as const)('is told of nobody else’s %s', async kind => {
    await app.world.database.kysely
      .updateTable('memberships')
      .set({ roles: ['freelancer'] })
      .where('user_id', '=', eb => eb.selectFrom('users').select('id').where('email', '=', 'manager@azahar.example'))
      .execute()
    const freelancer = await signIn(app, 'manager@azahar.example')
    const [own, other] = [await put(kind, freelancer.user.uuid), await put(kind, agent.user.uuid)]
    expect([await get(own.id, freelancer.headers), await get(other.id, freelancer.headers)]).toEqual([200, 404])
    expect(await get(other.id, { cookie: freelancer.cookie })).toBe(404)
    expect(await get((await put('conditions', agent.user.uuid)).id, freelancer.headers)).toBe(200)
  })
})

test('a unit that asks for a code gives its files to nobody without one, whichever way he asks', async () => {
  const { id } = await put('certificate', agent.user.uuid)
  const asked = (wanted: boolean) =>
    app.world.database.kysely
      .updateTable('business_units')
      .set({ settings: sql`jsonb_set(settings, '{twoFactorRequired}', ${JSON.stringify(wanted)}::jsonb)` })
      .where('id', '=', azahar.businessUnitId)
      .execute()
  await asked(true)
  const [bearer, link] = [await get(id, agent.headers), await get(id, { cookie: agent.cookie })]
  await asked(false)
  expect([bearer, link]).toEqual([403, 404])
  expect(await get(id, { cookie: agent.cookie })).toBe(200)
})

test('who fetched which paper of a policy stands in the audit; what belongs to no person does not', async () => {
  const [certificate, conditions] = [await put('certificate', agent.user.uuid), await put('conditions', agent.user.uuid)]
  await get(certificate.id, { cookie: agent.cookie })
  await get(conditions.id, agent.headers)
  const told = await app.world.database.kysely
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'file.seen')
    .where('object', 'in', [certificate.id, conditions.id])
    .execute()
  expect(told).toMatchObject([
    {
      object: certificate.id,
      user_id: agent.user.uuid,
      business_unit_id: azahar.businessUnitId,
      details: { kind: 'certificate' },
      network: '127.0.0.1',
    },
  ])
})
