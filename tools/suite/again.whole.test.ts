import { expect, test } from 'vitest'
import { run } from '../processes.ts'
import { describeFailure, failuresIn } from './failures.ts'

/** Runs a command line as a shell does. */
const shell = (line: string) => run('sh', ['-c', line])

test('the command that a red run prints repeats one test of a group', async () => {
  const titles = ['roundedRatio', 'is NaN for non-integers and for a division by zero']
  const failures = failuresIn([{ file: 'common/kit/money.test.ts', errors: [], tests: [{ titles, state: 'failed', errors: ['red'] }] }])
  const again = /again: (.*)/.exec(failures.map(failure => describeFailure(failure)).join('\n'))?.[1]
  expect((await shell(again ?? 'false')).output).toContain('\n1 passed, 0 failed')
})

test('a group of tests is found by its title, and a misspelt option is refused', async () => {
  expect((await shell('npm test -- roundedRatio')).output).toContain('\n11 passed, 0 failed')
  expect(await shell('npm test -- money --sed 7')).toMatchObject({ code: 1, output: expect.stringContaining('Unknown option `--sed`.') })
})
