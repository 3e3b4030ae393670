import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { begin, demoPassword, signIn } from '#server/session/testing.ts'
import { makeAdministrator } from './administrator.ts'
import { admin, asker, auditOf } from '../testing.ts'

let app: TestApp
let ask: Awaited<ReturnType<typeof admin>>
beforeEach(async () => {
  app = await testApp({ PUBLIC_URL: 'http://portal.example' })
  ask = await admin(app)
})
afterEach(() => app.stop())

const azahar = stableId('business-unit', 'azahar')
const rotta = stableId('business-unit', 'rotta')
const list = async (body: object) => (await ask.post('users/list', body)).body.data
const emails = async (body: object) => (await list(body)).users.map(({ email }: { email: string }) => email)
const idOf = async (email: string): Promise<string> => (await list({ searchData: email })).users[0].uuid
const view = async (uuid: string) => (await ask.get(`users/${uuid}`)).body.data

/** Changes a user as the screen does: all values that were shown, with the changed ones replaced. */
async function change(uuid: string, changes: object, by = ask) {
  const { version, name, active, administrator, businessUnits } = await view(uuid)
  const units = businessUnits.map(({ uuid, roles, active }: Record<string, unknown>) => ({ uuid, roles, active }))
  return by.put(`users/${uuid}`, { version, name, active, administrator, businessUnits: units, ...changes })
}

describe('the list of users', () => {
  test('spans all units and filters by name, address, unit and state', async () => {
    expect((await list({})).total).toBe(8)
    expect(await emails({ searchData: 'ROTTA' })).toEqual(['agent@rotta.example'])
    expect(await emails({ searchData: '%' })).toEqual([])
    expect(await emails({ businessUnitUuid: rotta })).toHaveLength(4)
    expect(await emails({ state: 'administrator' })).toEqual(['admin2@portolan.example', 'admin@portolan.example'])
    expect(await emails({ state: 'suspended' })).toEqual([])
    const { users, totalPages } = await list({ perPage: 4, page: 2 })
    expect([users.length, totalPages]).toEqual([4, 2])
  })

  test('is audited with its search, as is the view of a user', async () => {
    await list({ searchData: 'ferrer' })
    const agent = await idOf('agent@azahar.example')
    await view(agent)
    expect((await auditOf(app, 'users_listed')).map(({ details }) => details?.['searchData'])).toContain('ferrer')
    expect((await auditOf(app, 'user_viewed')).at(-1)).toMatchObject({ object: agent, outcome: 'done' })
  })

  test('contains no passwords and no tokens', async () => {
    const text = JSON.stringify([await list({}), await view(await idOf('agent@azahar.example'))])
    expect(text).not.toMatch(/argon|hash|token/i)
  })
})

describe('a new user', () => {
  test('gets an invitation by mail, chooses a password, and can sign in', async () => {
    const businessUnits = [{ uuid: azahar, roles: ['seller'], active: true }]
    const made = await ask.post('users', { name: '  Nora Vidal ', email: ' Nora@Azahar.example ', businessUnits })
    expect(made.body.data).toMatchObject({
      name: 'Nora Vidal',
      email: 'nora@azahar.example',
      active: true,
      administrator: false,
      sessions: 0,
    })
    expect((await begin(app, 'nora@azahar.example')).reply.status).toBe(401)
    await app.world.outbox.drain()
    const { text_body } = await app.world.database.kysely
      .selectFrom('mails')
      .select('text_body')
      .where('recipient_address', '=', 'nora@azahar.example')
      .executeTakeFirstOrThrow()
    const [, token] = /#token=(\S+)/.exec(text_body ?? '') ?? []
    const chosen = await app.ask('/api/auth/password/reset', { body: { token, password: 'portolan-demo' } })
    expect(chosen.status).toBe(200)
    expect((await signIn(app, 'nora@azahar.example')).user.businessUnits).toMatchObject([{ uuid: azahar, roles: ['seller'] }])
    expect((await auditOf(app, 'user_created')).at(-1)).toMatchObject({
      object: made.body.data.uuid,
      details: { email: 'nora@azahar.example' },
    })
  })

  test('is noted as an administrator if their role administers', async () => {
    const businessUnits = [{ uuid: azahar, roles: ['admin'], active: true }]
    const made = await ask.post('users', { name: 'Nora Vidal', email: 'nora@azahar.example', businessUnits })
    expect((await auditOf(app, 'administrator_made')).map(({ object }) => object)).toEqual([made.body.data.uuid])
  })

  test.each([
    ['an address in use', { email: 'AGENT@rotta.example' }, 'email'],
    ['an invalid address', { email: 'nora' }, 'email'],
    ['two addresses in one', { email: 'a@b.example, c@d.example' }, 'email'],
    ['no name', { name: '   ' }, 'name'],
    ['an unknown unit', { businessUnits: [{ uuid: stableId('business-unit', 'x'), roles: ['seller'], active: true }] }, 'businessUnits'],
    ['an unknown role', { businessUnits: [{ uuid: azahar, roles: ['owner'], active: true }] }, 'businessUnits[0].roles[0]'],
    ['no unit', { businessUnits: [] }, 'businessUnits'],
    ['a password', { password: 'x' }, 'password'],
  ])('is refused with %s', async (_, wrong, path) => {
    const before = (await list({})).total
    const valid = { name: 'Nora', email: 'other@azahar.example', businessUnits: [{ uuid: azahar, roles: ['seller'], active: true }] }
    const reply = await ask.post('users', { ...valid, ...wrong })
    expect([reply.status, reply.body.fields?.[0]?.path]).toEqual([422, path])
    expect((await list({})).total).toBe(before)
  })
})

