import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../processes.ts'
import { tagsIn } from '../real-tests.ts'
import { specRows } from '../suite/spec-rows.ts'
import { breaks } from './breaks.ts'

test('every recorded break fits its file exactly once and changes it', () => {
  const unfit = breaks.filter(
    ({ file, find, replace }) => readFileSync(join(root, file), 'utf8').split(find).length !== 2 || find === replace,
  )
  expect(unfit.map(({ row, file, find }) => `${row}: ${file}: ${find}`)).toEqual([])
})

test('every recorded break names tests with the tag of its row', () => {
  const untagged = breaks.flatMap(({ row, tests, title }) =>
    tests.filter(file => title === undefined && !tagsIn(join(root, file)).has(row)).map(file => `${row}: ${file}`),
  )
  expect(untagged).toEqual([])
})

/** Rows whose tests were never seen red by a recorded break. This number only falls. */
const rowsWithoutBreak = 50

test('no more rows of the specification lack a recorded break than before', () => {
  const broken = new Set(breaks.map(({ row }) => row))
  expect(specRows().filter(({ id }) => !broken.has(id)).length).toBe(rowsWithoutBreak)
})
