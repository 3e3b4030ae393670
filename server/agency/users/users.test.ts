import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { roles } from '#common/session/roles.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { auditRows, begin, demoPassword, demoScope, giveRoles, type SignedIn, signIn } from '#server/session/testing.ts'
import { describeMember } from './describe.ts'
import { permissionsNow } from './locked-members.ts'
import type { Member } from './queries.ts'

let app: TestApp
let manager: SignedIn
let now: Date

beforeEach(async () => {
  now = new Date('2026-11-20T10:00:00Z')
  app = await testApp({ PUBLIC_URL: 'http://portal.example' }, { clock: { now: () => now } })
  manager = await signIn(app, 'manager@azahar.example')
})
afterEach(() => app.stop())

type User = { uuid: string; email: string; name: string; roles: string[]; state: string; changeable: boolean; self: boolean }
const list = async ({ headers } = manager): Promise<{ users: User[]; assignable: string[] }> =>
  (await app.ask('/api/agency/users', { headers })).body.data
const idOf = async (email: string, user = manager) => (await list(user)).users.find(each => each.email === email)?.uuid ?? ''
const ask = (method: string, path: string, body: unknown, { headers } = manager) =>
  app.ask(`/api/agency/users${path}`, { method, body, headers })
const change = async (email: string, body: object, user = manager) => ask('PUT', `/${await idOf(email)}`, body, user)
const invite = (more: object = {}, user = manager) =>
  ask('POST', '', { name: 'Marta Gil', email: 'marta@azahar.example', roles: ['seller'], ...more }, user)
const mails = async (): Promise<{ to: string; subject: string; text: string }[]> => {
  await app.world.outbox.drain()
  return (await app.ask('/dev/mail.json')).body
}
const tokenIn = (mail: { text: string } | undefined) =>
  /http:\/\/portal\.example\/auth\/invitation#token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
const accept = (token: string, password?: string) =>
  app.ask('/api/auth/invitation/accept', { body: { token, ...(password ? { password } : {}) } })
const password = 'a password of her own'

describe('the list of users', () => {
  test('shows roles, state, last sign-in, and what the caller may change', async () => {
    const { users, assignable } = await list()
    expect(users.map(({ email }) => email)).toEqual([
      'manager@azahar.example',
      'viewer@azahar.example',
      'admin2@portolan.example',
      'agent@azahar.example',
      'multi@portolan.example',
      'admin@portolan.example',
      'accounts@azahar.example',
    ])
    expect(users[0]).toMatchObject({
      self: true,
      changeable: true,
      roles: ['manager'],
      state: 'active',
      active: true,
      sessions: 1,
      twoFactor: false,
      lastSignInAt: now.toISOString(),
    })
    expect(users.filter(({ changeable }) => !changeable).map(({ email }) => email)).toEqual([
      'admin2@portolan.example',
      'admin@portolan.example',
    ])
    expect(assignable).toEqual(['viewer', 'seller', 'freelancer', 'accountant', 'manager'])
    const look = await auditRows(app, 'agency.users_look')
    expect(look.at(-1)).toMatchObject({ user_id: manager.user.uuid, business_unit_id: manager.user.businessUnits[0].uuid })
  })

  test('shows shares of the commission to those who may change users', () => {
    // Safe: describeMember reads these facts alone.
    const member = { userId: manager.user.uuid, roles: ['seller'], active: true, userActive: true, shareBp: 3250 } as Member
    const shareFor = (permissions: readonly string[]) => {
      // Safe: for the same reason.
      const caller = { ...manager, userId: crypto.randomUUID(), unit: { permissions, scope: demoScope('azahar') } } as never
      return describeMember(caller, member).commissionShare
    }
    expect([shareFor(roles.manager), shareFor(['b2b-users-view'])]).toEqual([32.5, null])
  })

  test('needs the permission, as do all changes', async () => {
    const agent = await signIn(app, 'agent@azahar.example')
    const statuses = [
      (await app.ask('/api/agency/users', { headers: agent.headers })).status,
      (await invite({}, agent)).status,
      (await change('viewer@azahar.example', { active: false }, agent)).status,
      (await ask('POST', `/${manager.user.uuid}/end-sessions`, {}, agent)).status,
      (await ask('DELETE', `/${manager.user.uuid}`, {}, agent)).status,
    ]
    expect(statuses).toEqual([403, 403, 403, 403, 403])
  })

  test('makes another unit’s users look unknown (404) (attack A01)', async () => {
    const rotta = await signIn(app, 'admin@portolan.example', 'Rotta Viaggi')
    const theirs = await idOf('agent@rotta.example', rotta)
    expect(theirs).not.toBe('')
    for (const [method, path] of [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/invite'],
      ['POST', '/end-sessions'],
      ['POST', '/reset-two-factor'],
    ] as const) {
      const [foreign, none] = await Promise.all([theirs, crypto.randomUUID()].map(id => ask(method, `/${id}${path}`, {})))
      expect(foreign?.status, method + path).toBe(404)
      expect({ ...foreign?.body, requestId: '' }).toEqual({ ...none?.body, requestId: '' })
    }
    expect((await list()).users.some(({ email }) => email === 'agent@rotta.example')).toBe(false)
  })
})