describe('changing a user', () => {
  test('sets roles at once and ends memberships that are left out', async () => {
    const multi = await signIn(app, 'multi@portolan.example')
    const uuid = await idOf('multi@portolan.example')
    const reply = await change(uuid, { businessUnits: [{ uuid: rotta, roles: ['viewer'], active: true }] })
    expect(reply.body.data.businessUnits).toMatchObject([
      { uuid: azahar, active: false },
      { uuid: rotta, roles: ['viewer'], active: true },
    ])
    const me = (await app.ask('/api/users/me', { headers: multi.headers })).body.data
    expect(me.businessUnits).toMatchObject([{ uuid: rotta, roles: ['viewer'] }])
    expect((await app.ask('/api/business-unit/settings', { headers: multi.headers })).body.error).toBe('session.unit_token')
    expect((await auditOf(app, 'user_changed')).at(-1)?.details).toMatchObject({
      businessUnits: { before: [{ active: true }, { active: true }] },
    })
  })

  test('to suspended ends sessions, refuses sign-ins, and audits the reason', async () => {
    const agent = await signIn(app, 'agent@rotta.example')
    const uuid = await idOf('agent@rotta.example')
    expect((await change(uuid, { active: false, reason: 'left the agency' })).status).toBe(200)
    expect((await app.ask('/api/users/me', { headers: agent.headers })).status).toBe(401)
    expect((await begin(app, 'agent@rotta.example')).reply.body.error).toBe('session.bad_credentials')
    expect((await auditOf(app, 'user_changed')).at(-1)).toMatchObject({
      reason: 'left the agency',
      details: { active: { before: true, after: false }, sessionsEnded: 1 },
    })
    await change(uuid, { active: true })
    expect((await app.ask('/api/users/me', { headers: agent.headers })).status).toBe(401)
    expect((await begin(app, 'agent@rotta.example')).reply.status).toBe(200)
  })

  test('returns 409 if another change came first', async () => {
    const uuid = await idOf('viewer@azahar.example')
    const [{ version }, changed] = [await view(uuid), await change(uuid, { name: 'Rosa Nueva' })]
    expect(changed.body.data.version).not.toBe(version)
    const late = await change(uuid, { version, name: 'Late' })
    expect([late.status, late.body.error]).toEqual([409, 'administration.changed_meanwhile'])
    expect((await view(uuid)).name).toBe('Rosa Nueva')
  })

  test('writes no audit entry if nothing differs', async () => {
    const before = (await auditOf(app, 'user_changed')).length
    expect((await change(await idOf('agent@azahar.example'), {})).status).toBe(200)
    expect(await auditOf(app, 'user_changed')).toHaveLength(before)
  })

  test('returns 404 for an unknown user', async () => {
    const unknown = stableId('user', 'unknown')
    const body = { version: 'x', name: 'Unknown', active: true, administrator: true, businessUnits: [] }
    expect((await ask.put(`users/${unknown}`, body)).status).toBe(404)
    expect((await ask.get(`users/${unknown}`)).status).toBe(404)
    expect((await ask.post(`users/${unknown}/end-sessions`)).status).toBe(404)
  })
})

