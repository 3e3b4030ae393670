import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from '../processes.ts'

/** Returns the folder of a project's screenshots. The next run of the project deletes it, and a run of others leaves it. */
export const screenshotsOf = (project: string): string => join(root, '.cache/failures', project)

/** The last calls and console lines of a failed end-to-end test. */
export type Trail = string[]

declare module 'vitest' {
  interface TaskMeta {
    /** Set by e2e/trail.ts. */
    trail?: Trail
  }
}

/** A test, a test file or a check that failed: its message, its last actions, and the command that repeats it. */
export type Failure = { name: string; message: string; trail?: Trail; again?: string }

/** The end of a test, as far as a report of failures needs it. */
type Ended = { titles: string[]; state: string; errors: string[]; trail?: Trail }
/** A test file, its own errors, and its tests. */
export type EndedFile = { file: string; errors: string[]; tests: Ended[] }

/** Returns every test that failed or did not run, and every file with an error, such as one that cannot be loaded. */
export function failuresIn(files: EndedFile[]): Failure[] {
  return files.flatMap(({ file, errors, tests }) => {
    if (errors.length > 0)
      return [{ name: file, message: errors.join('\n'), again: `npm test -- ${file}` }, ...failedTests(file, tests, ['failed'])]
    return failedTests(file, tests, ['failed', 'skipped', 'pending'])
  })
}

const failedTests = (file: string, tests: Ended[], states: string[]): Failure[] =>
  tests
    .filter(({ state }) => states.includes(state))
    .map(({ titles, state, errors, trail }) => ({
      name: [file, ...titles].join(' > '),
      message: errors.join('\n') || state,
      again: commandOf(file, titles),
      ...(trail && { trail }),
    }))

/** Returns the command that runs one test. vitest matches all titles joined, so a special character is replaced by one that matches any. */
const commandOf = (file: string, titles: string[]): string =>
  `npm test -- ${file} -t '${titles.join(' > ').replaceAll(/[^\p{L}\p{N} ,:;=/@_>-]/gu, '.')}'`

/**
 * Returns the failure's name, message, trail, and the command that repeats it with the run's options. `.ci/run` finds these lines by their
 * beginnings. A property's message contains its seed.
 */
export function describeFailure({ name, message, trail = [], again }: Failure, options = ''): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() && !/^ +at .*node_modules|^ +at new Promise/.test(line))
    .slice(0, shown)
  const all = [...lines, ...trail, ...(again ? [`again: ${again}${options}`] : [])]
  return [`FAIL ${name}`, ...all.map(line => `   | ${line.slice(0, 300)}`)].join('\n')
}

const shown = 12
