import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { compiler } from '#server/kit/sql/prepared.ts'
import { databaseOf, openDatabase } from '#server/kit/database.ts'
import { startEngine } from '#server/kit/engine/engine.ts'
import { startEngineInThread } from '#server/kit/engine/in-thread.ts'
import { openEmbedded, poolOf } from './embedded.ts'
import { fillFolder } from './testing-copies.ts'
import { FolderLocked, lockFolder } from './folder-lock.ts'
import { openApp } from '#server/app.ts'
import { inProcess, dumpOfTemplate, testConfig, testDatabase } from '#server/kit/testing.ts'

// The four safeguards of the embedded database (decision 0003). Each test fails without its safeguard.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = () => ({ DATA_DIR: folder, DATABASE_POOL: 2 })
/** Copies the template, because creating a database takes longer and is not tested here. */
const fill = () => fillFolder(join(folder, 'postgres'), dumpOfTemplate())
const script = (text: string) =>
  spawn(process.execPath, ['-e', text], {
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
    const { startEngine } = await import('#server/kit/engine/engine.ts')
    const { poolOf } = await import('#server/kit/store/embedded.ts')
    const engine = await startEngine({ folder: ${JSON.stringify(folder)} })
    const pool = poolOf(engine)
    await pool.query('create table acknowledged (n integer)')
    const before = syncs
    for (let n = 0; n < 10; n++) await pool.query('insert into acknowledged values ($1)', [n])
    console.log(syncs - before)
    await engine.close()
  `)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  await once(child, 'exit')
  expect(Number(line)).toBeGreaterThanOrEqual(10)
})

test('guard 1: every acknowledged commit survives repeated kills', async () => {
  await fill()
  let acknowledged = 0
  for (let round = 0; round < 3; round++) {
    const before = acknowledged
    const child = script(`
      import { openDatabase } from '#server/kit/database.ts'
      const { pool } = await openDatabase({ DATA_DIR: ${JSON.stringify(folder)}, DATABASE_POOL: 2 })
      await pool.query('create table if not exists acknowledged (n integer primary key)')
      for (let n = ${acknowledged + 1}; ; n++) { await pool.query('insert into acknowledged values ($1)', [n]); console.log(n) }
    `)
    const exited = once(child, 'exit')
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      if (acknowledged - before >= 15 + 15 * round) child.kill('SIGKILL')
    }
    await exited
    const database = await openDatabase(options())
    const { rows } = await database.pool.query('select count(*)::int as count, max(n) as last from acknowledged')
    await database.close()
    // The last commit may be stored without having been acknowledged.
    expect(rows[0].count).toBe(rows[0].last)
    expect(rows[0].last).toBeGreaterThanOrEqual(acknowledged)
    acknowledged = rows[0].last
  }
  expect(acknowledged).toBeGreaterThan(80)
})

test('guard 2: a second process is refused, and a dead process’s lock is taken over', async () => {
  await fill()
  const child = script(`
    import { openDatabase } from '#server/kit/database.ts'
    await openDatabase({ DATA_DIR: ${JSON.stringify(folder)}, DATABASE_POOL: 2 })
    console.log('open')
    setInterval(() => {}, 1000)
  `)
  await once(createInterface({ input: child.stdout }), 'line')
  await expect(openDatabase(options())).rejects.toThrow(
    new RegExp(`in use by process ${child.pid}\\. Stop it, or choose another folder with DATA_DIR`),
  )
  child.kill('SIGKILL')
  await once(child, 'exit')
  await (await openDatabase(options())).close()
})

test('guard 2: only one of several processes gets a free or abandoned folder', async () => {
  const dead = script('')
  await once(dead, 'exit')
  const folders = Array.from({ length: 60 }, (_, round) => {
    const each = join(folder, String(round))
    mkdirSync(each)
    if (round % 2) writeFileSync(join(each, 'owner.json'), JSON.stringify({ pid: dead.pid, host: hostname(), born: 'long ago' }))
    return each
  })
  const children = Array.from({ length: 4 }, () =>
    script(`
      import { lockFolder } from '#server/kit/store/folder-lock.ts'
      import { createInterface } from 'node:readline'
      for await (const folder of createInterface({ input: process.stdin }))
        try { lockFolder(folder); console.log('mine') } catch (error) { console.log(error.constructor.name) }
    `),
  )
  const outputs = children.map(({ stdout }) => createInterface({ input: stdout })[Symbol.asyncIterator]())
  for (const each of folders) {
    for (const { stdin } of children) stdin.write(`${each}\n`)
    const lines = await Promise.all(outputs.map(async output => String((await output.next()).value)))
    expect(lines.toSorted(), each).toEqual(['FolderLocked', 'FolderLocked', 'FolderLocked', 'mine'])
  }
  for (const { stdin } of children) stdin.end()
})

test('guard 2: an unreadable lock refuses every process and says what to do', () => {
  writeFileSync(join(folder, 'owner.json'), '')
  expect(() => lockFolder(folder)).toThrow(/owner\.json cannot be read\. .*delete it/)
})

test('guard 2: a process cannot lock a folder twice, and can again after a release', () => {
  const lock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderLocked)
  lock.release()
  lockFolder(folder).release()
})

test('guard 3: a query outside the open transaction times out instead of hanging', async () => {
  const embedded = await openEmbedded({ memory: true, dump: await openAsBlob(dumpOfTemplate()) }, 200)
  const database = databaseOf(embedded.pool, true, () => embedded.close())
  const stuck = database.asService(() => database.pool.query('select 1'))
  await expect(stuck).rejects.toThrow('timeout exceeded when trying to connect')
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await database.close()
})

test('an SQL error leaves the connection to its next user, also outside a transaction', async () => {
  const database = await testDatabase()
  const next = async () => (await sql<{ n: number }>`select ${1}::int as n`.execute(database.kysely)).rows
  for (const failing of [sql`select 1 / 0`, sql`select 1 / ${0}::int`, sql`selekt`]) {
    await expect(failing.execute(database.kysely)).rejects.toThrow(/division by zero|syntax error/)
    expect(await next()).toEqual([{ n: 1 }])
    // The pool itself replaces the client of a query that failed.
    const { sql: text, parameters } = failing.compile(database.kysely)
    await expect(database.pool.query(text, [...parameters])).rejects.toThrow(/division by zero|syntax error/)
    expect(await next()).toEqual([{ n: 1 }])
    await expect(database.asService(tx => failing.execute(tx))).rejects.toThrow(/division by zero|syntax error/)
    expect(await next()).toEqual([{ n: 1 }])
  }
  await database.close()
})

test('a transaction whose rollback failed leaves nothing for the next one to commit', async () => {
  const engine = await startEngine({ memory: true, dump: await openAsBlob(dumpOfTemplate()) })
  let faults = 0
  const pool = poolOf({
    exec: messages => {
      if (faults > 0 && Buffer.from(messages).includes('rollback', 5)) throw new Error(`fault ${faults--}`)
      return engine.exec(messages)
    },
  })
  const database = databaseOf(pool, true, async () => {
    await pool.end()
    await engine.close()
  })
  await pool.query('create table marks (n integer)')
  const mark = (n: number) => sql`insert into marks values (${n})`
  faults = 1
  const failed = database.kysely.transaction().execute(async tx => {
    await mark(1).execute(tx)
    throw new Error('refused')
  })
  await expect(failed).rejects.toThrow('fault 1')
  await database.kysely.transaction().execute(tx => mark(2).execute(tx))
  expect((await pool.query('select n from marks')).rows).toEqual([{ n: 2 }])
  await database.close()
})

test('a transaction of one statement is one call of the engine', async () => {
  const engine = await startEngine({ memory: true, dump: await openAsBlob(dumpOfTemplate()) })
  let calls = 0
  const pool = poolOf({
    exec: messages => {
      calls += 1
      return engine.exec(messages)
    },
  })
  const database = databaseOf(pool, true, async () => {
    await pool.end()
    await engine.close()
  })
  const insert =
    sql`insert into sign_in_failures (id, email_hash, network, at) values (gen_random_uuid(), '\\x00', '::1', ${new Date()})`.compile(
      compiler,
    )
  await database.onConnection(alone => alone(insert))
  calls = 0
  await database.onConnection(alone => alone(insert))
  expect(calls).toBe(1)
  expect((await pool.query('select from sign_in_failures')).rowCount).toBe(2)
  await database.close()
})

test('the process does other work while the engine of a folder works', async () => {
  await fill()
  const database = await openDatabase(options())
  const query = database.pool.query('select count(*) from generate_series(1, 1000000)').then(() => 'the query')
  expect(await Promise.race([query, new Promise(resolve => setTimeout(resolve, 0, 'other work'))])).toBe('other work')
  await query
  await database.close()
})

test('an engine that has ended takes no messages, and lets a stop end', async () => {
  await fill()
  const engine = await startEngineInThread(join(folder, 'postgres'))
  await engine.close()
  await engine.close()
  await expect(engine.exec(Buffer.from('S'))).rejects.toThrow('the embedded database has ended')
})

test('a folder in which no database can be is an error', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  await expect(openEmbedded({ folder: join(file, 'postgres') })).rejects.toThrow('ENOTDIR')
})

test('guard 4: the tables are analysed after seeding', async () => {
  const database = await testDatabase()
  const { rows } = await sql<{ tablename: string }>`select distinct tablename from pg_stats where schemaname = 'public'`.execute(
    database.kysely,
  )
  expect(rows.map(row => row.tablename)).toEqual(expect.arrayContaining(['users', 'products', 'geo_states', 'memberships']))
  await database.close()
})

test('readiness fails while the disk is full', async () => {
  await fill()
  let least = 0
  const database = await openDatabase({ ...options(), leastRoom: () => least })
  const app = inProcess(await openApp(testConfig({ DATA_DIR: folder }), database))
  app.start()
  const ready = async () => (await app.ask('/health/ready')).status
  const statuses = [await ready()]
  least = Number.POSITIVE_INFINITY
  statuses.push(await ready())
  least = 0
  statuses.push(await ready())
  expect(statuses).toEqual([200, 503, 200])
  await app.stop()
})