describe('the sessions of a user', () => {
  test('end one by one or all together', async () => {
    const [one, other] = [await signIn(app, 'manager@azahar.example'), await signIn(app, 'manager@azahar.example')]
    const uuid = await idOf('manager@azahar.example')
    const { openSessions } = await view(uuid)
    expect(openSessions).toHaveLength(2)
    const first = await ask.post(`users/${uuid}/end-sessions`, { sessionUuid: openSessions[0].uuid })
    expect(first.body.data).toEqual({ ended: 1 })
    const replies = [one, other].map(async ({ headers }) => (await app.ask('/api/users/me', { headers })).status)
    expect((await Promise.all(replies)).toSorted((a, b) => a - b)).toEqual([200, 401])
    expect((await ask.post(`users/${uuid}/end-sessions`)).body.data).toEqual({ ended: 1 })
    expect((await auditOf(app, 'sessions_ended')).map(({ object }) => object)).toEqual([uuid, uuid])
  })

  test('do not end under another user’s id', async () => {
    await signIn(app, 'manager@azahar.example')
    const { openSessions } = await view(await idOf('manager@azahar.example'))
    const agent = await idOf('agent@azahar.example')
    expect((await ask.post(`users/${agent}/end-sessions`, { sessionUuid: openSessions[0].uuid })).body.data).toEqual({ ended: 0 })
  })
})

