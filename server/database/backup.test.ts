import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { emptyServerDatabase, testDatabase } from '#server/kit/testing.ts'
import { backup, restore } from './backup.ts'
import { migrate } from './migrate.ts'

let folder: string
const open: Database[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backup-'))
})
afterEach(async () => {
  for (const database of open.splice(0)) await database.close()
  rmSync(folder, { recursive: true })
})

const kept = (database: Database): Database => {
  open.push(database)
  return database
}
/** The schema and no row, made once. */
let bare: Blob | undefined
async function emptyEmbedded(): Promise<Database> {
  const embedded = await openEmbedded({ memory: true, ...(bare ? { dump: bare } : {}) })
  const database = kept(databaseOf(embedded.pool, true, () => embedded.close()))
  await migrate(database)
  bare ??= await embedded.dump()
  return database
}
async function emptyDatabase(): Promise<Database> {
  const database = await emptyServerDatabase()
  if (!database) return emptyEmbedded()
  await migrate(kept(database))
  return database
}
const file = () => join(folder, 'copy.gz')
const nothing = () => {}

/** Every row of every table, as the database itself writes it. */
async function contentOf(database: Database): Promise<Record<string, string[]>> {
  return database.asService(async tx => {
    const { rows: tables } = await sql<{
      name: string
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'kysely%'`.execute(tx)
    const content: Record<string, string[]> = {}
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`.execute(tx)
      content[name] = rows.map(({ row }) => row)
    }
    return content
  })
}

test('everything comes back: to an embedded database, and from there to the kind that the tests run on', async () => {
  const first = kept(await testDatabase())
  const before = await contentOf(first)
  expect(before['users']?.length).toBe(6)
  const rows = await backup(first, file(), nothing)
  const embedded = await emptyEmbedded()
  expect(await restore(embedded, file(), nothing)).toBe(rows)
  // All as it was, but that its jobs are held.
  const held = { ...before, held_jobs: [expect.stringContaining('since')] }
  expect(await contentOf(embedded)).toEqual(held)
  await backup(embedded, file(), nothing)
  const back = await emptyDatabase()
  await restore(back, file(), nothing)
  expect(await contentOf(back)).toEqual(held)
  // On a server its owner is asked, whom row-level security shows nothing without the service's role. One row more: that the jobs are held.
  expect(await backup(back, file(), nothing)).toBe(rows + 1)
})

test('a copy that lost its end, or is of another schema, is refused, and nothing of it stays', async () => {
  await backup(kept(await testDatabase()), file(), nothing)
  const lines = gunzipSync(readFileSync(file())).toString().split('\n')
  const target = await emptyEmbedded()
  writeFileSync(file(), gzipSync(lines.slice(0, -10).join('\n')))
  await expect(restore(target, file(), nothing)).rejects.toThrow('not whole')
  writeFileSync(file(), gzipSync([lines[0]?.replace('0001-ground', '0001-other'), ...lines.slice(1)].join('\n')))
  await expect(restore(target, file(), nothing)).rejects.toThrow('another version of the schema')
  const { rows } = await sql<{ count: number }>`select count(*) as count from geo_states`.execute(target.kysely)
  expect(rows[0]?.count).toBe(0)
})

test('a file that is missing or damaged is an error, not a crash', async () => {
  const target = await emptyEmbedded()
  await expect(restore(target, join(folder, 'nowhere.gz'), nothing)).rejects.toThrow('ENOENT')
  writeFileSync(file(), 'not packed at all')
  await expect(restore(target, file(), nothing)).rejects.toThrow('incorrect header check')
})

test('only its owner can read a copy', async () => {
  await backup(kept(await testDatabase()), file(), nothing)
  const { statSync } = await import('node:fs')
  expect(statSync(file()).mode & 0o077).toBe(0)
})

test('a copy is of one moment: what is written while it is made is not in it', async () => {
  const database = kept(await testDatabase())
  // The embedded one has a single connection: nothing can be written meanwhile.
  if (database.embedded) return
  const other = await database.pool.connect()
  const rows = async (text: string) => (await other.query(text)).rows
  await rows('begin')
  await rows('lock table users in access exclusive mode')
  const copying = backup(database, file(), nothing)
  await expect.poll(() => rows(`select from pg_locks where relation = 'users'::regclass and not granted`)).toHaveLength(1)
  await rows(`update users set name = 'Written meanwhile'`)
  await rows('commit')
  other.release()
  await copying
  expect(gunzipSync(readFileSync(file())).toString()).not.toContain('Written meanwhile')
})
