import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvOf, dialectOf, splitRows } from './csv.ts'

test('cells that a spreadsheet would run as formulas are written as texts', () => {
  expect(csvOf([['=1+1', '＝1', '@x', 'a;b', 'say "x"', null, -5.5, '-5']], dialectOf('es-ES'))).toBe(
    `"'=1+1";"'＝1";"'@x";"a;b";"say ""x""";;-5,5;"'-5"`,
  )
})

test('every text that is not a formula is read back unchanged', () => {
  const text = fc.string().filter(text => !/^[=+\-@\t\r]/.test(text))
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), rows => {
      const read = splitRows(csvOf(rows, dialectOf('es-ES')), ';').map(row => row.join('\u0001'))
      expect(read).toEqual(rows.map(row => row.join('\u0001')))
    }),
  )
})
