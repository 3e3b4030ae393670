import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { shapeProblems } from './shapes.ts'

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
