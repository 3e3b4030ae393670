import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { openEmbedded } from '#server/kit/store/embedded.ts'
import { emptyServerDatabase, testDatabase } from '#server/kit/testing.ts'
import { backup, numbersLeftOut, restore } from './backup.ts'
import { backupKeyName } from './backup-file.ts'
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

/** Closes the database after the test. */
const closeLater = (database: Database): Database => {
  open.push(database)
  return database
}
/** The schema without rows, created once. */
let bare: Blob | undefined
async function emptyEmbedded(): Promise<Database> {
  const embedded = await openEmbedded({ memory: true, ...(bare ? { dump: bare } : {}) })
  const database = closeLater(databaseOf(embedded.pool, true, () => embedded.close()))
  await migrate(database)
  bare ??= await embedded.dump()
  return database
}
async function emptyDatabase(): Promise<Database> {
  const database = await emptyServerDatabase()
  if (!database) return emptyEmbedded()
  await migrate(closeLater(database))
  return database
}
const [aKey, otherKey] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]
const file = () => join(folder, 'copy.gz')
const nothing = () => {}

/** Returns every row of every table as JSON of the database. */
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

test('a copy restores every row, into an embedded database and back', async () => {
  const first = closeLater(await testDatabase())
  const before = await contentOf(first)
  expect(before['users']?.length).toBe(8)
  const rows = await backup(first, file(), nothing)
  const embedded = await emptyEmbedded()
  expect(await restore(embedded, file(), nothing)).toBe(rows)
  // Everything is as before, except that jobs are held and policy numbers are left out.
  const [numbering = ''] = before['policy_numbering'] ?? []
  const held = (restores: number) => ({
    ...before,
    held_jobs: [expect.stringContaining('since')],
    policy_numbering: [numbering.replace(/("next_number": )(\d+)/, (_, key, next) => `${key}${Number(next) + restores * numbersLeftOut}`)],
  })
  expect(await contentOf(embedded)).toEqual(held(1))
  await backup(embedded, file(), nothing)
  const back = await emptyDatabase()
  await restore(back, file(), nothing)
  expect(await contentOf(back)).toEqual(held(2))
  // On a server the owner reads the rows, and row-level security would hide them without the service's role. The extra row says that jobs are held.
  expect(await backup(back, file(), nothing)).toBe(rows + 1)
})

test('an incomplete copy or one of another schema is refused and leaves no row', async () => {
  await backup(closeLater(await testDatabase()), file(), nothing)
  const lines = gunzipSync(readFileSync(file())).toString().split('\n')
  const target = await emptyEmbedded()
  writeFileSync(file(), gzipSync(lines.slice(0, -10).join('\n')))
  await expect(restore(target, file(), nothing)).rejects.toThrow('not whole')
  writeFileSync(file(), gzipSync([lines[0]?.replace('0001-ground', '0001-other'), ...lines.slice(1)].join('\n')))
  await expect(restore(target, file(), nothing)).rejects.toThrow('another version of the schema')
  const { rows } = await sql<{ count: number }>`select count(*) as count from geo_states`.execute(target.kysely)
  expect(rows[0]?.count).toBe(0)
})

test('a missing or damaged file is an error', async () => {
  const target = await emptyEmbedded()
  await expect(restore(target, join(folder, 'nowhere.gz'), nothing)).rejects.toThrow('ENOENT')
  writeFileSync(file(), 'not compressed')
  await expect(restore(target, file(), nothing)).rejects.toThrow('incorrect header check')
})

test('an encrypted copy is restored with its key, also a former one, and is unreadable', async () => {
  const first = closeLater(await testDatabase())
  const rows = await backup(first, file(), nothing, { keys: [aKey] })
  expect(() => gunzipSync(readFileSync(file()))).toThrow('incorrect header check')
  const content = readFileSync(file())
  expect(() => gunzipSync(content.subarray(content.indexOf(Buffer.from([0x1f, 0x8b]))))).toThrow()
  const target = await emptyDatabase()
  expect(await restore(target, file(), nothing, { keys: [otherKey, aKey] })).toBe(rows)
  const users = (all: Record<string, string[]>) => all['users']
  expect(users(await contentOf(target))).toEqual(users(await contentOf(first)))
  // A copy without encryption is restored whether or not there is a key.
  await backup(first, file(), nothing)
  expect(await restore(await emptyDatabase(), file(), nothing, { keys: [aKey] })).toBe(rows)
})

