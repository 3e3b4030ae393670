import { stripVTControlCharacters } from 'node:util'

/** A test, a file of tests or a check that failed, and what it said. */
export type Failure = { name: string; message: string }

/** As much of vitest's report in JSON as is read here. */
export type Report = {
  numPassedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; ancestorTitles: string[]; title: string; failureMessages: string[] | null }[]
  }[]
}

/** Every test that did not pass, a skipped one too, and every file that could not be loaded. */
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

/** What a run that broke off says at its end: the errors that nobody caught, else its last lines. */
export function endOf(output: string): string {
  const lines = stripVTControlCharacters(output)
    .split('\n')
    .filter(line => line.trim() && !/^⎯+$/.test(line.trim()))
  const uncaught = lines.findIndex(line => /Unhandled (Errors?|Rejection)|Uncaught Exception/.test(line))
  return (uncaught >= 0 ? lines.slice(uncaught) : lines.slice(-shown)).join('\n')
}

/** One line with the name, some with the beginning of the message: .ci/run finds them again by what they begin with. */
export function tell({ name, message }: Failure): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter(line => line.trim() && !/^ +at .*node_modules|^ +at new Promise/.test(line))
    .slice(0, shown)
  return [`FAIL ${name}`, ...lines.map(line => `   | ${line.slice(0, 300)}`)].join('\n')
}

const shown = 12
