import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../log.ts'
import { openMetrics } from '../metrics.ts'
import { openJobsProcess } from './jobs-process.ts'

test('a start that the system refuses is logged and retried, and the service goes on', async () => {
  const lines: string[] = []
  let elapsed = 0
  const log = openLog('error', {
    write(line) {
      lines.push(line)
    },
  })
  // Linux refuses an environment entry of this size, so Node throws at once.
  const program = { path: 'none.ts', environment: { TOO_LONG: 'x'.repeat(300_000) } }
  const jobs = openJobsProcess({
    program,
    setting: () => ({}),
    free: () => Promise.resolve(),
    elapsed: () => elapsed,
    log,
    metrics: openMetrics(),
  })
  jobs.start()
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  expect(lines[0]).toContain('E2BIG')
  expect(jobs.ask('any task')).toBeUndefined()
  elapsed = 29_999
  expect(jobs.isAlive()).toBe(true)
  elapsed = 30_000
  expect(jobs.isAlive()).toBe(false)
  await jobs.stop()
})

test('the process for jobs hears how many jobs were published for each subscriber', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'jobs-')), 'counting.mjs')
  writeFileSync(
    path,
    `const heard = {}
    process.on('message', ({ kind, id, published }) => {
      for (const [name, count] of Object.entries(published ?? {})) heard[name] = (heard[name] ?? 0) + count
      if (kind === 'ask') process.send({ kind: 'answer', id, value: heard })
      if (kind === 'stop') process.disconnect()
    })
    process.send({ kind: 'up' })`,
  )
  const free = () => Promise.resolve()
  const jobs = openJobsProcess({
    program: { path, environment: {} },
    setting: () => ({}),
    free,
    elapsed: () => 0,
    log: openLog('error'),
    metrics: openMetrics(),
  })
  jobs.start()
  for (const subscribers of [['one'], ['one', 'other'], ['one']]) jobs.wake(subscribers)
  await expect.poll(() => jobs.ask('anything')).toEqual({ one: 3, other: 1 })
  await jobs.stop()
})
