import { expect, test } from 'vitest'
import { describeFailure, failuresIn } from './failures.ts'

const one = {
  ancestorTitles: ['a feature'],
  title: 'opens',
  failureMessages: ['\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n    at x.ts:3'],
}
const passed = { ...one, status: 'passed', failureMessages: [] }

test('failed tests, skipped tests and files that cannot be loaded are failures', () => {
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
  expect(found.map(describeFailure)).toEqual([
    'FAIL server/a.test.ts > a feature > opens\n   | AssertionError: expected 1 to be 2\n   |     at x.ts:3',
    'FAIL server/b.test.ts > a feature > opens\n   | skipped',
    'FAIL server/c.test.ts\n   | Cannot find ./d.ts',
  ])
})
