import { connect, createServer, type Server, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Database, databaseOf } from '#server/kit/database.ts'
import { portOf, testDatabase } from '#server/kit/testing.ts'
import type { Change } from './changes.ts'
import { noticesOfServer } from './hearing.ts'
import type { Notices } from './notices.ts'

const userId = '8a0f6f57-6fa4-4b0d-9b55-ec6a9f3bd001'
const quick = { proveMs: 20, trustMs: 1_000, giveUpMs: 1_000, retryMs: 20, keptBackMs: 20 }

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const texts = (): string[] => []

/** Records what a listener hears. */
function recorder(notices: Notices) {
  const heard: string[] = []
  notices.listen({ heard: ({ table, rows }: Change) => heard.push(`${table} ${rows}`), missed: () => heard.push('missed') })
  return heard
}

const endSessions = (db: Database, id = userId) =>
  db.asService(tx => tx.updateTable('sessions').set({ ended_at: new Date() }).where('user_id', '=', id).execute())

test('a change is heard once its transaction commits, and never after a rollback', async () => {
  const heard = recorder(database.notices)
  await database.asService(async tx => {
    await tx.updateTable('users').set({ name: 'Another' }).where('id', '=', userId).execute()
    expect(heard).toEqual([])
  })
  expect(heard).toEqual([`users id=${userId}`])
  const failed = database.asService(async tx => {
    await tx.deleteFrom('memberships').execute()
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await database.onConnection(alone => alone(sql`update second_factors set confirmed_at = null`.compile(database.kysely)))
  await sql`update memberships set active = true where false`.execute(database.kysely)
  expect(heard).toEqual([`users id=${userId}`, 'second_factors ', 'memberships '])
})

test('a failed statement outside of a transaction fails alone', async () => {
  await expect(sql`update memberships set no_such_column = 1`.execute(database.kysely)).rejects.toThrow('no_such_column')
  expect((await sql`select 1 as one`.execute(database.kysely)).rows).toEqual([{ one: 1 }])
})

/** Opens a pool whose connections go through a proxy at this port. */
const poolThrough = (port: number): pg.Pool => {
  const url = new URL(database.pool.options.connectionString ?? '')
  url.port = String(port)
  return new pg.Pool({ connectionString: url.href })
}

/** A network between the service and the server, which can swallow everything, or all notices. */
async function openNetwork(): Promise<{ server: Server; port: number; swallow(what: 'all' | 'notices' | 'nothing'): void; close(): void }> {
  const url = new URL(database.pool.options.connectionString ?? '')
  const sockets = new Set<Socket>()
  let swallowed = 'nothing'
  const server = createServer(client => {
    const upstream = connect({ port: Number(url.port || 5432), host: url.hostname })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', data => swallowed === 'all' || upstream.write(data))
    upstream.on('data', data => swallowed === 'all' || (swallowed === 'notices' && data.includes('proof ')) || client.write(data))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    server,
    port: portOf(server),
    swallow: what => (swallowed = what),
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

// The embedded database has one process, and no network.
describe.each('server' in inject('template') ? ['server'] : [])('on a PostgreSQL %s', () => {
  test('another node hears a change, and hears again after its connection was ended', async () => {
    const pool = new pg.Pool({ connectionString: database.pool.options.connectionString })
    const other = databaseOf(pool, false, () => pool.end())
    const [heard, said] = [recorder(other.notices), texts()]
    expect(other.notices.areHeard()).toBe(false)
    other.notices.start(text => said.push(text))
    await expect.poll(() => other.notices.areHeard()).toBe(true)
    await endSessions(database)
    await expect.poll(() => heard).toContain(`sessions user_id=${userId}`)
    heard.length = 0
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_listening_channels%' and pid <> pg_backend_pid()`.execute(
      database.kysely,
    )
    await expect.poll(() => heard).toContain('missed')
    await expect.poll(() => other.notices.areHeard()).toBe(true)
    expect(said).toHaveLength(1)
    heard.length = 0
    await endSessions(database)
    await expect.poll(() => heard).toContain(`sessions user_id=${userId}`)
    await other.close()
    expect(other.notices.areHeard()).toBe(false)
  })

  test('notices do not count as heard once the connection gives no more answers', async () => {
    const network = await openNetwork()
    const pool = poolThrough(network.port)
    const { notices } = noticesOfServer(pool, quick)
    const heard = recorder(notices)
    notices.start(() => {})
    await expect.poll(() => notices.areHeard()).toBe(true)
    heard.length = 0
    network.swallow('all')
    await expect.poll(() => notices.areHeard(), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => heard, { timeout: 10_000 }).toContain('missed')
    network.swallow('nothing')
    await expect.poll(() => notices.areHeard(), { timeout: 10_000 }).toBe(true)
    await notices.stop()
    await pool.end()
    network.close()
  })

  test('notices that are held back do not count as heard, and are reported once', async () => {
    const network = await openNetwork()
    network.swallow('notices')
    const pool = new pg.Pool({ connectionString: database.pool.options.connectionString })
    const listening = poolThrough(network.port)
    const { notices } = noticesOfServer(Object.assign(pool, { options: listening.options }), quick)
    const said: string[] = []
    let attempts = 0
    network.server.on('connection', () => (attempts += 1))
    notices.start(text => said.push(text))
    await expect.poll(() => attempts, { timeout: 20_000 }).toBeGreaterThan(2)
    expect(notices.areHeard()).toBe(false)
    expect(said).toEqual(['notices of PostgreSQL do not arrive, so every call reads its session: does a pooler stand in between?'])
    await notices.stop()
    await pool.end()
    network.close()
  })
})
