import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseOf, openDatabase } from '#server/kit/database.ts'
import { openEmbedded } from './embedded.ts'
import { fillFolder } from './testing-copies.ts'
import { FolderLocked, lockFolder } from './folder-lock.ts'
import { openApp } from '#server/app.ts'
import { inProcess, dumpOfTemplate, testConfig, testDatabase } from '#server/kit/testing.ts'

// The four guards of the embedded database (decision 0003). Each of these fails when its guard is taken away.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const place = () => ({ DATA_DIR: folder, DATABASE_POOL: 2 })
/** What these guard is not how a database is made, which takes its time. */
const fill = () => fillFolder(join(folder, 'postgres'), dumpOfTemplate())
const script = (text: string) =>
  spawn(process.execPath, ['--input-type=module', '-e', text], {
    cwd: join(import.meta.dirname, '../../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })

test('guard 1: a commit syncs', async () => {
  const child = script(`
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let syncs = 0
    const real = fs.fsyncSync
    fs.fsyncSync = fd => { syncs += 1; return real(fd) }
    syncBuiltinESMExports()
    const { openEmbedded } = await import('#server/kit/store/embedded.ts')
    const { pool, close } = await openEmbedded({ folder: ${JSON.stringify(folder)} })
    await pool.query('create table acknowledged (n integer)')
    const before = syncs
    for (let n = 0; n < 10; n++) await pool.query('insert into acknowledged values ($1)', [n])
    console.log(syncs - before)
    await close()
  `)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  await once(child, 'exit')
  expect(Number(line)).toBeGreaterThanOrEqual(10)
})

test('guard 1: killed again and again while committing, every acknowledged commit is there', async () => {
  await fill()
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    const begun = acknowledged
    const child = script(`
      import { openDatabase } from '#server/kit/database.ts'
      const { pool } = await openDatabase({ DATA_DIR: ${JSON.stringify(folder)}, DATABASE_POOL: 2 })
      await pool.query('create table if not exists acknowledged (n integer primary key)')
      for (let n = ${acknowledged + 1}; ; n++) { await pool.query('insert into acknowledged values ($1)', [n]); console.log(n) }
    `)
    const exited = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged - begun >= 15 + 15 * round) child.kill('SIGKILL')
    }
    await exited
    const database = await openDatabase(place())
    const { rows } = await database.pool.query('select count(*)::int as count, max(n) as last from acknowledged')
    await database.close()
    // What was committed but not yet said may be there besides.
    expect(rows[0].count).toBe(rows[0].last)
    expect(rows[0].last).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = rows[0].last
  }
  expect(acknowledged).toBeGreaterThan(80)
})

test('guard 2: a second process says so and ends; the lock of a dead one is taken over', async () => {
  await fill()
  const child = script(`
    import { openDatabase } from '#server/kit/database.ts'
    await openDatabase({ DATA_DIR: ${JSON.stringify(folder)}, DATABASE_POOL: 2 })
    console.log('open')
    setInterval(() => {}, 1000)
  `)
  await once(createInterface({ input: child.stdout }), 'line')
  await expect(openDatabase(place())).rejects.toThrow(
    new RegExp(`in use by process ${child.pid}\\. Stop it, or choose another folder with DATA_DIR`),
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await openDatabase(place())).close()
})

test('guard 2: of many that come at once, one gets the folder, whether nobody had it or a dead one', async () => {
  const dead = script('')
  await once(dead, 'exit')
  const places = Array.from({ length: 60 }, (_, round) => {
    const place = join(folder, String(round))
    mkdirSync(place)
    if (round % 2) writeFileSync(join(place, 'owner.json'), JSON.stringify({ pid: dead.pid, host: hostname(), born: 'long ago' }))
    return place
  })
  const children = Array.from({ length: 4 }, () =>
    script(`
      import { lockFolder } from '#server/kit/store/folder-lock.ts'
      import { createInterface } from 'node:readline'
      for await (const place of createInterface({ input: process.stdin }))
        try { lockFolder(place); console.log('mine') } catch (error) { console.log(error.constructor.name) }
    `),
  )
  const answers = children.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]())
  for (const place of places) {
    for (const { stdin } of children) stdin.write(`${place}\n`)
    const said = await Promise.all(answers.map(async each => (await each.next()).value as string))
    expect(said.toSorted(), place).toEqual(['FolderLocked', 'FolderLocked', 'FolderLocked', 'mine'])
  }
  for (const { stdin } of children) stdin.end()
})

test('guard 2: a lock that cannot be read keeps everybody out, and says what to do', () => {
  writeFileSync(join(folder, 'owner.json'), '')
  expect(() => lockFolder(folder)).toThrow(/owner\.json cannot be read\. .*delete it/)
})

test('guard 2: its own lock keeps a process out as well, and is given back', () => {
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderLocked)
  lock.release()
  lockFolder(folder).release()
})

test('guard 3: a query beside the open transaction is an error in good time, not a standstill', async () => {
  const embedded = await openEmbedded({ memory: true, dump: await openAsBlob(dumpOfTemplate()) }, 200)
  const database = databaseOf(embedded.pool, true, () => embedded.close())
  const stuck = database.asService(() => database.pool.query('select 1'))
  await expect(stuck).rejects.toThrow('timeout exceeded when trying to connect')
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
})

test('guard 4: the tables have been looked at after seeding', async () => {
  const database = await testDatabase()
  const { rows } = await sql<{ tablename: string }>`select distinct tablename from pg_stats where schemaname = 'public'`.execute(
    database.kysely,
  )
  expect(rows.map(row => row.tablename)).toEqual(expect.arrayContaining(['users', 'products', 'geo_states', 'memberships']))
  await database.close()
})

test('a disk without room is told by `ready`, until there is room', async () => {
  await fill()
  let least = 0
  const database = await openDatabase({ ...place(), leastRoom: () => least })
  const app = inProcess(await openApp(testConfig({ DATA_DIR: folder }), database))
  app.start()
  const ready = async () => (await app.ask('/health/ready')).status
  const said = [await ready()]
  least = Number.POSITIVE_INFINITY
  said.push(await ready())
  least = 0
  said.push(await ready())
  expect(said).toEqual([200, 503, 200])
  await app.stop()
})
