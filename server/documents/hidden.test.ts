import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '#server/kit/scope.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { scopeOf } from '#server/session/scope.ts'
import { type SignedIn, signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
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

async function narrowed(email: string): Promise<SignedIn> {
  await app.world.database.kysely
    .updateTable('memberships')
    .set({ roles: ['freelancer'] })
    .where('user_id', '=', eb => eb.selectFrom('users').select('id').where('email', '=', email))
    .execute()
  return signIn(app, email)
}

/** A question to the insurer with one file; and one that was brought and belongs to no ticket yet. */
async function bring(who: SignedIn): Promise<{ filed: string; loose: string }> {
  const { data: types } = (await app.ask('/api/tickets/types', { headers: who.headers })).body
  const { uuid: typeUuid } = types.find(({ kind }: { kind: string }) => kind === 'request')
  const contact = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const question = { typeUuid, subject: 'Parte médico de Ana', description: 'x', ...contact }
  const { ticketUuid } = (await sendForm(app, who, '/api/tickets/requests', question, [aPdf])).body.data
  const ticket = (await app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: who.headers })).body.data
  const loose = (await sendForm(app, who, '/api/tickets/files', {}, [aPdf])).body.data
  return { filed: ticket.files[0].uuid, loose: loose.uuid }
}

describe('what was brought with a ticket', () => {
  test('is seen by whoever sees the ticket; before there is one, by whoever brought it', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const { filed, loose } = await bring(agent)
    const seen = async (who: SignedIn) => [
      await get(filed, who.headers),
      await get(loose, who.headers),
      await get(loose, { cookie: who.cookie }),
    ]
    expect(await seen(agent)).toEqual([200, 200, 200])
    expect(await seen(viewer)).toEqual([200, 404, 404])
    expect(await seen(await signIn(app, 'agent@rotta.example'))).toEqual([404, 404, 404])
  })

  test('is told to nobody who is shown only his own', async () => {
    const freelancer = await narrowed('manager@azahar.example')
    const [own, others] = [await bring(freelancer), await bring(agent)]
    expect([await get(own.filed, freelancer.headers), await get(own.loose, freelancer.headers)]).toEqual([200, 200])
    for (const headers of [freelancer.headers, { cookie: freelancer.cookie }])
      expect([await get(others.filed, headers), await get(others.loose, headers)]).toEqual([404, 404])
  })
})

describe('whoever is shown only what he sold himself', () => {
  test.each(['certificate', 'receipt', 'offer'] as const)('is told of nobody else’s %s', async kind => {
    const freelancer = await narrowed('manager@azahar.example')
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
    .orderBy('id')
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
