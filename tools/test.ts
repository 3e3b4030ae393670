import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './check.ts'
import { bin, root, run } from './processes.ts'
import { buildPortal } from './ready.mjs'
import { say, step } from './steps.mjs'

// The whole suite: what `npm run check` holds, every test, and every walk in a real browser. Ends with one line of counts.

type Counts = { passed: number; failed: number }

say(process.env['TEST_DATABASE_URL'] ? 'Tests on the PostgreSQL server of TEST_DATABASE_URL' : 'Tests on the embedded database')
const gate = await check()
const unit = await vitest('Unit and service tests', 'vitest.config.ts')
await buildPortal(process.execPath)
const walks = await vitest('Walks in a real browser', 'vitest.walks.config.ts')

const failed = unit.failed + walks.failed + (gate ? 0 : 1)
console.log(`${unit.passed + walks.passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)

async function vitest(title: string, config: string): Promise<Counts> {
  const report = join(root, `.cache/${config}.json`)
  rmSync(report, { force: true })
  const { code } = await step(title, () =>
    run(bin('vitest'), ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], { show: true }),
  )
  const counts = existsSync(report) ? readCounts(report) : { passed: 0, failed: 1 }
  // A file that cannot even be loaded is no failed test in the report, but it is a failure.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function readCounts(path: string): Counts {
  const report = JSON.parse(readFileSync(path, 'utf8')) as { numPassedTests: number; numFailedTests: number; numPendingTests: number }
  return { passed: report.numPassedTests, failed: report.numFailedTests + report.numPendingTests }
}
