import { expect, test } from 'vitest'
import { describeFailure, failuresIn } from './failures.ts'

const passed = { titles: ['a feature', 'closes'], state: 'passed', errors: [] }

test('failed tests, skipped tests and files that cannot be loaded are failures', () => {
  const found = failuresIn([
    {
      file: 'server/a.test.ts',
      errors: [],
      tests: [
        passed,
        {
          titles: ['a feature', "opens (at 'once')"],
          state: 'failed',
          errors: ['\u001b[31mAssertionError\u001b[39m: expected 1 to be 2\n\n    at x.ts:3'],
          trail: ['at http://127.0.0.1/products', '500 POST /api/quotes'],
        },
      ],
    },
    { file: 'server/b.test.ts', errors: [], tests: [passed, { ...passed, state: 'skipped' }] },
    { file: 'server/c.test.ts', errors: ['Cannot find ./d.ts'], tests: [] },
  ])
  expect(found.map(each => describeFailure(each))).toEqual([
    [
      "FAIL server/a.test.ts > a feature > opens (at 'once')",
      'AssertionError: expected 1 to be 2',
      '    at x.ts:3',
      'at http://127.0.0.1/products',
      '500 POST /api/quotes',
      "again: npm test -- server/a.test.ts -t 'a feature > opens .at .once..'",
    ].join('\n   | '),
    "FAIL server/b.test.ts > a feature > closes\n   | skipped\n   | again: npm test -- server/b.test.ts -t 'a feature > closes'",
    'FAIL server/c.test.ts\n   | Cannot find ./d.ts\n   | again: npm test -- server/c.test.ts',
  ])
})
