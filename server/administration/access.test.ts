import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stableId } from '#server/kit/store/stable-id.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { allUnits, scopeOf } from '#server/session/scope.ts'
import { signIn } from '#server/session/testing.ts'
import { asker } from './testing.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app.stop())

const azahar = stableId('business-unit', 'azahar')
const served = () => app.context.served.filter(({ path }) => path.startsWith('/api/administration/'))

describe('the administration', () => {
  test.each(['agent@azahar.example', 'manager@azahar.example', 'viewer@azahar.example', 'agent@rotta.example', 'multi@portolan.example'])(
    'refuses %s at every call with 403 and audits it',
    { tags: 'S6.3' },
    async email => {
      const { accessToken, headers } = await signIn(app, email)
      expect(served().length).toBeGreaterThan(20)
      for (const { method, path } of served())
        for (const sent of [{ authorization: `Bearer ${accessToken}` }, headers]) {
          const url = path.replace('{uuid}', azahar)
          const reply = await app.ask(url, { method, headers: sent, ...(method === 'GET' ? {} : { body: {} }) })
          expect([reply.status, reply.body.error, reply.body.data], `${method} ${path}`).toEqual([403, 'session.forbidden', undefined])
        }
      const entries = await app.world.database.kysely
        .selectFrom('audit')
        .innerJoin('users', 'users.id', 'audit.user_id')
        .innerJoin('audit_repeats', 'audit_id', 'audit.id')
        .where('users.email', '=', email)
        .where('audit.outcome', '=', 'refused')
        .where('audit.reason', '=', 'session.forbidden administration')
        .select('times')
        .execute()
      expect(entries.reduce((sum, { times }) => sum + times, 0)).toBe(served().length * 2)
    },
  )

  test('refuses callers who are not signed in', async () => {
    for (const { method, path } of served()) {
      const reply = await app.ask(path.replace('{uuid}', azahar), { method, ...(method === 'GET' ? {} : { body: {} }) })
      expect(reply.status, `${method} ${path}`).toBe(401)
    }
  })

  test('admits an administrator of the service without a unit or its token', async () => {
    await app.world.database.kysely
      .insertInto('users')
      .columns(['id', 'email', 'name', 'password_hash', 'administrator', 'created_at'])
      .expression(
        sql`select ${app.world.ids.next()}::uuid, 'operator@portolan.example', 'Operator', password_hash, true, now() from users where email = 'admin@portolan.example'`,
      )
      .execute()
    const operator = await signIn(app, 'operator@portolan.example')
    expect(operator.user).toMatchObject({ administrator: true, businessUnits: [], permissions: [] })
    expect((await asker(app, operator).post('units/list')).body.data.total).toBe(2)
    expect((await app.ask('/api/business-unit/settings', { headers: operator.headers })).status).toBe(403)
  })

  test('gives an administrator of the service all permissions in their units', async () => {
    const mark = (administrator: boolean) =>
      app.world.database.kysely.updateTable('users').set({ administrator }).where('email', '=', 'viewer@azahar.example').execute()
    await mark(true)
    const { user, headers } = await signIn(app, 'viewer@azahar.example')
    expect(user.businessUnits[0].permissions).toContain('b2b-admin')
    expect((await app.ask('/api/agency/users', { headers })).status).toBe(200)
    await mark(false)
    expect((await app.ask('/api/agency/users', { headers })).status).toBe(403)
  })

  test('needs a second factor if one of the administrator’s units requires it', async () => {
    const require = (wanted: boolean) =>
      app.world.database.kysely
        .updateTable('business_units')
        .set({ settings: sql`jsonb_set(settings, '{twoFactorRequired}', ${JSON.stringify(wanted)}::jsonb)` })
        .where('id', '=', azahar)
        .execute()
    const ask = asker(app, await signIn(app, 'admin@portolan.example'))
    await require(true)
    expect((await ask.post('units/list')).body.error).toBe('session.two_factor_needed')
    await require(false)
    expect((await ask.post('units/list')).status).toBe(200)
  })

  test('is marked in the signed-in user’s description', async () => {
    const isAdministrator = async (email: string) => (await signIn(app, email)).user.administrator
    expect([await isAdministrator('admin@portolan.example'), await isAdministrator('manager@azahar.example')]).toEqual([true, false])
  })
})

describe('the database role of the administration', () => {
  test.each([
    'update audit set action = action',
    'delete from audit',
    'truncate audit',
    'select password_hash from users',
    'update users set password_hash = null',
    'select token_hash from sessions',
    'select * from one_time_tokens',
    'select * from policy_people',
    'update policies set status = status',
    'update payments set state = state',
    'delete from business_units',
    'update jobs set payload = payload',
    'insert into held_jobs (since) values (now())',
    'update mails set recipient_address = recipient_address',
    'update payment_reviews set details = details',
    'select secret from second_factors',
    'update second_factors set secret = secret',
    'delete from second_factors',
    'select * from recovery_codes',
  ])('may not run: %s', async statement => {
    await expect(app.world.database.acrossUnits(allUnits, tx => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied/)
  })

  test('cannot change the audit, and nor can the units’ role', async () => {
    const scope = scopeOf(azahar)
    for (const statement of ['update audit set action = action', 'delete from audit'])
      await expect(app.world.database.inScope(scope, tx => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied/)
  })

  test('and even the tables’ owner lack the right to change the audit', async () => {
    const { rows } = await sql<{ privilege: string }>`
      select acl.privilege_type as privilege from pg_class, aclexplode(relacl) as acl
      where relname = 'audit' and acl.grantee = relowner order by 1`.execute(app.world.database.kysely)
    const held = rows.map(({ privilege }) => privilege)
    expect(held).toEqual(expect.arrayContaining(['INSERT', 'SELECT']))
    for (const privilege of ['UPDATE', 'DELETE', 'TRUNCATE']) expect(held).not.toContain(privilege)
  })
})