describe('inviting a user', () => {
  test('mails a link on which the user chooses a password and joins', async () => {
    const invited = await invite({ name: ' Marta  Gil ', email: 'Marta@Azahar.example' })
    expect(invited.body.data).toMatchObject({
      name: 'Marta Gil',
      email: 'marta@azahar.example',
      roles: ['seller'],
      state: 'invited',
      active: true,
      lastSignInAt: null,
    })
    const [mail] = await mails()
    expect([mail?.to, mail?.subject]).toEqual(['marta@azahar.example', 'Andrés Molina le invita a unirse a Viajes Azahar'])
    const token = tokenIn(mail)
    expect((await begin(app, 'marta@azahar.example', password)).reply.status).toBe(401)
    const shown = await app.ask('/api/auth/invitation', { body: { token } })
    expect(shown.body.data).toEqual({ brandName: 'Viajes Azahar', name: 'Marta Gil', email: 'marta@azahar.example', choosesPassword: true })
    expect((await accept(token)).body.fields[0]).toMatchObject({ path: 'password', rule: 'required' })
    expect((await accept(token, 'short')).status).toBe(422)
    expect((await accept(token, password)).body.data).toEqual({ email: 'marta@azahar.example' })
    expect((await accept(token, password)).status).toBe(401)
    expect((await begin(app, 'marta@azahar.example', password)).reply.status).toBe(200)
    expect((await list()).users.find(({ email }) => email === 'marta@azahar.example')).toMatchObject({ state: 'active', name: 'Marta Gil' })
  })

  test('to administer is noted when sent and when accepted, as is a promotion', async () => {
    const first = await signIn(app, 'admin@portolan.example')
    await invite({ roles: ['admin'] }, first)
    const token = tokenIn((await mails()).find(({ to }) => to === 'marta@azahar.example'))
    now = new Date(now.getTime() + 3_600_000)
    expect((await accept(token, password)).status).toBe(200)
    now = new Date(now.getTime() + 1000)
    const uuid = await idOf('marta@azahar.example')
    const agent = await idOf('agent@azahar.example')
    await change('agent@azahar.example', { roles: ['admin'] }, first)
    await change('agent@azahar.example', { roles: ['admin', 'seller'] }, first)
    const made = await auditRows(app, 'administration.administrator_made')
    expect(made.map(({ object, user_id }) => [object, user_id])).toEqual([
      [uuid, first.user.uuid],
      [uuid, uuid],
      [agent, first.user.uuid],
    ])
  })

  test('to administer a second agency is not noted for someone who administers already', async () => {
    const first = await signIn(app, 'admin@portolan.example')
    const rotta = await signIn(app, 'admin@portolan.example', 'Rotta Viaggi')
    await change('agent@azahar.example', { roles: ['admin'] }, first)
    expect((await invite({ email: 'agent@azahar.example', roles: ['admin'] }, rotta)).status).toBe(200)
    const token = tokenIn((await mails()).find(({ to, text }) => to === 'agent@azahar.example' && text.includes('/auth/invitation')))
    expect((await accept(token)).status).toBe(200)
    expect((await auditRows(app, 'administration.administrator_made')).map(({ user_id }) => user_id)).toEqual([first.user.uuid])
  })

  test('gives a link that works once, and for three days', async () => {
    await invite()
    const token = tokenIn((await mails())[0])
    const both = await Promise.all([accept(token, password), accept(token, password)])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '401'])
    await invite({ email: 'late@azahar.example' })
    const late = tokenIn((await mails())[0])
    now = new Date(now.getTime() + 3 * 86_400_000 + 1000)
    expect([(await app.ask('/api/auth/invitation', { body: { token: late } })).status, (await accept(late, password)).status]).toEqual([
      401, 401,
    ])
  })

  test('voids earlier links when resent, and all links when revoked', async () => {
    const { uuid } = (await invite()).body.data
    const former = tokenIn((await mails())[0])
    expect((await ask('POST', `/${uuid}/invite`, {})).status).toBe(200)
    const latter = tokenIn((await mails()).find(mail => tokenIn(mail) !== former))
    expect((await accept(former, password)).status).toBe(401)
    expect((await ask('POST', `/${uuid}/invite`, {})).status).toBe(200)
    expect((await ask('DELETE', `/${uuid}`, {})).body.data).toEqual({ withdrawn: true })
    expect((await accept(latter, password)).status).toBe(401)
    const count = (await app.world.database.kysely.selectFrom('mails').select('state').execute()).length
    await mails()
    const rows = await app.world.database.kysely.selectFrom('mails').select(['state', 'reason']).orderBy('at').orderBy('id').execute()
    expect([count, rows.filter(({ state }) => state === 'refused').map(({ reason }) => reason)]).toEqual([
      3,
      ['the invitation is open no longer'],
    ])
    expect(await idOf('marta@azahar.example')).toBe('')
    expect((await ask('POST', `/${await idOf('agent@azahar.example')}/invite`, {})).body.error).toBe('agency.not_invited')
    expect((await ask('DELETE', `/${await idOf('agent@azahar.example')}`, {})).body.error).toBe('agency.not_invited')
  })

  test('reveals nothing of a user of another agency, who keeps name and password', async () => {
    const reply = await invite({ name: 'Julia P.', email: 'agent@rotta.example' })
    const { uuid: _, invitedAt: __, ...member } = reply.body.data
    expect(member).toEqual({
      name: 'Julia P.',
      email: 'agent@rotta.example',
      roles: ['seller'],
      state: 'invited',
      active: true,
      lastSignInAt: null,
      sessions: 0,
      twoFactor: false,
      commissionShare: null,
      self: false,
      changeable: true,
    })
    const giulia = await signIn(app, 'agent@rotta.example')
    expect(giulia.user.businessUnits).toHaveLength(1)
    const token = tokenIn((await mails())[0])
    expect((await app.ask('/api/auth/invitation', { body: { token } })).body.data.choosesPassword).toBe(false)
    expect((await accept(token, 'another password')).status).toBe(422)
    expect((await accept(token)).status).toBe(200)
    const again = await signIn(app, 'agent@rotta.example')
    expect(again.user).toMatchObject({ name: 'Giulia Parodi', businessUnits: [{ name: 'Rotta Viaggi' }, { name: 'Viajes Azahar' }] })
    expect((await change('agent@rotta.example', { name: 'X' })).body.error).toBe('agency.user_elsewhere')
    expect((await ask('POST', `/${await idOf('agent@rotta.example')}/reset-two-factor`, {})).body.error).toBe('agency.user_elsewhere')
  })

  test('shows an id that differs from the user’s own, and has the same form for each', async () => {
    const known = (await invite({ email: 'agent@rotta.example' })).body.data.uuid
    const fresh = (await invite()).body.data.uuid
    const users = await app.world.database.kysely.selectFrom('users').select(['id', 'email']).execute()
    expect(users.filter(({ id }) => [known, fresh].includes(id))).toEqual([])
    expect([known[14], fresh[14]]).toEqual(['8', '8'])
    expect(await idOf('agent@rotta.example')).toBe(known)
    expect((await ask('PUT', `/${known}`, { roles: ['viewer'] })).body.data).toMatchObject({ uuid: known, roles: ['viewer'] })
    const own = users.find(({ email }) => email === 'agent@rotta.example')?.id
    expect((await ask('DELETE', `/${own}`, {})).status).toBe(404)
  })

  test('refuses members, invalid emails and more than one address', async () => {
    expect((await invite({ email: 'agent@azahar.example' })).body.fields[0]).toMatchObject({ path: 'email', rule: 'unique' })
    const both = await Promise.all([invite(), invite()])
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['200', '422'])
    for (const email of ['x', 'a@x.test\r\nBcc: e@e.test', 'a@x.test, e@e.test', 'g:e1@e.test,e2@e.test;', '"A" <a@x.test>'])
      expect((await invite({ email })).body.fields?.[0], email).toMatchObject({ path: 'email' })
    for (const wrong of [{ name: ' ' }, { roles: [] }, { roles: ['owner'] }, { active: false }, { password: 'x' }])
      expect((await invite({ email: 'new@azahar.example', ...wrong })).status, JSON.stringify(wrong)).toBe(422)
    expect(await mails()).toHaveLength(1)
  })

  test('happens once when the request is repeated with its key', async () => {
    const again = { ...manager, headers: { ...manager.headers, 'idempotency-key': 'one' } }
    const [first, second] = [await invite({}, again), await invite({}, again)]
    expect([first.status, second.text]).toEqual([200, first.text])
    expect(await mails()).toHaveLength(1)
  })

  test('is limited to sixty invitations an hour (attack G94)', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 61; count++) statuses.push((await invite({ email: `n${count}@azahar.example` })).status)
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([200]), 429])
  })
})

