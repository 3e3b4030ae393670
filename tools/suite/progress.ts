import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from '../processes.ts'
import { say } from '../steps.mjs'

/** Logs how many test files are done, about every tenth part. A terminal shows it by itself. */
export function progress(): Reporter {
  const began = Date.now()
  let [total, done] = [0, 0]
  return {
    onTestRunStart: specifications => void (total = specifications.length),
    onTestModuleEnd() {
      done += 1
      const part = Math.ceil(total / 10)
      if (!process.stdout.isTTY && (done % part === 0 || done === total))
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

/** Includes loading, which also makes a file slow. */
function durationOf(module: TestModule): number {
  const { prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return prepareDuration + collectDuration + setupDuration + duration
}