describe('an open invitation of an agency', () => {
  const email = 'marta@azahar.example'
  const invite = async (): Promise<string> => {
    const { headers } = await signIn(app, 'manager@azahar.example')
    const invited = await app.ask('/api/agency/users', { body: { name: 'Marta Gil', email, roles: ['manager'] }, headers })
    expect(invited.status).toBe(200)
    return idOf(email)
  }
  const link = async () => {
    await app.world.outbox.drain()
    const mails: { to: string; text: string }[] = (await app.ask('/dev/mail.json')).body
    const mail = mails.find(({ to }) => to === email)
    return /invitation#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }
  const accept = (token: string) => app.ask('/api/auth/invitation/accept', { body: { token, password: 'a password of her own' } })
  const members = async () => {
    const { headers } = await signIn(app, 'manager@azahar.example')
    const { users } = (await app.ask('/api/agency/users', { headers })).body.data
    return users.map((user: { email: string }) => user.email)
  }

  test('is shown, survives other changes, and closes when its unit is left out', async () => {
    const uuid = await invite()
    const first = await link()
    expect((await view(uuid)).businessUnits).toMatchObject([{ uuid: azahar, roles: ['manager'], active: false, invited: true }])
    expect((await change(uuid, { name: 'Marta Gil Ros' })).body.data.businessUnits).toMatchObject([{ invited: true }])
    expect((await app.ask('/api/auth/invitation', { body: { token: first } })).status).toBe(200)
    const closed = await change(uuid, { businessUnits: [], reason: 'must not come in' })
    expect(closed.body.data.businessUnits).toMatchObject([{ uuid: azahar, active: false, invited: false }])
    expect((await accept(first)).body.error).toBe('session.bad_token')
    expect(await members()).not.toContain(email)
    expect((await auditOf(app, 'user_changed')).at(-1)).toMatchObject({
      reason: 'must not come in',
      details: { businessUnits: { before: [{ invited: true }], after: [{ uuid: azahar, active: false }] } },
    })
    // The agency may invite again. Links that were mailed before stay void.
    expect(await invite()).toBe(uuid)
    expect((await accept(first)).body.error).toBe('session.bad_token')
    expect(await members()).toContain(email)
    expect((await accept(await link())).status).toBe(200)
    expect((await view(uuid)).businessUnits).toMatchObject([{ active: true, invited: false }])
  })

  test('is not mailed once it is closed', async () => {
    const { headers } = await signIn(app, 'manager@azahar.example')
    const body = { name: 'Iker Sanz', email: 'iker@azahar.example', roles: ['seller'] }
    expect((await app.ask('/api/agency/users', { body, headers })).status).toBe(200)
    await change(await idOf(body.email), { businessUnits: [] })
    await app.world.outbox.drain()
    const sent = await app.world.database.kysely
      .selectFrom('mails')
      .select(['state', 'reason'])
      .where('recipient_address', '=', body.email)
      .execute()
    expect(sent).toEqual([{ state: 'refused', reason: 'the invitation is open no longer' }])
  })
})

describe('a lost second factor', () => {
  const reason = 'called back, has lost the telephone'
  const turnOn = async (uuid: string) => {
    const { secrets, database, clock } = app.world
    const { secret, sealedBy } = secrets.seal(uuid, Buffer.alloc(20, 'x'))
    const at = clock.now()
    await database.kysely
      .insertInto('second_factors')
      .values({ user_id: uuid, secret, sealed_by: sealedBy, created_at: at, confirmed_at: at })
      .execute()
  }

  test('is reset by the administration alone for a user of two units, with a mail', async () => {
    const email = 'multi@portolan.example'
    const user = await signIn(app, email)
    const { uuid } = user.user
    await change(uuid, { businessUnits: [azahar, rotta].map(unit => ({ uuid: unit, roles: ['seller'], active: true })) })
    await turnOn(uuid)
    const manager = await signIn(app, 'manager@azahar.example')
    const refused = await app.ask(`/api/agency/users/${uuid}/reset-two-factor`, { body: {}, headers: manager.headers })
    expect(refused.body.error).toBe('agency.user_elsewhere')
    expect((await view(uuid)).twoFactor).toBe(true)
    expect((await begin(app, email)).reply.body.error).toBe('session.code_needed')
    expect((await ask.post(`users/${uuid}/reset-two-factor`)).status).toBe(422)
    const reset = await ask.post(`users/${uuid}/reset-two-factor`, { reason })
    expect(reset.body.data).toMatchObject({ uuid, twoFactor: false, openSessions: [] })
    expect((await app.ask('/api/users/me', { headers: user.headers })).status).toBe(401)
    expect((await auditOf(app, 'two_factor_reset')).at(-1)).toMatchObject({ object: uuid, reason, outcome: 'done' })
    await app.world.outbox.drain()
    const [mail] = (await app.ask('/dev/mail.json')).body
    expect([mail.to, mail.subject]).toEqual([email, 'Viajes Azahar: verificación en dos pasos retirada'])
    expect(mail.text).toContain('Portolan Admin ha retirado')
    // The user signs in with the password alone and can set the factor up again.
    const again = await signIn(app, email)
    const state = await app.ask('/api/users/me/two-factor', { headers: again.headers })
    expect(state.body.data).toMatchObject({ on: false, recoveryCodesLeft: 0 })
    const renewed = await app.ask('/api/users/me/two-factor', { body: { password: demoPassword }, headers: again.headers })
    expect(renewed.status).toBe(200)
    expect((await ask.post(`users/${uuid}/reset-two-factor`, { reason })).body.error).toBe('session.two_factor_off')
  })

  test('cannot be reset by its own user, nor for an unknown one', async () => {
    const own = await idOf('admin@portolan.example')
    await turnOn(own)
    expect((await ask.post(`users/${own}/reset-two-factor`, { reason })).body.error).toBe('session.forbidden')
    expect((await view(own)).twoFactor).toBe(true)
    expect((await ask.post(`users/${stableId('user', 'unknown')}/reset-two-factor`, { reason })).status).toBe(404)
  })
})

describe('the administration', () => {
  test('cannot be given up by its last administrator', async () => {
    const own = await idOf('admin@portolan.example')
    for (const changes of [
      { active: false },
      { businessUnits: [] },
      { businessUnits: [{ uuid: azahar, roles: ['seller'], active: true }] },
    ])
      expect((await change(own, changes)).body.error).toBe('administration.own_access')
    expect((await change(own, { administrator: true, businessUnits: [] })).status).toBe(200)
    expect((await ask.post('units/list')).status).toBe(200)
  })

  test('remains when two administrators remove each other at once', async () => {
    const made = await idOf('agent@azahar.example')
    expect((await change(made, { administrator: true })).status).toBe(200)
    const other = asker(app, await signIn(app, 'agent@azahar.example'))
    const own = await idOf('admin@portolan.example')
    expect((await change(own, { administrator: true, businessUnits: [] })).status).toBe(200)
    const removed = { administrator: false, businessUnits: [] }
    const replies = await Promise.all([change(made, removed), change(own, removed, other)])
    const [first, second] = replies.map(({ status }) => status).toSorted((a, b) => a - b)
    // The second change is refused on admission or by the lock.
    expect(first).toBe(200)
    expect([403, 409]).toContain(second)
    const left = await app.world.database.kysely.selectFrom('users').select('id').where('administrator', '=', true).execute()
    expect(left).toHaveLength(1)
  })
})

test('the command makes a first administrator, who chooses a password', async () => {
  const { world } = app
  const path = await makeAdministrator(world, 'first@portolan.example', 'Ada First')
  const token = path?.split('#token=')[1] ?? ''
  const password = 'a password of her own'
  expect((await app.ask('/api/auth/password/reset', { body: { token, password } })).status).toBe(200)
  const { reply, token: callback, flow } = await begin(app, 'first@portolan.example', password)
  expect(reply.status).toBe(200)
  const session = await app.ask('/api/auth/session', { body: { token: callback }, headers: { cookie: `flow=${flow}` } })
  expect(session.body.data.user.administrator).toBe(true)
  // The portal needs a unit to show.
  expect(session.body.data.user.businessUnits.map(({ name }: { name: string }) => name)).toEqual(['Viajes Azahar', 'Rotta Viaggi'])
  const headers = {
    authorization: `Bearer ${session.body.data.accessToken}`,
    'x-bunit-token': session.body.data.user.businessUnits[0].token,
  }
  expect((await app.ask('/products/_payload.json', { headers })).status).toBe(200)
})
