import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bin, run } from '../processes.ts'
import type { JsonReport } from '../suite/json-report.ts'
import { apply } from './apply.ts'
import type { Break } from './break.ts'

/** `red`: the row's failed tests. `why`: the output of the run, if none failed. */
export type Played = { red: string[]; seconds: number; why: string }

/** Plays one break in a copy of the tree. A test file that cannot be loaded is not a failed test. */
export async function play(broken: Break, tree: string): Promise<Played> {
  const began = Date.now()
  const undo = apply(broken, tree)
  try {
    const { red, why } = await testsOf(broken, tree)
    return { red, why, seconds: Math.round((Date.now() - began) / 1000) }
  } finally {
    undo()
  }
}

async function testsOf({ row, tests, title }: Break, tree: string): Promise<{ red: string[]; why: string }> {
  const path = join(tree, '.cache/mutant.json')
  rmSync(path, { force: true })
  const { output } = await run(
    bin('vitest'),
    [
      'run',
      ...tests,
      ...(title ? ['-t', title] : ['--tags-filter', row]),
      '--bail=1',
      '--testTimeout=40000',
      '--reporter=json',
      `--outputFile.json=${path}`,
    ],
    tree,
    // Most waits of a page are for the part that the break removed.
    { TEST_PATIENCE_MS: '15000' },
  )
  if (!existsSync(path)) return { red: [], why: output.slice(-300) }
  // Safe: vitest wrote it just now.
  const { testResults, numPassedTests } = JSON.parse(readFileSync(path, 'utf8')) as JsonReport
  const red = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ ancestorTitles, title }) => [name.replace(`${tree}/`, ''), ...ancestorTitles, title].join(' › ')),
  )
  return { red, why: numPassedTests > 0 ? 'every test of the row passed' : 'no test of the row ran' }
}