describe('changing a user', () => {
  test('sets name and roles, but not the email', async () => {
    const { body } = await change('viewer@azahar.example', {
      name: 'Carmen Ibáñez Ruiz',
      email: 'Viewer@azahar.example',
      roles: ['seller', 'seller'],
      active: true,
    })
    expect(body.data).toMatchObject({ name: 'Carmen Ibáñez Ruiz', roles: ['seller'], email: 'viewer@azahar.example' })
    expect((await change('viewer@azahar.example', { email: 'evil@azahar.example' })).body.error).toBe('agency.email_fixed')
    const entries = (await auditRows(app, 'agency.user_changed')).filter(({ outcome }) => outcome === 'done')
    expect(entries.at(-1)?.details).toEqual({
      name: { before: 'Carmen Ibáñez', after: 'Carmen Ibáñez Ruiz' },
      roles: { before: ['viewer'], after: ['seller'] },
    })
  })

  test('changes an open invitation without affecting its user', async () => {
    await invite({ email: 'agent@rotta.example' })
    expect((await change('agent@rotta.example', { name: 'Jules', roles: ['viewer'] })).body.data).toMatchObject({
      name: 'Jules',
      roles: ['viewer'],
      state: 'invited',
    })
    expect((await change('agent@rotta.example', { active: false })).body.error).toBe('agency.still_invited')
    expect((await signIn(app, 'agent@rotta.example')).user.name).toBe('Giulia Parodi')
    await change('agent@rotta.example', { active: true })
    expect((await signIn(app, 'agent@rotta.example')).user.businessUnits).toHaveLength(1)
  })

  test('refuses roles above the caller’s own and users with such roles', { tags: 'S6.5' }, async () => {
    const attempts = [
      await invite({ roles: ['admin'] }),
      await change('agent@azahar.example', { roles: ['admin'] }),
      await change('manager@azahar.example', { roles: ['manager', 'admin'] }),
      await change('admin@portolan.example', { active: false }),
      await change('admin@portolan.example', { roles: ['viewer'] }),
      await ask('POST', `/${await idOf('admin@portolan.example')}/end-sessions`, {}),
      await ask('POST', `/${await idOf('admin@portolan.example')}/reset-two-factor`, {}),
    ]
    expect(attempts.map(({ body }) => body.error)).toEqual(Array(7).fill('agency.above_own'))
    const { kysely } = app.world.database
    const counted = await kysely
      .selectFrom('audit_repeats')
      .select(['audit_id', 'times'])
      .where('reason', '=', 'agency.above_own')
      .execute()
    expect(counted.reduce((sum, { times }) => sum + times, 0)).toBe(7)
    const entries = await kysely.selectFrom('audit').select('id').where('reason', '=', 'agency.above_own').execute()
    expect(entries.map(({ id }) => id).toSorted()).toEqual(counted.map(({ audit_id }) => audit_id).toSorted())
    const admin = await signIn(app, 'admin@portolan.example')
    expect((await change('agent@azahar.example', { roles: ['admin'] }, admin)).status).toBe(200)
  })

  test('ends a suspended user’s sessions, and a reinstated one signs in anew', async () => {
    const agent = await signIn(app, 'agent@azahar.example')
    expect((await change('agent@azahar.example', { active: false })).body.data).toMatchObject({
      state: 'suspended',
      active: false,
      sessions: 0,
    })
    expect((await app.ask('/api/users/me', { headers: agent.headers })).status).toBe(401)
    expect((await change('agent@azahar.example', { active: true })).body.data.state).toBe('active')
    now = new Date(now.getTime() + 1)
    expect((await signIn(app, 'agent@azahar.example')).user.businessUnits).toHaveLength(1)
  })

  test('keeps a suspended user’s sessions at other agencies', async () => {
    const multi = await signIn(app, 'multi@portolan.example', 'Rotta Viaggi')
    const azahar = { ...multi.headers, 'x-bunit-token': multi.user.businessUnits[0].token }
    await change('multi@portolan.example', { active: false })
    const statusWith = async (headers: Record<string, string>) => (await app.ask('/api/business-unit/settings', { headers })).status
    expect([await statusWith(azahar), await statusWith(multi.headers)]).toEqual([403, 200])
  })

  test('ends a user’s sessions, except for the caller’s present one', async () => {
    const [agent, other] = [await signIn(app, 'agent@azahar.example'), await signIn(app, 'manager@azahar.example')]
    expect((await ask('POST', `/${await idOf('agent@azahar.example')}/end-sessions`, {})).body.data).toEqual({ ended: 1 })
    expect((await ask('POST', `/${manager.user.uuid}/end-sessions`, {})).body.data).toEqual({ ended: 1 })
    const statusOf = async ({ headers }: SignedIn) => (await app.ask('/api/users/me', { headers })).status
    expect([await statusOf(agent), await statusOf(other), await statusOf(manager)]).toEqual([401, 401, 200])
  })

  test('resets another user’s second factor, but not the caller’s own', async () => {
    const { kysely } = app.world.database
    const id = await idOf('agent@azahar.example')
    for (const user_id of [id, manager.user.uuid])
      await kysely
        .insertInto('second_factors')
        .values({ user_id, secret: Buffer.alloc(20), created_at: now, confirmed_at: now })
        .execute()
    expect((await begin(app, 'agent@azahar.example')).reply.body.error).toBe('session.code_needed')
    expect((await ask('POST', `/${id}/reset-two-factor`, {})).body.data.twoFactor).toBe(false)
    expect((await begin(app, 'agent@azahar.example')).reply.status).toBe(200)
    expect((await ask('POST', `/${manager.user.uuid}/reset-two-factor`, {})).status).toBe(403)
  })
})

