import { expect, test } from 'vitest'
import { endOf, failuresIn, tell } from './failures.ts'

const one = {
  ancestorTitles: ['a room'],
  title: 'opens',
  failureMessages: ['\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n    at x.ts:3'],
}
const passed = { ...one, status: 'passed', failureMessages: [] }

test('every test that failed or was skipped is named, and every file that could not be loaded', () => {
  const found = failuresIn(
    {
      numPassedTests: 2,
      testResults: [
        { name: '/clone/server/a.test.ts', status: 'failed', message: '', assertionResults: [passed, { ...one, status: 'failed' }] },
        { name: '/clone/server/b.test.ts', status: 'passed', message: '', assertionResults: [passed, { ...passed, status: 'skipped' }] },
        { name: '/clone/server/c.test.ts', status: 'failed', message: 'Cannot find ./d.ts', assertionResults: [] },
      ],
    },
    '/clone',
  )
  expect(found.map(tell)).toEqual([
    'FAIL server/a.test.ts > a room > opens\n   | AssertionError: expected 1 to be 2\n   |     at x.ts:3',
    'FAIL server/b.test.ts > a room > opens\n   | skipped',
    'FAIL server/c.test.ts\n   | Cannot find ./d.ts',
  ])
})

test('of a run that broke off, the error that nobody caught is told, else the last lines', () => {
  const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`)
  expect(endOf([...lines, '⎯⎯ Unhandled Errors ⎯⎯', '', 'Error: too late'].join('\n'))).toBe('⎯⎯ Unhandled Errors ⎯⎯\nError: too late')
  expect(endOf(lines.join('\n')).split('\n').at(-1)).toBe('line 29')
})
