import { setImmediate } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { asWholeTransaction, Connection, withTheNext } from './connection.ts'
import type { Elapsed } from '#server/kit/clock.ts'
import { noticesInProcess } from '#server/kit/notices/notices.ts'
import { openPlans } from './plans.ts'

const role = 'set local role portolan_service'
const aborted = Object.assign(new Error('current transaction is aborted'), { code: '25P02' })

/** A client that records the packets sent. It answers each statement with its own text or with an error. */
function fakeClient(failure: (text: string) => Error | undefined = () => undefined) {
  const packets: string[][] = []
  let corks = 0
  let isOpen = false
  const stream = {
    cork: () => void (corks += 1),
    uncork() {
      corks -= 1
      isOpen &&= corks > 0
    },
  }
  const query = vi.fn(async ({ text }: pg.QueryConfig) => {
    if (!isOpen) packets.push([])
    isOpen = corks > 0
    packets.at(-1)?.push(text)
    // An answer takes a turn of the event loop at least.
    await setImmediate()
    const error = failure(text)
    if (error) throw error
    return { command: text.toUpperCase(), rowCount: 1, rows: [{ text }] }
  })
  return { packets, query, pipeline: true, connection: { stream }, release: vi.fn() }
}

// Safe: a connection uses only these parts of a client.
const connectionTo = (client: ReturnType<typeof fakeClient>, elapsed?: Elapsed): Connection =>
  // Safe: the connection calls only what the test's client has.
  new Connection(client as never, openPlans(), noticesInProcess().announcer, false, elapsed)
const run = async (connection: Connection, text: string) => (await connection.executeQuery(CompiledQuery.raw(text))).rows

afterEach(() => vi.restoreAllMocks())

test('begin and the role go out with the next statement in one packet', async () => {
  const client = fakeClient()
  const connection = connectionTo(client)
  connection.begin('begin')
  await connection.executeQuery(withTheNext(role))
  expect(client.packets).toEqual([])
  expect(await run(connection, 'select 1')).toEqual([{ text: 'select 1' }])
  await run(connection, 'select 2')
  await connection.commit()
  connection.begin('begin')
  await connection.rollback()
  expect(client.packets).toEqual([[`begin; ${role}`, 'select 1'], ['select 2'], ['commit'], ['begin', 'rollback']])
})

test('statements that do not wait for each other go out in one packet, in their order', async () => {
  const client = fakeClient()
  const connection = connectionTo(client)
  connection.begin('begin')
  const results = await Promise.all([run(connection, 'select 1'), run(connection, 'select 2'), run(connection, 'select 3')])
  expect(results).toEqual([[{ text: 'select 1' }], [{ text: 'select 2' }], [{ text: 'select 3' }]])
  await connection.commit()
  expect(client.packets).toEqual([['begin', 'select 1', 'select 2', 'select 3'], ['commit']])
})

test('a cluster gets each setting as a text of its own', async () => {
  const client = fakeClient()
  // Safe: a connection uses only these parts of a client.
  const connection = new Connection(client as never, openPlans(), noticesInProcess().announcer, true)
  connection.begin('begin')
  await connection.executeQuery(withTheNext(`${role}; set local portolan.business_unit = 'a'`))
  await run(connection, 'select 1')
  expect(client.packets).toEqual([['begin', role, "set local portolan.business_unit = 'a'", 'select 1']])
  client.packets.length = 0
  await run(connection, 'select 2')
  await connection.commit()
  expect(client.packets).toEqual([['select 2'], ['commit']])
})

test('an error of begin or the role is thrown by the next statement, once', async () => {
  const broken = new Error('no such role')
  let isBroken = true
  const client = fakeClient(text => (!isBroken ? undefined : text.endsWith(role) ? broken : text === 'select 1' ? aborted : undefined))
  const connection = connectionTo(client)
  connection.begin('begin')
  await connection.executeQuery(withTheNext(role))
  await expect(run(connection, 'select 1')).rejects.toBe(broken)
  await connection.rollback()
  isBroken = false
  connection.begin('begin')
  expect(await run(connection, 'select 1')).toEqual([{ text: 'select 1' }])
})

test('a transaction of one statement is one packet, and fails if its commit does', async () => {
  const client = fakeClient()
  const whole = asWholeTransaction(CompiledQuery.raw('select 1'), role)
  expect((await connectionTo(client).executeQuery(whole)).rows).toEqual([{ text: 'select 1' }])
  expect(client.packets).toEqual([[`begin; ${role}`, 'select 1', 'commit']])
  const broken = new Error('the connection broke')
  await expect(connectionTo(fakeClient(text => (text === 'commit' ? broken : undefined))).executeQuery(whole)).rejects.toBe(broken)
  const wrong = new Error('no such table')
  await expect(connectionTo(fakeClient(text => (text === 'select 1' ? wrong : undefined))).executeQuery(whole)).rejects.toBe(wrong)
})

test('a commit that PostgreSQL answers with a rollback fails', async () => {
  const client = fakeClient()
  client.query.mockResolvedValue({ command: 'ROLLBACK', rowCount: 0, rows: [] })
  await expect(connectionTo(client).commit()).rejects.toThrow(/rolled back|abort/i)
})

test('a connection whose rollback failed is not used again', async () => {
  const client = fakeClient(text => (text === 'rollback' ? new Error('the connection broke') : undefined))
  const connection = connectionTo(client)
  await expect(connection.rollback()).rejects.toThrow('the connection broke')
  connection.release()
  expect(client.release).toHaveBeenCalledWith(true)
})

test('plans are thrown away after half a minute, with the next statement of a new user', async () => {
  const client = fakeClient()
  let now = 1000
  const connection = connectionTo(client, () => now)
  for (const at of [2000, 31_000, 32_000, 61_000]) {
    now = at
    connection.acquired()
    await run(connection, `select ${at}`)
  }
  expect(client.packets).toEqual([['select 2000'], ['discard plans', 'select 31000'], ['select 32000'], ['discard plans', 'select 61000']])
})
