import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Call } from '#common/kit/call.ts'
import { serve } from '#server/kit/serve.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { purge } from './purge.ts'
import { begin, signIn } from './testing.ts'

const schemas = { summary: 'A sale', request: z.strictObject({ productUuid: z.uuid() }), response: z.object({}) }
const sell: Call<typeof schemas> = { method: 'POST', path: '/api/test/sell', needs: 'b2b-products-sell' }
let app: TestApp
let now = new Date('2026-11-20T10:00:00Z')
beforeAll(async () => {
  app = await testApp({}, { clock: { now: () => now }, alsoServe: context => serve(context, sell, schemas, () => Promise.resolve({})) })
})
afterAll(() => app.stop())

const refusals = (reason: string) =>
  app.world.database.kysely.selectFrom('audit').selectAll().where('reason', 'like', `${reason}%`).orderBy('id').execute()

test('a call without the permission returns 403 and is audited (attack A11)', { tags: 'S6.3' }, async () => {
  const { headers, user } = await signIn(app, 'viewer@azahar.example')
  const productUuid = crypto.randomUUID()
  const reply = await app.ask(sell.path, { body: { productUuid }, headers: { ...headers, 'accept-language': 'en' } })
  expect(reply.status).toBe(403)
  expect(reply.body).toMatchObject({ code: 403, error: 'session.forbidden', errorMessage: 'Insufficient Permissions' })
  expect((await refusals('session.forbidden')).at(-1)).toMatchObject({
    action: 'POST /api/test/sell',
    user_id: user.uuid,
    business_unit_id: user.businessUnits[0].uuid,
    object: productUuid,
  })
})

test('refusals of one user, call and hour are one audit entry with their number', async () => {
  const [viewer, other] = [await signIn(app, 'viewer@azahar.example'), await signIn(app, 'accounts@azahar.example')]
  const entries = () =>
    app.world.database.kysely
      .selectFrom('audit')
      .innerJoin('audit_repeats', 'audit_id', 'audit.id')
      .where('audit.action', '=', 'POST /api/test/sell')
      .where('at', '>=', now)
      .select(['audit.user_id', 'business_unit_id', 'times', 'last_at'])
      .orderBy('times', 'desc')
      .execute()
  now = new Date(now.getTime() + 3_600_000)
  const ask = ({ headers }: typeof viewer) => app.ask(sell.path, { body: { productUuid: crypto.randomUUID() }, headers })
  for (let count = 0; count < 5; count++) expect((await ask(viewer)).status).toBe(403)
  await ask(other)
  const unit = viewer.user.businessUnits[0].uuid
  expect(await entries()).toEqual([
    { user_id: viewer.user.uuid, business_unit_id: unit, times: 5, last_at: now },
    { user_id: other.user.uuid, business_unit_id: unit, times: 1, last_at: now },
  ])
})

test('a request from a foreign page is refused and audited with its user', async () => {
  const { cookie, user } = await signIn(app, 'agent@azahar.example')
  const headers = { cookie, origin: 'https://evil.example' }
  expect((await app.ask('/api/auth/session', { method: 'DELETE', headers })).body.error).toBe('session.foreign_origin')
  expect((await refusals('session.foreign_origin')).at(-1)).toMatchObject({ user_id: user.uuid, action: 'DELETE /api/auth/session' })
  expect((await app.ask('/api/users/me', { headers: { cookie } })).status).toBe(200)
})

test('two bearer tokens are refused, even if both are valid (attack B34)', async () => {
  const { accessToken } = await signIn(app, 'agent@azahar.example')
  await app.context.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = new URL(app.context.http.listeningOrigin)
  const statusWith = async (...tokens: string[]) => {
    const socket = connect(Number(port), '127.0.0.1')
    const bearers = tokens.map(token => `Authorization: Bearer ${token}\r\n`).join('')
    socket.write(`GET /api/users/me HTTP/1.1\r\nHost: portal\r\n${bearers}Connection: close\r\n\r\n`)
    return (await text(socket)).slice(9, 12)
  }
  expect(await statusWith(accessToken)).toBe('200')
  expect(await statusWith(accessToken, 'x'.repeat(43))).toBe('401')
  expect(await statusWith(accessToken, accessToken)).toBe('401')
})

test('a redirect to the request’s own origin counts as the portal’s (attack B23)', async () => {
  const redirectFor = async (redirect: unknown) => {
    const body = { email: 'agent@azahar.example', password: 'portolan-demo', redirect }
    const reply = await app.ask('/api/auth/login', { body, headers: { host: 'portal.example:3000' } })
    return new URL(reply.body.data.callback, 'http://portal.example').searchParams.get('redirect')
  }
  expect(await redirectFor('http://portal.example:3000/policies')).toBe('http://portal.example:3000/policies')
  for (const foreign of ['http://portal.invalid/', 'http://portal.example/', '//portal.example:3000@evil.example', ['/policies'], { a: 1 }])
    expect(await redirectFor(foreign), JSON.stringify(foreign)).toBeNull()
})

test('the token decides who signs in, not the address of the callback (attack B20)', async () => {
  const { token, flow } = await begin(app, 'viewer@azahar.example')
  const headers = { cookie: `flow=${flow}` }
  const claimed = await app.ask('/api/auth/session', { body: { token, email: 'admin@portolan.example', loggedIn: true }, headers })
  expect(claimed.status).toBe(422)
  expect((await app.ask('/api/auth/session', { body: { token }, headers })).body.data.user.email).toBe('viewer@azahar.example')
})

test('a suspended user or unit is refused at the next call', { tags: 'S4.18' }, async () => {
  const { headers, user } = await signIn(app, 'agent@rotta.example')
  const { kysely } = app.world.database
  const unit = kysely.updateTable('business_units').where('id', '=', user.businessUnits[0].uuid)
  await unit.set({ suspended: true }).execute()
  expect((await app.ask('/api/business-unit/settings', { headers })).status).toBe(403)
  await unit.set({ suspended: false }).execute()
  expect((await app.ask('/api/business-unit/settings', { headers })).status).toBe(200)
  const account = kysely.updateTable('users').where('id', '=', user.uuid)
  await account.set({ active: false }).execute()
  expect((await app.ask('/api/business-unit/settings', { headers })).status).toBe(401)
  await account.set({ active: true }).execute()
})

test('the purge deletes expired tokens and sessions and keeps the others', async () => {
  const { headers } = await signIn(app, 'agent@azahar.example')
  const left = async () => {
    const { kysely } = app.world.database
    const [tokens, sessions] = await Promise.all([
      kysely.selectFrom('one_time_tokens').select('token_hash').execute(),
      kysely.selectFrom('sessions').select('id').execute(),
    ])
    return { tokens: tokens.length, sessions: sessions.length > 0 }
  }
  await purge(app.world)
  expect((await left()).tokens).toBeGreaterThan(0)
  expect((await app.ask('/api/users/me', { headers })).status).toBe(200)
  const start = now
  now = new Date(start.getTime() + 2 * 86_400_000)
  await purge(app.world)
  expect(await left()).toEqual({ tokens: 0, sessions: true })
  now = new Date(start.getTime() + 200 * 86_400_000)
  await purge(app.world)
  expect(await left()).toEqual({ tokens: 0, sessions: false })
  now = start
})
