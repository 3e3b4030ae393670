import { renameSync, writeFileSync } from 'node:fs'
import { type Config, readConfig } from '#server/config.ts'
import { prepare } from '#server/database/prepare.ts'
import { databaseOf, openDatabase } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { dropIn, keepTemplate, urlOf } from '#server/kit/store/testing-copies.ts'
import { inServer } from '#server/kit/store/testing-server.ts'
import { hashPassword } from '#server/session/password/passwords.ts'
import { demoPassword } from '#server/session/seed.ts'

// Safe: these settings are valid.
const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }) as Config

/** Assigns all copies to one installation, with any file store of a test. */
const ownStore = `insert into file_store (id, marked) values ('00000000-0000-4000-8000-000000000001', false)`

/** Hashes the password of all demo users cheaply, as tests sign in thousands of times. A new password has its normal cost. */
async function cheapenPasswords(pool: { query(text: string, values: string[]): Promise<unknown> }): Promise<void> {
  await pool.query('update users set password_hash = $1', [await hashPassword(demoPassword, { memory: 8, passes: 1, parallelism: 1 })])
}

/** Writes an embedded database with schema and demo. The file appears complete, as another run may look for it at the same moment. */
export async function buildTemplate(path: string): Promise<void> {
  const embedded = await openEmbedded({ memory: true })
  await prepare(
    databaseOf(embedded.pool, true, () => Promise.resolve()),
    config,
  )
  await cheapenPasswords(embedded.pool)
  // No test opens these two databases, and each makes every copy half as large again.
  await embedded.pool.query('update pg_database set datistemplate = false')
  for (const unused of ['template0', 'template1']) await embedded.pool.query(`drop database ${unused}`)
  await embedded.pool.query(ownStore)
  await embedded.pool.query(keepTemplate)
  // A copy then neither replays the log nor contains its first segment.
  for (const step of ['checkpoint', 'select pg_switch_wal()', 'checkpoint']) await embedded.pool.query(step)
  const written = `${path}.${process.pid}`
  writeFileSync(written, Buffer.from(await (await embedded.dump()).arrayBuffer()))
  await embedded.close()
  renameSync(written, path)
}

export async function buildTemplateOn(server: string, name: string): Promise<void> {
  await dropTemplateOn(server, name)
  await inServer(server, client => client.query(`create database ${name}`))
  const database = await openDatabase({ DATABASE_URL: urlOf(server, name), DATABASE_POOL: 2, DATA_DIR: '' })
  await prepare(database, config)
  await cheapenPasswords(database.pool)
  await database.pool.query(ownStore)
  await database.pool.query(keepTemplate)
  await database.close()
}

/** Drops the template and all of its copies, including those of an interrupted run. */
export async function dropTemplateOn(server: string, name: string): Promise<void> {
  const { rows } = await inServer(server, client =>
    client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [`${name}_`]),
  )
  for (const { datname } of rows) await dropIn(server, datname)
  await dropIn(server, name)
}
