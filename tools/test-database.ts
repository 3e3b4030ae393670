import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { type Config, readConfig } from '#server/config.ts'
import { prepare } from '#server/database/prepare.ts'
import { databaseOf, openDatabase } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { dropIn, keepTemplate, urlOf } from '#server/kit/store/testing-copies.ts'
import { inServer } from '#server/kit/store/testing-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** What each test file's own database is copied from. */
    template: { dump: string } | { server: string; name: string }
  }
}

const folder = join(import.meta.dirname, '../.cache')

/** Before all tests: one database with schema and demo in it, of which every test gets a copy of its own. */
export async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  rmSync(join(folder, 'test-files'), { recursive: true, force: true })
  const server = process.env['TEST_DATABASE_URL']
  if (!server) {
    project.provide('template', { dump: await dumpTo(join(folder, 'test-database.tar')) })
    return () => Promise.resolve()
  }
  const name = `portolan_template_${process.pid}`
  await templateIn(server, name)
  project.provide('template', { server, name })
  return () => dropAll(server, name)
}

/** The template, and whatever was copied from it: also by a run that was cut off. */
async function dropAll(server: string, name: string): Promise<void> {
  const { rows } = await inServer(server, client =>
    client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [`${name}_`]),
  )
  for (const { datname } of rows) await dropIn(server, datname)
  await dropIn(server, name)
}

/** Every copy is of one installation: whatever store a test gives it, or shares with others, is its own. */
const ownStore = `insert into file_store (id, marked) values ('00000000-0000-4000-8000-000000000001', false)`

const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }) as Config

async function dumpTo(path: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const embedded = await openEmbedded({ memory: true })
  await prepare(
    databaseOf(embedded.pool, true, () => Promise.resolve()),
    config,
  )
  // Nobody opens them, and each is half as much again to unpack for every test.
  await embedded.pool.query('update pg_database set datistemplate = false')
  for (const unused of ['template0', 'template1']) await embedded.pool.query(`drop database ${unused}`)
  await embedded.pool.query(ownStore)
  await embedded.pool.query(keepTemplate)
  // What is in the tables need not be read from the log again, and the log's first segment need not be copied.
  for (const step of ['checkpoint', 'select pg_switch_wal()', 'checkpoint']) await embedded.pool.query(step)
  writeFileSync(path, Buffer.from(await (await embedded.dump()).arrayBuffer()))
  await embedded.close()
  return path
}

async function templateIn(server: string, name: string): Promise<void> {
  await dropAll(server, name)
  await inServer(server, client => client.query(`create database ${name}`))
  const database = await openDatabase({ DATABASE_URL: urlOf(server, name), DATABASE_POOL: 2, DATA_DIR: '' })
  await prepare(database, config)
  await database.pool.query(ownStore)
  await database.pool.query(keepTemplate)
  await database.close()
}
