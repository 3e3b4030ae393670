import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { migrate } from '../migrate.ts'
import { ensureRoles, RolesMissing } from './ensure.ts'

// `npm run fault-tests -- --only versions` tests the same on the supported versions of PostgreSQL.

let database: Database
afterEach(() => database.close())

const run = (text: string) => database.pool.query(text)
const asUser = (name: string) => run(`set session authorization ${name}`)
const asAdministrator = () => asUser('postgres')

/** Opens a new server with the user that its administrator created for the service, with this privilege. */
async function freshServer(privilege: string): Promise<void> {
  const embedded = await openEmbedded({ memory: true })
  database = databaseOf(embedded.pool, true, () => embedded.close())
  await run(`create role keeper login ${privilege}`)
  await run('alter database postgres owner to keeper')
  await asUser('keeper')
}

const demandOf = (): Promise<string> =>
  ensureRoles(database.kysely).then(
    () => 'nothing',
    (error: Error) => (error instanceof RolesMissing ? error.message : Promise.reject(error)),
  )

test('without CREATEROLE a start prints the SQL that an administrator must run first', async () => {
  await freshServer('nocreaterole')
  const demand = await demandOf()
  expect(demand).not.toContain('\n')
  const [, statements = ''] = demand.split('Let an administrator of the server run: ')
  expect(statements.split('; ')).toEqual([
    'create role portolan_app nologin nobypassrls',
    'grant portolan_app to "keeper"',
    'create role portolan_admin nologin nobypassrls',
    'grant portolan_admin to "keeper"',
    'create role portolan_service nologin nobypassrls',
    'grant portolan_service to "keeper"',
    'create role portolan_privacy nologin nobypassrls',
    'grant portolan_privacy to "keeper";',
  ])
  await expect(migrate(database)).rejects.toThrow(RolesMissing)
  await asAdministrator()
  await run(statements)
  await asUser('keeper')
  expect((await migrate(database)).length).toBeGreaterThan(20)
  expect(await migrate(database)).toEqual([])

  // Without a role the owner sees no unit's row and writes none; as the service it does.
  const unit = `insert into business_units (id, key, settings, created_at, updated_at) values (gen_random_uuid(), 'one', '{}', now(), now())`
  await expect(run(unit)).rejects.toThrow(/row-level security/)
  await database.asService(tx => sql.raw(unit).execute(tx))
  expect((await run('select key from business_units')).rows).toEqual([])
  expect(await database.asService(tx => tx.selectFrom('business_units').select('key').execute())).toEqual([{ key: 'one' }])
})

test('a role that cannot be set, or that bypasses row-level security, is named', async () => {
  await freshServer('nocreaterole')
  await asAdministrator()
  for (const role of ['portolan_app', 'portolan_admin', 'portolan_service', 'portolan_privacy']) await run(`create role ${role} nologin`)
  await run('grant portolan_app to keeper with set false')
  await run('grant portolan_admin, portolan_service, portolan_privacy to keeper')
  await run('alter role portolan_admin bypassrls')
  await asUser('keeper')
  expect(await demandOf()).toMatch(/: grant portolan_app to "keeper"; alter role portolan_admin nosuperuser nobypassrls;$/)
})

test('with CREATEROLE several concurrent starts create the roles and can set each', async () => {
  await freshServer('createrole')
  await Promise.all([1, 2, 3].map(() => ensureRoles(database.kysely)))
  for (const role of ['portolan_app', 'portolan_admin', 'portolan_service', 'portolan_privacy']) {
    await run(`set role ${role}`)
    await run('reset role')
  }
})
