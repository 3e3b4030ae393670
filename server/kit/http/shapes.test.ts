import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { date } from '#common/kit/schemas/parts.ts'
import { shapeProblems } from './failures.ts'

const schema = z.strictObject({
  users: z.array(z.strictObject({ docNumber: z.string().check(z.minLength(3)), age: z.optional(z.number().check(z.gte(0))) })),
  page: z.number(),
})
const problemsOf = (value: unknown) => {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? [] : shapeProblems(parsed.error.issues).map(({ path, rule }) => `${path} ${rule}`)
}

test('each problem has the path of its field', () => {
  expect(problemsOf({ users: [{ docNumber: 'x' }, { docNumber: 7, age: -1 }, { docNumber: 'abc', price: 1 }], total: 1 })).toEqual([
    'users[0].docNumber minLength',
    'users[1].docNumber type',
    'users[1].age min',
    'users[2].price unknown',
    'page required',
    'total unknown',
  ])
})

test('an invalid date is reported as such, once', () => {
  const schema = z.strictObject({ startDate: date })
  const rulesOf = (startDate: unknown) => {
    const parsed = schema.safeParse({ startDate }, { reportInput: true })
    return parsed.success ? [] : shapeProblems(parsed.error.issues).map(({ path, rule }) => `${path} ${rule}`)
  }
  for (const none of ['2026-02-30', '2026-13-01', 'tomorrow', '']) expect(rulesOf(none), none).toEqual(['startDate validDate'])
  expect(rulesOf('2028-02-29')).toEqual([])
  expect(rulesOf(7)).toEqual(['startDate type'])
})
