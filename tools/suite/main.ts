import { readdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type CliOptions, createCLI, parseCLI, startVitest, type TestCase, type TestModule, type TestSuite } from 'vitest/node'
import { environment, root } from '../processes.ts'
import { compiled, whenChanged } from '../ready.mjs'
import { fail, say } from '../steps.mjs'
import { check } from '../check.ts'
import { takeDay } from './at.ts'
import { describeFailure, type EndedFile, type Failure, failuresIn, screenshotsOf } from './failures.ts'
import { beyond, projectOf, projects } from './projects.ts'
import { durations, notRun, progress, slowest } from './progress.ts'
import { numberOfRun, repeatLine, takeSeed } from './seeds.ts'
import { select } from './select.ts'

// `npm test` runs the checks, then every test of the quick projects; `npm run test:all` runs every test. `npm test -- WORD …` runs only the tests
// that match, or those of a row such as S2.1. `npm run test:watch [-- WORD …]` repeats it at each save. `--at 2027-03-20` plays under another day.
// `--seed random` gives properties other values; the run prints its number, and `--seed 4711` repeats it. Other options are vitest's own, such as
// `-u`.

process.env['PATH'] = environment.PATH
delete process.env['NODE_ENV']
// Services and commands started by tests reuse earlier compiled code.
process.env['NODE_COMPILE_CACHE'] ??= compiled
process.chdir(root)

const [isAll, isWatch] = [process.argv.includes('--all'), process.argv.includes('--watch')]
const seeded = takeSeed(process.argv.slice(2).filter(each => each !== '--all' && each !== '--watch'))
if (typeof seeded === 'string') fail(seeded)
const seed = numberOfRun()
const repeat = seed && repeatLine(isAll ? 'npm run test:all' : 'npm test', seeded, seed)
if (repeat) say(repeat)
const given = takeDay(seeded)
if (typeof given === 'string') fail(given)
refuseUnknown(given)
const { filter, options } = parseCLI(['vitest', isWatch ? 'watch' : 'run', ...given])
if (given.length === 0 && !isWatch) await testAll()
else await testSome(filter, options)

/** Refuses an option that vitest does not have, since vitest would silently ignore a misspelt `--seed`. */
function refuseUnknown(given: string[]): void {
  const cli = createCLI()
  cli.parse(['node', 'vitest', 'run', ...given], { run: false })
  try {
    cli.globalCommand.checkUnknownOptions()
  } catch (error) {
    fail(error instanceof Error ? `${error.message}.` : String(error))
  }
}

/** Runs the checks and whole projects, and prints where the time went and what did not run. */
async function testAll(): Promise<never> {
  say(process.env['TEST_DATABASE_URL'] ? 'Tests on the PostgreSQL server of TEST_DATABASE_URL' : 'Tests on the embedded database')
  const began = Date.now()
  const gate = await checkOnce()
  const gateMs = Date.now() - began
  rmSync(join(root, '.cache/test-files'), { recursive: true, force: true })
  const left = isAll ? [] : projects.flatMap(({ name }) => (beyond[name] ? [name] : []))
  const names = projects.map(({ name }) => name).filter(name => !left.includes(name))
  const outcome = await runTests([], { project: names })
  outcome.failures.unshift(...gate)
  console.log(slowest(outcome.modules, 10))
  console.log(durations(outcome.modules, { gate: gateMs, all: Date.now() - began }))
  for (const line of notRun(left)) console.log(line)
  return close(outcome)
}

/** Runs the tests that match, without the checks. */
async function testSome(words: string[], options: CliOptions): Promise<void> {
  const chosen = words.length > 0 ? select(words) : { files: [] }
  if ('unknown' in chosen) fail(`No test file and no test title has ${chosen.unknown.map(each => `'${each}'`).join(' or ')}.`)
  const { files, title, tags } = chosen
  const names = [...new Set(files.flatMap(file => projectOf(file) ?? []))]
  const more = {
    ...options,
    ...(names.length > 0 && { project: names }),
    ...(tags && { tagsFilter: [tags.join(' or ')] }),
    ...(title && { testNamePattern: `(?i:${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)})` }),
  }
  const paths = files.map(file => join(root, file))
  if (isWatch) return void (await startVitest('test', paths, { ...more, watch: true }))
  close(await runTests(paths, more))
}

type Outcome = { passed: number; failures: Failure[]; modules: TestModule[] }

async function runTests(files: string[], options: CliOptions): Promise<Outcome> {
  for (const project of [options.project ?? []].flat()) rmSync(screenshotsOf(project), { recursive: true, force: true })
  const vitest = await startVitest('test', files, { reporters: ['default', progress()], ...options, watch: false, run: true })
  await vitest.close()
  const modules = vitest.state.getTestModules()
  // A run of some tests skips the other tests in their files.
  const isPart = options.testNamePattern !== undefined || options.tagsFilter !== undefined
  const ended = modules
    .map(endedOf)
    .map(file => (isPart ? { ...file, tests: file.tests.filter(({ state }) => state !== 'skipped') } : file))
  const passed = ended.flatMap(({ tests }) => tests).filter(({ state }) => state === 'passed').length
  const failures = [
    ...failuresIn(ended),
    ...vitest.state.getUnhandledErrors().map(error => ({ name: 'Outside of the tests', message: textOf(error) })),
  ]
  if (failures.length === 0 && (passed === 0 || process.exitCode))
    failures.push({ name: 'Tests', message: passed === 0 ? 'No test ran.' : `All passed, but vitest ended with ${process.exitCode}.` })
  return { passed, failures, modules }
}

function endedOf(module: TestModule): EndedFile {
  return {
    file: relative(root, module.moduleId),
    errors: [module, ...module.children.allSuites()].flatMap(each => each.errors()).map(textOf),
    tests: [...module.children.allTests()].map(test => {
      const { state, errors = [] } = test.result()
      const { trail } = test.meta()
      return { titles: titlesOf(test), state, errors: errors.map(textOf), ...(trail && { trail }) }
    }),
  }
}

function titlesOf({ name, parent }: TestCase | TestSuite): string[] {
  return parent.type === 'module' ? [name] : [...titlesOf(parent), name]
}

/** Returns an error's stack. Errors come from other processes, so they are plain objects. */
function textOf(error: unknown): string {
  for (const field of ['stack', 'message']) {
    const text: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, field) : undefined
    if (typeof text === 'string') return text
  }
  return JSON.stringify(error)
}

/** Ends with every failure and one line of counts, as often only a log's last page is kept. */
function close({ passed, failures }: Outcome): never {
  for (const failure of failures) console.log(describeFailure(failure, seed && ` --seed ${seed}`))
  if (repeat) console.log(repeat)
  console.log(`${passed} passed, ${failures.length} failed`)
  process.exit(failures.length > 0 ? 1 : 0)
}

/** Skips the checks if no file has changed since they last passed. */
async function checkOnce(): Promise<Failure[]> {
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
