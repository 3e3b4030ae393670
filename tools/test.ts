import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { check } from './check.ts'
import { endOf, type Failure, failuresIn, type Report, tell } from './failures.ts'
import { bin, root, run } from './processes.ts'
import { buildPortal, whenChanged } from './ready.mjs'
import { say, step } from './steps.mjs'

// The whole suite: what `npm run check` holds, every test, and every end-to-end test in a real browser. Ends with what failed, by name, and one line of counts.

type Outcome = { passed: number; failures: Failure[] }

say(process.env['TEST_DATABASE_URL'] ? 'Tests on the PostgreSQL server of TEST_DATABASE_URL' : 'Tests on the embedded database')
const gate = await checkOnce()
// The quick attacks ask for pages too.
await buildPortal(process.execPath)
const unit = await vitest('Unit and service tests', 'vitest.config.ts')
const endToEnd = await vitest('End-to-end tests in a real browser', 'vitest.e2e.config.ts')

const failures = [...gate, ...unit.failures, ...endToEnd.failures]
for (const failure of failures) console.log(tell(failure))
console.log(`${unit.passed + endToEnd.passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 ? 1 : 0)

/** What was found right is not looked at again while no file has changed: the second run of CI is about the database. */
async function checkOnce(): Promise<Failure[]> {
  const sources = readdirSync(root).filter(name => !['.git', '.cache', '.data', 'dist', 'node_modules'].includes(name))
  let found: Failure[] = []
  await whenChanged('check', sources, [], async () => {
    found = await check()
    if (found.length > 0) throw new Error('what was found is to be found again')
  }).catch((error: unknown) => {
    if (found.length === 0) throw error
  })
  return found
}

async function vitest(title: string, config: string): Promise<Outcome> {
  const path = join(root, `.cache/${config}.json`)
  rmSync(path, { force: true })
  const { code, output } = await step(title, () =>
    run(bin('vitest'), ['run', '--config', config, '--reporter=default', '--reporter=json', `--outputFile.json=${path}`], { show: true }),
  )
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : { numPassedTests: 0, testResults: [] }
  const failures = failuresIn(report, root)
  // What breaks outside every test is no failed test in the report, but it is a failure.
  if (failures.length === 0 && (code !== 0 || report.numPassedTests === 0)) failures.push({ name: title, message: endOf(output) })
  return { passed: report.numPassedTests, failures }
}
