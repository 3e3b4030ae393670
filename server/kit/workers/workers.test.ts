import { afterEach, describe, expect, test } from 'vitest'
import type * as tasks from './testing.ts'
import { openWorkers, type TaskOf, TooHeavy, type WorkerLimits, type Workers } from './workers.ts'

/** The type lets `run` check the arguments. The work itself is found by its name. */
const task = <Name extends keyof typeof tasks>(name: Name): TaskOf<(typeof tasks)[Name]> => ({
  module: new URL('testing.ts', import.meta.url).href,
  name,
})
const limits = { threads: 2, waiting: 6, ofOne: 6, taskMs: 60_000, idleMs: 60_000, heapMegabytes: 64 }

const opened: Workers[] = []
function open(changes: Partial<WorkerLimits> = {}): Workers {
  const workers = openWorkers({ ...limits, ...changes })
  opened.push(workers)
  return workers
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map(workers => workers.stop()))
})

test('bytes move to the thread without a copy', async () => {
  const bytes = Buffer.alloc(1_000_000, 7)
  const answer = await open().run('a', task('sizeOf'), bytes)
  expect(answer).toMatchObject({ size: 1_000_000, isBuffer: true })
  expect(answer.half).toEqual(Buffer.alloc(500_000, 7))
  expect(Buffer.isBuffer(answer.half)).toBe(true)
  expect(bytes.length).toBe(0)
})

test('bytes that share their memory with others are copied', async () => {
  const shared = Buffer.from('some words')
  expect((await open().run('a', task('sizeOf'), shared)).half.toString()).toBe('some ')
  expect(shared.toString()).toBe('some words')
})

test('a task that never ends is terminated', async () => {
  await expect(open({ taskMs: 200 }).run('a', task('neverEnd'))).rejects.toBeInstanceOf(TooHeavy)
})

test('a task whose heap exceeds the limit is terminated and reported as too heavy', async () => {
  const heap = 150
  expect(await open({ heapMegabytes: 2 * heap }).run('a', task('fillHeap'), heap)).toBeGreaterThan(0)
  const ended = await open()
    .run('a', task('fillHeap'), heap)
    .catch((error: unknown) => error)
  expect(ended).toBeInstanceOf(TooHeavy)
  expect(ended).toMatchObject({ cause: { code: 'ERR_WORKER_OUT_OF_MEMORY' } })
})

test.each([
  ['heap', (workers: Workers) => workers.run('a', task('fillHeap'), 150)],
  ['crash', (workers: Workers) => workers.run('a', task('crash'))],
])('after a task that fails by %s the next one is served', async (_, fail) => {
  const workers = open()
  await expect(fail(workers)).rejects.toBeInstanceOf(TooHeavy)
  expect((await workers.run('a', task('sizeOf'), Buffer.alloc(4))).size).toBe(4)
})

test('an exception of a task is thrown to the caller', async () => {
  await expect(open().run('a', task('fail'))).rejects.toThrow(new RangeError('a bug'))
})

describe('many tasks', () => {
  const newFlag = () => new SharedArrayBuffer(4)
  const release = (flag: SharedArrayBuffer) => {
    const view = new Int32Array(flag)
    Atomics.store(view, 0, 1)
    Atomics.notify(view, 0)
  }

  test('share one thread if one owner has them, and another owner’s task runs meanwhile', async () => {
    const workers = open()
    const flag = newFlag()
    const done: string[] = []
    const own = ['1', '2', '3'].map(async each => done.push(await workers.run('a', task('holdFor'), flag, each)))
    expect((await workers.run('b', task('sizeOf'), Buffer.alloc(4))).size).toBe(4)
    expect(done).toEqual([])
    release(flag)
    await Promise.all(own)
    expect(done).toEqual(['1', '2', '3'])
  })

  test('take turns if several owners have them', async () => {
    const workers = open({ threads: 1 })
    const flag = newFlag()
    const done: string[] = []
    const begun = [
      ['a', 'a1'],
      ['a', 'a2'],
      ['a', 'a3'],
      ['b', 'b1'],
      ['c', 'c1'],
    ].map(async ([owner = '', name = '']) => done.push(await workers.run(owner, task('holdFor'), flag, name)))
    release(flag)
    await Promise.all(begun)
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3'])
  })

  const refused = expect.objectContaining({ status: 503, details: { retryAfter: 2 } })

  test('beyond one owner’s limit are refused for now, and other owners’ are not', async () => {
    const workers = open({ threads: 1, waiting: 64, ofOne: 2 })
    const flag = newFlag()
    const run = (owner: string, name: string) => workers.run(owner, task('holdFor'), flag, name)
    const begun = [run('a', 'a1'), run('a', 'a2'), run('a', 'a3')]
    const more = Promise.allSettled(Array.from({ length: 67 }, () => run('a', 'more')))
    begun.push(run('b', 'b1'), run('b', 'b2'))
    release(flag)
    expect(await more).toEqual(Array.from({ length: 67 }, () => ({ status: 'rejected', reason: refused })))
    expect(await Promise.all(begun)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  })

  test('in a queue that many owners have filled, each may still have one', async () => {
    const workers = open({ threads: 1, waiting: 2, ofOne: 2 })
    const flag = newFlag()
    const run = (owner: string, name: string) => workers.run(owner, task('holdFor'), flag, name)
    const begun = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1'), run('c', 'c1')]
    await expect(run('b', 'b2')).rejects.toEqual(refused)
    release(flag)
    expect(await Promise.all(begun)).toEqual(['a1', 'a2', 'b1', 'c1'])
  })
})