describe('an administrator of the service who is a member of an agency', () => {
  const mark = (email: string) =>
    app.world.database.kysely.updateTable('users').set({ administrator: true }).where('email', '=', email).execute()
  const agent = 'agent@azahar.example'
  beforeEach(() => mark(agent))

  test('cannot be changed by its managers, whatever the membership’s roles', async () => {
    const { kysely } = app.world.database
    const id = await idOf(agent)
    await kysely
      .insertInto('second_factors')
      .values({ user_id: id, secret: Buffer.alloc(20), created_at: now, confirmed_at: now })
      .execute()
    const attempts = [
      await ask('POST', `/${id}/reset-two-factor`, {}),
      await ask('POST', `/${id}/end-sessions`, {}),
      await change(agent, { name: 'X' }),
      await change(agent, { roles: ['viewer'] }),
      await change(agent, { active: false }),
    ]
    expect(attempts.map(({ body }) => body.error)).toEqual(Array(5).fill('agency.above_own'))
    expect((await list()).users.find(({ uuid }) => uuid === id)).toMatchObject({
      name: 'Lucía Ferrer',
      roles: ['seller'],
      changeable: false,
    })
    expect(await kysely.selectFrom('second_factors').select('user_id').where('user_id', '=', id).execute()).toHaveLength(1)
  })

  test('may use every role and user that the list offers', async () => {
    const admin = await signIn(app, agent)
    const { users, assignable } = await list(admin)
    expect(assignable).toContain('admin')
    expect(users.every(({ changeable }) => changeable)).toBe(true)
    expect((await change('viewer@azahar.example', { roles: ['manager'] }, admin)).body.data?.roles).toEqual(['manager'])
    expect((await invite({ roles: ['admin'] }, admin)).status).toBe(200)
  })

  test('looks like any other user while only invited', async () => {
    await mark('agent@rotta.example')
    const { uuid } = (await invite({ email: 'agent@rotta.example' })).body.data
    expect((await list()).users.find(user => user.uuid === uuid)).toMatchObject({ state: 'invited', changeable: true })
    expect((await ask('DELETE', `/${uuid}`, {})).status).toBe(200)
  })
})