test('a copy without its key is refused by naming it, before anything is emptied', async () => {
  await backup(closeLater(await testDatabase()), file(), nothing, { keys: [aKey] })
  const target = await emptyDatabase()
  const before = await contentOf(target)
  await expect(restore(target, file(), nothing)).rejects.toThrow(
    `BACKUP_KEY is not set. Its key is the one with the name ${backupKeyName(aKey)}`,
  )
  await expect(restore(target, file(), nothing, { keys: [otherKey] })).rejects.toThrow(
    `another key than that of BACKUP_KEY (${backupKeyName(otherKey)}). Its key is the one with the name ${backupKeyName(aKey)}`,
  )
  expect(await contentOf(target)).toEqual(before)
})

test('an encrypted copy that was changed in any way leaves no row', async () => {
  await backup(closeLater(await testDatabase()), file(), nothing, { keys: [aKey] })
  const [whole, head, chunk] = [readFileSync(file()), 60, 65_552]
  expect(whole.length).toBeGreaterThan(head + 3 * chunk)
  const at = (from: number, to?: number) => whole.subarray(from, to)
  const changed = Buffer.from(whole)
  changed.writeUInt8(changed.readUInt8(head + chunk + 1) ^ 1, head + chunk + 1)
  const otherSalt = Buffer.from(whole)
  otherSalt.writeUInt8(otherSalt.readUInt8(head - 1) ^ 1, head - 1)
  const damagedOnes = {
    changed,
    otherSalt,
    cutWithinHead: at(0, head - 1),
    cutAfterHead: at(0, head),
    cutWithinChunk: at(0, head + chunk + 100),
    cutAfterChunk: at(0, head + 2 * chunk),
    cutLastByte: at(0, -1),
    reordered: Buffer.concat([at(0, head), at(head + chunk, head + 2 * chunk), at(head, head + chunk), at(head + 2 * chunk)]),
    chunkLeftOut: Buffer.concat([at(0, head), at(head + chunk)]),
    longer: Buffer.concat([whole, Buffer.from('x')]),
  }
  const target = await emptyDatabase()
  const before = await contentOf(target)
  for (const [name, content] of Object.entries(damagedOnes)) {
    writeFileSync(file(), content)
    await expect(restore(target, file(), nothing, { keys: [aKey] }), name).rejects.toThrow('the copy is damaged')
  }
  expect(await contentOf(target)).toEqual(before)
})

test('the commands say whether a copy is encrypted, and which key it lacks', async () => {
  const command = join(import.meta.dirname, 'backup-command.ts')
  const run = (environment: Record<string, string>, ...args: string[]) =>
    execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', command, ...args], {
      env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DATA_DIR: folder, ...environment },
      stdio: 'pipe',
      encoding: 'utf8',
    })
  mkdirSync(join(folder, 'postgres'), { mode: 0o700 })
  writeFileSync(join(folder, 'suppressed.jsonl'), '', { mode: 0o600 })
  await backup(closeLater(await testDatabase()), file(), nothing, { keys: [aKey] })
  expect(() => run({ BACKUP_KEY: otherKey }, 'restore', file())).toThrow(`Its key is the one with the name ${backupKeyName(aKey)}`)
  expect(run({}, 'backup', join(folder, 'open.gz'))).toMatch(/It is not encrypted: anyone who has the file can read it[^\n]*\n$/)
  expect(run({ BACKUP_KEY: aKey }, 'backup', join(folder, 'sealed.gz'))).toContain(`encrypted with the key named ${backupKeyName(aKey)}`)
})

test('only the owner of a copy can read it', async () => {
  await backup(closeLater(await testDatabase()), file(), nothing)
  const { statSync } = await import('node:fs')
  expect(statSync(file()).mode & 0o077).toBe(0)
})

test('a copy is of one moment, without rows written meanwhile', async () => {
  const database = closeLater(await testDatabase())
  // The embedded database has a single connection, so nothing can be written meanwhile.
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
