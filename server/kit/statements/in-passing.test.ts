import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { prepareInPassing } from './in-passing.ts'

const scope = "select set_config('role', 'portolan_app', true)"

/** A line that takes down what is sent in one packet, and answers each statement with its own text. */
function line(answer = (text: string): Promise<unknown> => Promise.resolve(text)) {
  const packets: string[][] = []
  let corked = false
  const open = () => (corked ? (packets.at(-1) ?? []) : (packets[packets.push([]) - 1] as string[]))
  const stream = {
    cork() {
      packets.push([])
      corked = true
    },
    uncork: () => void (corked = false),
  }
  const client = {
    connection: { stream },
    query(text: string) {
      open().push(text)
      return answer(text)
    },
  }
  const pool = new EventEmitter()
  prepareInPassing(pool as pg.Pool)
  pool.emit('connect', client)
  return { packets, ask: (text: string): Promise<unknown> => client.query(text) }
}

test('what prepares goes out with what follows, in one packet; all else by itself', async () => {
  const { packets, ask } = line()
  for (const text of ['begin', scope]) await ask(text)
  expect(await ask('select 1')).toBe('select 1')
  for (const text of ['select 2', 'commit', 'begin', 'rollback']) expect(await ask(text)).toBeDefined()
  expect(packets).toEqual([['begin', scope, 'select 1'], ['select 2'], ['commit'], ['begin', 'rollback']])
})

test('what goes wrong with it is told to whoever follows, and to nobody else', async () => {
  const broken = new Error('no such role')
  const { ask } = line(text => (text === scope ? Promise.reject(broken) : Promise.resolve(text)))
  for (const text of ['begin', scope]) await ask(text)
  await expect(ask('select 1')).rejects.toBe(broken)
  expect(await ask('rollback')).toBe('rollback')
  await ask('begin')
  expect(await ask('select 2')).toBe('select 2')
})
