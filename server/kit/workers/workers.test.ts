import { afterEach, describe, expect, test } from 'vitest'
import { Refusal } from '#common/kit/refusals.ts'
import type * as tasks from './testing.ts'
import { openWorkers, TooHeavy, type WorkerLimits, type Workers } from './workers.ts'

const task = <Name extends keyof typeof tasks>(name: Name) => ({
  module: new URL('testing.ts', import.meta.url).href,
  name,
  work: undefined as never as (typeof tasks)[Name],
})
const limits = { threads: 2, waiting: 6, taskMs: 60_000, idleMs: 60_000, heapMegabytes: 64 }

const opened: Workers[] = []
function open(changes: Partial<WorkerLimits> = {}): Workers {
  const workers = openWorkers({ ...limits, ...changes })
  opened.push(workers)
  return workers
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map(workers => workers.stop()))
})

test('bytes change hands without being copied', async () => {
  const bytes = Buffer.alloc(1_000_000, 7)
  const answer = await open().run('a', task('sizeOf'), bytes)
  expect(answer).toMatchObject({ size: 1_000_000, isBuffer: true })
  expect(answer.half).toEqual(Buffer.alloc(500_000, 7))
  expect(Buffer.isBuffer(answer.half)).toBe(true)
  expect(bytes.length).toBe(0)
})

test('bytes that share their memory with others stay where they are', async () => {
  const shared = Buffer.from('some words')
  expect((await open().run('a', task('sizeOf'), shared)).half.toString()).toBe('some ')
  expect(shared.toString()).toBe('some words')
})

test('a task that never ends is ended', async () => {
  await expect(open({ taskMs: 200 }).run('a', task('neverEnd'))).rejects.toBeInstanceOf(TooHeavy)
})

test.each(['fillMemory', 'crash'] as const)('after a task that fails by %s the next one is served', async name => {
  const workers = open()
  await expect(workers.run('a', task(name))).rejects.toBeInstanceOf(TooHeavy)
  expect((await workers.run('a', task('sizeOf'), Buffer.alloc(4))).size).toBe(4)
})

test('a defect of a task is told as what it is', async () => {
  await expect(open().run('a', task('fail'))).rejects.toThrow(new RangeError('a defect'))
})

describe('many tasks', () => {
  const held = () => new SharedArrayBuffer(4)
  const letGo = (flag: SharedArrayBuffer) => {
    const view = new Int32Array(flag)
    Atomics.store(view, 0, 1)
    Atomics.notify(view, 0)
  }

  test('of one owner hold one thread: another’s is served meanwhile', async () => {
    const workers = open()
    const flag = held()
    const done: string[] = []
    const own = ['1', '2', '3'].map(async each => done.push(await workers.run('a', task('holdFor'), flag, each)))
    expect((await workers.run('b', task('sizeOf'), Buffer.alloc(4))).size).toBe(4)
    expect(done).toEqual([])
    letGo(flag)
    await Promise.all(own)
    expect(done).toEqual(['1', '2', '3'])
  })

  test('owners take turns', async () => {
    const workers = open({ threads: 1 })
    const flag = held()
    const done: string[] = []
    const begun = [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
      ['c', 'c1'],
    ].map(async ([owner = '', name = '']) => done.push(await workers.run(owner, task('holdFor'), flag, name)))
    letGo(flag)
    await Promise.all(begun)
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  test('more than can wait are refused for the moment', async () => {
    const workers = open({ threads: 1, waiting: 2 })
    const flag = held()
    const begun = ['1', '2', '3'].map(each => workers.run('a', task('holdFor'), flag, each))
    const refused = await workers.run('b', task('sizeOf'), Buffer.alloc(4)).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refusal)
    expect(refused).toMatchObject({ status: 503, details: { retryAfter: 2 } })
    letGo(flag)
    expect(await Promise.all(begun)).toEqual(['1', '2', '3'])
  })
})
