import { stripVTControlCharacters } from 'node:util'

/** A test, a test file or a check that failed, with its message. */
export type Failure = { name: string; message: string }

/** The parts of vitest's JSON report that are read here. */
export type Report = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; ancestorTitles: string[]; title: string; failureMessages: string[] | null }[]
  }[]
}

/** Returns every test that did not pass, skipped ones too, and every file that could not be loaded. */
export function failuresIn({ testResults }: Report, root: string): Failure[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = name.replace(`${root}/`, '')
    const failures = assertionResults
      .filter(each => each.status !== 'passed')
      .map(each => ({
        name: [file, ...each.ancestorTitles, each.title].join(' > '),
        message: each.failureMessages?.join('\n') || each.status,
      }))
    return failures.length === 0 && status === 'failed' ? [{ name: file, message }] : failures
  })
}

/** Returns one line with the name, then the beginning of the message. `.ci/run` finds both by how they begin. */
export function describeFailure({ name, message }: Failure): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() && !/^ +at .*node_modules|^ +at new Promise/.test(line))
    .slice(0, shown)
  return [`FAIL ${name}`, ...lines.map(line => `   | ${line.slice(0, 300)}`)].join('\n')
}

const shown = 12
