import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseCLI, type CliOptions, startVitest, type Vitest } from 'vitest/node'
import { environment, root } from '../processes.ts'
import { compiled } from '../ready.mjs'
import { fail, say } from '../steps.mjs'
import { describeFailure, type Failure, failuresIn, type Report } from './failures.ts'
import { projectOf } from './projects.ts'
import { progress, slowest } from './progress.ts'
import { select } from './select.ts'

// `npm test`: the gate, then every test. `npm test -- WORD …`: only the tests that match, or those of a row such as S2.1. `npm run test:watch [-- WORD …]`: again at each save.
// Options are vitest's own, such as `-u` or `--project rules`.

process.env['PATH'] = environment.PATH
delete process.env['NODE_ENV']
// Services and commands that tests start need not compile what an earlier one has.
process.env['NODE_COMPILE_CACHE'] ??= compiled
process.chdir(root)

const isWatch = process.argv[2] === '--watch'
const given = process.argv.slice(isWatch ? 3 : 2)
const { filter, options } = parseCLI(['vitest', isWatch ? 'watch' : 'run', ...given])
if (given.length === 0 && !isWatch) await testAll()
else await testSome(filter, options)

/** Prints the slowest files, the failures by name, and one line of counts. */
async function testAll(): Promise<never> {
  say(process.env['TEST_DATABASE_URL'] ? 'Tests on the PostgreSQL server of TEST_DATABASE_URL' : 'Tests on the embedded database')
  const gate = await checkOnce()
  rmSync(join(root, '.cache/test-files'), { recursive: true, force: true })
  const report = join(root, '.cache/test-report.json')
  rmSync(report, { force: true })
  const vitest = await startVitest('test', [], {
    run: true,
    reporters: ['default', ['json', { outputFile: report }], progress()],
  })
  await vitest.close()
  const { passed, failures } = outcomeOf(vitest, report)
  failures.unshift(...gate)
  console.log(slowest(vitest.state.getTestModules(), 10))
  for (const failure of failures) console.log(describeFailure(failure))
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exit(failures.length > 0 ? 1 : 0)
}

/** Runs the tests that match, without the gate. */
async function testSome(words: string[], options: CliOptions): Promise<void> {
  const chosen = words.length > 0 ? select(words) : { files: [] }
  if ('unknown' in chosen) fail(`No test file and no test title has ${chosen.unknown.map(each => `'${each}'`).join(' or ')}.`)
  const { files, title, tags } = chosen
  const names = [...new Set(files.flatMap(file => projectOf(file) ?? []))]
  const vitest = await startVitest(
    'test',
    files.map(file => join(root, file)),
    {
      ...options,
      watch: isWatch,
      ...(names.length > 0 && { project: names }),
      ...(tags && { tagsFilter: [tags.join(' or ')] }),
      ...(title && { testNamePattern: `(?i:${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)})` }),
    },
  )
  if (isWatch) return
  await vitest.close()
  process.exit(process.exitCode ?? 0)
}

/** Skips the gate if no file has changed since it held: the second run of CI is about the database. */
async function checkOnce(): Promise<Failure[]> {
  const [{ check }, { whenChanged }] = await Promise.all([import('../check.ts'), import('../ready.mjs')])
  const sources = readdirSync(root).filter(name => !['.git', '.cache', '.data', 'dist', 'node_modules'].includes(name))
  let found: Failure[] = []
  await whenChanged('check', sources, [], async () => {
    found = await check()
    if (found.length > 0) throw new Error('the findings must be shown again')
  }).catch((error: unknown) => {
    if (found.length === 0) throw error
  })
  return found
}

function outcomeOf(vitest: Vitest, path: string): { passed: number; failures: Failure[] } {
  // Safe: vitest writes the file in this form.
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Report) : { numPassedTests: 0, testResults: [] }
  const failures = failuresIn(report, root)
  // The report does not list an error outside of all tests, but it is a failure.
  for (const error of vitest.state.getUnhandledErrors()) failures.push({ name: 'Outside of the tests', message: textOf(error) })
  if (failures.length === 0 && (report.numPassedTests === 0 || process.exitCode))
    failures.push({ name: 'Tests', message: `${report.numPassedTests} passed, but vitest ended with ${process.exitCode}` })
  return { passed: report.numPassedTests, failures }
}

/** Returns an error's stack. Errors come from other processes, so they are plain objects. */
function textOf(error: unknown): string {
  for (const field of ['stack', 'message']) {
    const text: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined
    if (typeof text === 'string') return text
  }
  return JSON.stringify(error)
}
