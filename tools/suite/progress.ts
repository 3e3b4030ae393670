import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from '../processes.ts'
import { realTestsIn } from '../real-tests.ts'
import { say } from '../steps.mjs'
import { beyond, type Project, projectOf } from './projects.ts'
import { testFiles } from './select.ts'

/** Logs how many test files are done, at about every tenth part. A terminal shows it by itself. */
export function progress(): Reporter {
  const began = Date.now()
  let [total, done] = [0, 0]
  return {
    onTestRunStart: specifications => void (total = specifications.length),
    onTestModuleEnd() {
      done += 1
      const part = Math.ceil(total / 10)
      if (!process.stdout.isTTY && total > 10 && (done % part === 0 || done === total))
        say(`… ${done} of ${total} test files, ${Math.round((Date.now() - began) / 1000)} s`)
    },
  }
}

/** Returns a list of the files that took longest, with their seconds. */
export function slowest(modules: TestModule[], count: number): string {
  const files = modules.map(module => ({ file: relative(root, module.moduleId), ms: durationOf(module) }))
  const most = files.toSorted((one, other) => other.ms - one.ms).slice(0, count)
  return ['The slowest test files:', ...most.map(({ file, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${file}`)].join('\n')
}

/** Returns the total time of each project's files, and the elapsed time of the checks and the run. Files run in parallel. */
export function durations(modules: TestModule[], { gate, all }: { gate: number; all: number }): string {
  const byProject = Map.groupBy(modules, ({ project }) => project.name)
  const parts = [...byProject].map(([name, files]) => `${name} ${seconds(files.reduce((sum, file) => sum + durationOf(file), 0))}`)
  return `Durations: ${seconds(all)} in all, of them gate ${seconds(gate)}. Test files, added up: ${parts.join(', ')}.`
}

/** Returns a line for each project that did not run: its size, and why it runs separately. */
export const notRun = (names: Project['name'][]): string[] =>
  names.map(name => {
    const files = testFiles().filter(file => projectOf(file) === name)
    const tests = files.reduce((sum, file) => sum + realTestsIn(join(root, file)).size, 0)
    return `Not run: ${name}, ${tests} tests in ${files.length} files (${beyond[name]}). \`npm run test:all\` adds them, \`npm test -- ${name}\` runs them alone.`
  })

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`

/** Includes loading, which also makes a file slow. */
function durationOf(module: TestModule): number {
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return prepareDuration + collectDuration + setupDuration + duration
}
