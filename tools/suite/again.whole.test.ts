import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../processes.ts'
import { describeFailure, failuresIn, screenshotsOf } from './failures.ts'

/** Runs a command line as a shell does. */
const shell = (line: string) => run('sh', ['-c', line])

test('the command that a red run prints repeats one test of a group', async () => {
  const titles = ['roundedRatio', 'roundedRatio is NaN for non-integers and for a division by zero']
  const failures = failuresIn([{ file: 'common/kit/money.test.ts', errors: [], tests: [{ titles, state: 'failed', errors: ['red'] }] }])
  const again = /again: (.*)/.exec(failures.map(failure => describeFailure(failure)).join('\n'))?.[1]
  expect((await shell(again ?? 'false')).output).toContain('\n1 passed, 0 failed')
})

/** Keeps a screenshot as a failed test of this project does, until the test ends. */
function screenshot(project: string): string {
  const path = join(screenshotsOf(project), 'again.png')
  onTestFinished(() => rmSync(path, { force: true }))
  mkdirSync(screenshotsOf(project), { recursive: true })
  writeFileSync(path, 'a picture')
  return path
}

test('a run leaves the screenshots of other projects and deletes its own', async () => {
  const [other, own] = [screenshot('looks'), screenshot('rules')]
  expect((await shell('npm test -- roundedRatio')).output).toContain('\n11 passed, 0 failed')
  expect([existsSync(other), existsSync(own)]).toEqual([true, false])
})

test('a misspelt option is refused', async () => {
  expect(await shell('npm test -- money --sed 7')).toMatchObject({ code: 1, output: expect.stringContaining('Unknown option `--sed`.') })
})
