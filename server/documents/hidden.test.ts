import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'

let app: TestApp
let agent: SignedIn
beforeAll(async () => {
  app = await testApp()
  agent = await signIn(app, 'agent@azahar.example')
})
afterAll(() => app.stop())

const azahar = demoScope('azahar')
const put = (kind: 'certificate' | 'receipt' | 'offer' | 'conditions', userId: string) =>
  app.files.put(azahar, { kind, name: `${kind}.pdf`, mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7'), userId })
const get = async (id: string, headers: Record<string, string>) => (await app.ask(`/api/files/${id}`, { headers })).status

async function narrowed(email: string): Promise<SignedIn> {
  await giveRoles(app, email, ['freelancer'])
  return signIn(app, email)
}

/** Creates a ticket with one file, and a file that no ticket has yet. */
async function upload(user: SignedIn): Promise<{ filed: string; loose: string }> {
  const { data: types } = (await app.ask('/api/tickets/types', { headers: user.headers })).body
  const { uuid: typeUuid } = types.find(({ kind }: { kind: string }) => kind === 'request')
  const contact = { contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const request = { typeUuid, subject: 'Parte médico de Ana', description: 'x', ...contact }
  const { ticketUuid } = (await sendForm(app, user, '/api/tickets/requests', request, [aPdf])).body.data
  const ticket = (await app.ask('/api/tickets/detail', { body: { ticketUuid }, headers: user.headers })).body.data
  const loose = (await sendForm(app, user, '/api/tickets/files', {}, [aPdf])).body.data
  return { filed: ticket.files[0].uuid, loose: loose.uuid }
}

describe('an uploaded file', () => {
  test('is visible with its ticket, and before that only to its uploader', async () => {
    const viewer = await signIn(app, 'viewer@azahar.example')
    const { filed, loose } = await upload(agent)
    const statuses = async (user: SignedIn) => [
      await get(filed, user.headers),
      await get(loose, user.headers),
      await get(loose, { cookie: user.cookie }),
    ]
    expect(await statuses(agent)).toEqual([200, 200, 200])
    expect(await statuses(viewer)).toEqual([200, 404, 404])
    expect(await statuses(await signIn(app, 'agent@rotta.example'))).toEqual([404, 404, 404])
  })

  test('returns 404 to a user limited to own records, if another user’s ticket has it', async () => {
    const freelancer = await narrowed('manager@azahar.example')
    const [own, others] = [await upload(freelancer), await upload(agent)]
    expect([await get(own.filed, freelancer.headers), await get(own.loose, freelancer.headers)]).toEqual([200, 200])
    for (const headers of [freelancer.headers, { cookie: freelancer.cookie }])
      expect([await get(others.filed, headers), await get(others.loose, headers)]).toEqual([404, 404])
  })
})

describe('a user limited to own sales', () => {
  test.each(['certificate', 'receipt', 'offer'] as const)('gets 404 for another user’s %s', async kind => {
    const freelancer = await narrowed('manager@azahar.example')
    const [own, other] = [await put(kind, freelancer.user.uuid), await put(kind, agent.user.uuid)]
    expect([await get(own.id, freelancer.headers), await get(other.id, freelancer.headers)]).toEqual([200, 404])
    expect(await get(other.id, { cookie: freelancer.cookie })).toBe(404)
    expect(await get((await put('conditions', agent.user.uuid)).id, freelancer.headers)).toBe(200)
  })
})

test('a unit that requires a second factor serves no file without one', async () => {
  const { id } = await put('certificate', agent.user.uuid)
  const setRequired = (wanted: boolean) =>
    app.world.database.kysely
      .updateTable('business_units')
      .set({ settings: sql`jsonb_set(settings, '{twoFactorRequired}', ${JSON.stringify(wanted)}::jsonb)` })
      .where('id', '=', azahar.businessUnitId)
      .execute()
  await setRequired(true)
  const [bearer, link] = [await get(id, agent.headers), await get(id, { cookie: agent.cookie })]
  await setRequired(false)
  expect([bearer, link]).toEqual([403, 404])
  expect(await get(id, { cookie: agent.cookie })).toBe(200)
})

test('fetching a person’s document is audited, fetching conditions is not', async () => {
  const [certificate, conditions] = [await put('certificate', agent.user.uuid), await put('conditions', agent.user.uuid)]
  await get(certificate.id, { cookie: agent.cookie })
  await get(conditions.id, agent.headers)
  const entries = await app.world.database.kysely
    .selectFrom('audit')
    .selectAll()
    .where('action', '=', 'file.seen')
    .where('object', 'in', [certificate.id, conditions.id])
    .orderBy('id')
    .execute()
  expect(entries).toMatchObject([
    {
      object: certificate.id,
      user_id: agent.user.uuid,
      business_unit_id: azahar.businessUnitId,
      details: { kind: 'certificate' },
      network: '127.0.0.1',
    },
  ])
})
