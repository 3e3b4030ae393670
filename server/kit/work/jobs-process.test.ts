import { expect, test } from 'vitest'
import { openLog } from '../log.ts'
import { openMetrics } from '../metrics.ts'
import { openJobsProcess } from './jobs-process.ts'

test('a start that the system refuses is logged and tried again, and does not end the process that serves', async () => {
  const lines: string[] = []
  const log = openLog('error', {
    write(line) {
      lines.push(line)
    },
  })
  // No process of Linux takes an entry of so many bytes, which Node throws at once.
  const program = { path: 'none.ts', environment: { TOO_LONG: 'x'.repeat(300_000) } }
  const jobs = openJobsProcess({ program, setting: () => ({}), free: () => Promise.resolve(), log, metrics: openMetrics() })
  jobs.start()
  await expect.poll(() => lines.length).toBeGreaterThan(1)
  expect(lines[0]).toContain('E2BIG')
  expect(jobs.ask('any task')).toBeUndefined()
  await jobs.stop()
})