test('the last administrator cannot give up the administration through units', async () => {
  const inUnit = (name: string) => signIn(app, 'admin@portolan.example', name)
  const azahar = await inUnit('Viajes Azahar')
  const own = `/${azahar.user.uuid}`
  expect((await ask('PUT', own, { roles: ['seller'] }, azahar)).status).toBe(200)
  const rotta = await inUnit('Rotta Viaggi')
  for (const body of [{ roles: ['seller'] }, { active: false }])
    expect((await ask('PUT', own, body, rotta)).body.error).toBe('administration.own_access')
  expect((await ask('PUT', own, { roles: ['seller', 'admin'] }, rotta)).status).toBe(200)
  const entries = await app.world.database.kysely
    .selectFrom('audit')
    .selectAll()
    .where('reason', '=', 'administration.own_access')
    .execute()
  expect(entries).toHaveLength(2)
})

describe('the last manager of an agency', () => {
  test('cannot be suspended or demoted, by themselves or by an administrator', async () => {
    const admin = await signIn(app, 'admin@portolan.example')
    for (const user of [manager, admin])
      for (const body of [{ active: false }, { roles: ['seller'] }])
        expect((await change('manager@azahar.example', body, user)).body.error).toBe('agency.last_manager')
    expect((await change('agent@azahar.example', { roles: ['manager'] })).status).toBe(200)
    expect((await change('manager@azahar.example', { roles: ['seller'] })).status).toBe(200)
  })

  test('is not replaced by a manager whose user is suspended as a whole', { tags: 'S6.5' }, async () => {
    await change('agent@azahar.example', { roles: ['manager'] })
    const setActive = (active: boolean) =>
      app.world.database.kysely.updateTable('users').set({ active }).where('email', '=', 'agent@azahar.example').execute()
    await setActive(false)
    expect((await change('manager@azahar.example', { roles: ['seller'] })).body.error).toBe('agency.last_manager')
    await setActive(true)
    expect((await change('manager@azahar.example', { roles: ['seller'] })).status).toBe(200)
  })

  test('remains when two managers suspend each other at once', async () => {
    await change('agent@azahar.example', { roles: ['manager'] })
    const second = await signIn(app, 'agent@azahar.example')
    const [one, other] = [manager.user.uuid, second.user.uuid]
    const replies = await Promise.all([ask('PUT', `/${other}`, { active: false }), ask('PUT', `/${one}`, { active: false }, second)])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const active = (
      await app.world.database.kysely
        .selectFrom('memberships')
        .select('user_id')
        .where('active', '=', true)
        .where('user_id', 'in', [one, other])
        .execute()
    ).length
    expect(active).toBe(1)
  })

  test('still needs the permission at the lock, not only at admission', async () => {
    const permissions = [...roles.manager]
    // Safe: permissionsNow reads only the caller's id, and these facts of a member.
    const caller = { ...manager, userId: manager.user.uuid, unit: { permissions, scope: demoScope('azahar') } } as never
    // Safe: for the same reason.
    const own = { userId: manager.user.uuid, roles: ['manager'], active: true, userActive: true } as Member
    expect(permissionsNow(caller, [own])).toContain('b2b-users-update')
    expect(permissionsNow(caller, [{ ...own, administrator: true }])).toContain('b2b-admin')
    for (const less of [{ active: false }, { userActive: false }, { roles: ['seller'] }, { userId: crypto.randomUUID() }])
      expect(() => permissionsNow(caller, [{ ...own, ...less }])).toThrow('session.forbidden')
  })

  test('remains when two managers step down at once', async () => {
    await change('agent@azahar.example', { roles: ['manager'] })
    const second = await signIn(app, 'agent@azahar.example')
    const replies = await Promise.all([
      ask('PUT', `/${manager.user.uuid}`, { roles: ['seller'] }),
      ask('PUT', `/${second.user.uuid}`, { roles: ['seller'] }, second),
    ])
    expect(replies.map(({ body }) => String(body.error ?? 'done')).toSorted()).toEqual(['agency.last_manager', 'done'])
  })
})

