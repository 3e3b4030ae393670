import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestApp, type TestReply, testApp } from '#server/kit/testing.ts'
import { aPdf, sendForm } from '#server/tickets/testing.ts'
import { deleteAs, italian, purchaseAs, registerAs, type Seller, sellAs, sellerOf, tripOf } from './testing.ts'
import { auditRows, countedRefusals, giveRoles, signIn } from '#server/session/testing.ts'

/** Each refusal leaves an audit entry with the user, the action and the object. */

let app: TestApp
let seller: Seller
let rotta: Seller
beforeAll(async () => {
  app = await testApp()
  seller = await sellerOf(app)
  rotta = await sellerOf(app, 'agent@rotta.example')
})
afterAll(() => app.stop())

const post = (path: string, body: object) => app.ask(path, { body, headers: seller.headers })
const refusalsOf = (object: string) =>
  app.world.database.kysely
    .selectFrom('audit')
    .select(['action', 'outcome', 'reason', 'user_id', 'business_unit_id'])
    .where('object', '=', object)
    .where('outcome', '=', 'refused')
    .orderBy('id')
    .execute()
const entry = (action: string, reason = 'request.not_found') => ({
  action,
  outcome: 'refused',
  reason,
  user_id: seller.user.uuid,
  business_unit_id: seller.user.businessUnits[0].uuid,
})

test('every attempt on another unit’s policy is audited', async () => {
  const { policyUuid, purchaseUUID } = (await registerAs(rotta, italian)).body.data
  const attempts = [
    await post('/api/policy/detail', { policyUuid }),
    await deleteAs(seller, policyUuid),
    await post('/api/policy/restore', { policyUuid }),
    await post('/api/policy/sendCertificates', { policyUuid, emails: ['evil@example.es'] }),
    await post('/api/policy/register', tripOf(seller, { policyUuid })),
  ]
  expect(attempts.map(({ status }) => status)).toEqual(Array(5).fill(404))
  expect(await refusalsOf(policyUuid)).toEqual(
    [
      'POST /api/policy/detail',
      'DELETE /api/policy',
      'POST /api/policy/restore',
      'POST /api/policy/sendCertificates',
      'POST /api/policy/register',
    ].map(action => entry(action)),
  )
  expect((await purchaseAs(seller, { purchaseUUID })).status).toBe(404)
  expect(await refusalsOf(purchaseUUID)).toEqual([entry('POST /api/policy/purchase')])
})

test('attempts on another unit’s documents, or without permission, are audited', async () => {
  const { kysely } = app.world.database
  const certificateOf = async (sold: TestReply): Promise<string> => {
    const of = sold.body.data.policyData.policyUuid
    const row = await kysely
      .selectFrom('files')
      .select('id')
      .where('policy_id', '=', of)
      .where('kind', '=', 'certificate')
      .executeTakeFirstOrThrow()
    return row.id
  }
  const manager = await sellerOf(app, 'manager@azahar.example')
  const [theirs, colleagues] = [await certificateOf(await sellAs(rotta, italian)), await certificateOf(await sellAs(manager))]
  await giveRoles(app, 'agent@azahar.example', ['freelancer'])
  for (const id of [theirs, colleagues])
    for (const headers of [seller.headers, { cookie: seller.cookie }])
      expect((await app.ask(`/api/files/${id}`, { headers })).status).toBe(404)
  await giveRoles(app, 'agent@azahar.example', ['viewer'])
  const offer = await kysely
    .updateTable('files')
    .set({ kind: 'offer' })
    .where('id', '=', colleagues)
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let count = 0; count < 3; count++) expect((await app.ask(`/api/files/${offer.id}`, { headers: seller.headers })).status).toBe(403)
  await giveRoles(app, 'agent@azahar.example', ['seller'])
  const attempt = entry('GET /api/files/{uuid}')
  expect(await refusalsOf(theirs)).toEqual([attempt, attempt])
  expect((await refusalsOf(colleagues)).slice(0, 3)).toEqual([attempt, attempt, { ...attempt, reason: 'session.forbidden' }])
  expect(await countedRefusals(app, 'GET /api/files/{uuid}')).toEqual({ 'session.forbidden': 3 })
})

test('a user’s calls without the permission are counted, and do not fill the audit', async () => {
  const { headers, user } = await signIn(app, 'viewer@azahar.example')
  const { policyUuid } = (await registerAs(seller, tripOf(seller))).body.data
  for (let count = 0; count < 5; count++) {
    const reply = await app.ask('/api/policy/detail', { body: { policyUuid }, headers })
    expect(reply.status).toBe(403)
  }
  const [first, ...more] = await refusalsOf(policyUuid)
  expect(first).toEqual({ ...entry('POST /api/policy/detail', 'session.forbidden b2b-policies-draft-view'), user_id: user.uuid })
  // There is one more if an hour ends meanwhile.
  expect(more.length).toBeLessThan(2)
  expect(await countedRefusals(app, 'POST /api/policy/detail')).toEqual({ 'session.forbidden b2b-policies-draft-view': 5 })
})

test('the ids that one user tries cause a bounded number of audit entries, and are all counted', async () => {
  let now = new Date('2026-11-24T10:00:00Z')
  const limited = await testApp({ LOOKS_PER_MINUTE: '3/9' }, { clock: { now: () => now } })
  onTestFinished(() => limited.stop())
  const { headers } = await signIn(limited, 'agent@azahar.example')
  const { cookie } = await signIn(limited, 'multi@portolan.example')
  for (let minute = 0; minute < 4; minute++) {
    now = new Date(now.getTime() + 60_000)
    for (let count = 0; count < 10; count++) {
      const [policyUuid, file] = [crypto.randomUUID(), crypto.randomUUID()]
      expect((await limited.ask('/api/policy/detail', { body: { policyUuid }, headers })).status).toBe(404)
      expect((await limited.ask(`/api/files/${file}`, { headers: { cookie } })).status).toBe(404)
    }
  }
  for (const action of ['POST /api/policy/detail', 'GET /api/files/{uuid}']) {
    const entries = (await auditRows(limited, action)).filter(({ outcome }) => outcome === 'refused')
    const { 'request.not_found': counted } = await countedRefusals(limited, action)
    // Three a minute, and one of the hour for all others.
    expect([action, entries.length, counted]).toEqual([action, 4 * 3 + 1, 4 * 7])
  }
})

test('every attempt on another unit’s tickets is audited', async () => {
  const types = (await app.ask('/api/tickets/types', { headers: rotta.headers })).body.data
  const { uuid: typeUuid } = types.find(({ kind }: { kind: string }) => kind === 'request')
  const request = { typeUuid, subject: 'x', description: 'x', contactEmail: 'ana@example.es', contactPhone: '+34 612 345 678' }
  const { ticketUuid } = (await app.ask('/api/tickets/requests', { body: request, headers: rotta.headers })).body.data
  const attempts = [
    await post('/api/tickets/detail', { ticketUuid }),
    await sendForm(app, seller, `/api/tickets/${ticketUuid}/messages`, { text: 'x' }, [aPdf]),
    await app.ask(`/api/tickets/${ticketUuid}/status`, { method: 'PUT', body: { status: 'closed' }, headers: seller.headers }),
  ]
  expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404])
  expect(await refusalsOf(ticketUuid)).toEqual([
    entry('POST /api/tickets/detail'),
    entry('POST /api/tickets/{uuid}/messages'),
    entry('PUT /api/tickets/{uuid}/status'),
  ])
})