test('an invitation of one unit does not open another', async () => {
  await invite()
  const token = tokenIn((await mails())[0])
  await accept(token, demoPassword)
  const rows = await app.world.database.kysely
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('business_unit_id')
    .where('email', '=', 'marta@azahar.example')
    .execute()
  expect(rows).toEqual([{ business_unit_id: manager.user.businessUnits[0].uuid }])
})

describe('a user of two agencies (attack A115)', () => {
  const email = 'multi@portolan.example'
  const tick = () => {
    now = new Date(now.getTime() + 1000)
  }
  const statusesOf = async ({ headers, user }: SignedIn) => {
    const statusIn = async (index: number) =>
      (await app.ask('/api/business-unit/settings', { headers: { ...headers, 'x-bunit-token': user.businessUnits[index].token } })).status
    return [await statusIn(0), await statusIn(1)]
  }

  test('is signed out of one agency alone, until the next sign-in', async () => {
    const multi = await signIn(app, email)
    expect(multi.user.businessUnits.map(({ name }: { name: string }) => name)).toEqual(['Viajes Azahar', 'Rotta Viaggi'])
    tick()
    expect((await ask('POST', `/${await idOf(email)}/end-sessions`, {})).body.data).toEqual({ ended: null })
    expect(await statusesOf(multi)).toEqual([403, 200])
    tick()
    expect(await statusesOf(await signIn(app, email))).toEqual([200, 200])
    expect(await statusesOf(multi)).toEqual([403, 200])
  })

  test('is suspended in one agency alone, and old sessions stay shut after it', async () => {
    const multi = await signIn(app, email)
    tick()
    await change(email, { active: false })
    await change(email, { active: true })
    expect(await statusesOf(multi)).toEqual([403, 200])
    const { kysely } = app.world.database
    expect(await kysely.selectFrom('sessions').select('id').where('ended_at', 'is not', null).execute()).toEqual([])
  })

  test('shows their sign-ins and sessions to themselves alone', async () => {
    await signIn(app, email)
    const { users } = await list()
    expect(users.find(user => user.email === email)).toMatchObject({ lastSignInAt: null, sessions: null, roles: ['seller'] })
    await giveRoles(app, email, ['manager'])
    const self = (await list(await signIn(app, email))).users.find(user => user.email === email)
    expect(self).toMatchObject({ sessions: 2, lastSignInAt: now.toISOString() })
  })
})
