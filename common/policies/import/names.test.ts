import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surnamesOf, wholeName } from './names.ts'

describe('surnames in one column', () => {
  test.each([
    ['García López', 'García', 'López'],
    ['GARCIA LOPEZ', 'GARCIA', 'LOPEZ'],
    ['García', 'García', ''],
    ['de la Cruz', 'de la Cruz', ''],
    ['de la Cruz Martín', 'de la Cruz', 'Martín'],
    ['García de la Torre', 'García', 'de la Torre'],
    ['Pérez-Reverte Gutiérrez', 'Pérez-Reverte', 'Gutiérrez'],
    // Three words can be split into two surnames in several ways.
    ['Fernández Vega Sanz', 'Fernández Vega Sanz', ''],
    ['', '', ''],
  ])('%j are %j and %j', (text, middleName, lastName) => {
    expect(surnamesOf(text, true)).toEqual({ middleName, lastName })
    expect(surnamesOf(text, false)).toEqual({ middleName: text, lastName: '' })
  })
})

describe('a whole name in one column', () => {
  const read = (text: string, order?: 'givenFirst' | 'surnamesFirst') => {
    const { name, middleName, lastName } = wholeName(text, { second: true, order })
    return [name, middleName, lastName].join(' | ')
  }

  test.each([
    ['García López, Ana', 'Ana | García | López'],
    ['GARCÍA LÓPEZ,ANA MARÍA', 'ANA MARÍA | GARCÍA | LÓPEZ'],
    ['Martín, Aroa', 'Aroa | Martín | '],
    ['DUPONT Marie Claire', 'Marie Claire | Dupont | '],
    ['Ana GARCÍA LÓPEZ', 'Ana | García | López'],
    // Given names before the comma, a second comma, and an empty part.
    ['Ana, García López', 'Ana, García López |  | '],
    ['García, López, Ana', 'García, López, Ana |  | '],
    ['García López,', 'García López, |  | '],
    // A common given name at one end shows where the surnames begin.
    ['Ana García López', 'Ana | García | López'],
    ['ANA GARCÍA LÓPEZ', 'Ana | García | López'],
    ['Ana María García López', 'Ana María | García | López'],
    ['Chiara Rossi', 'Chiara | Rossi | '],
    ['Rossi Chiara', 'Chiara | Rossi | '],
    ['GARCÍA LÓPEZ ANA', 'ANA | GARCÍA | LÓPEZ'],
    // The order is unclear if neither or both ends are common given names, or if one is also a surname.
    ['Aroa García López', 'Aroa García López |  | '],
    ['Ana García Luis', 'Ana García Luis |  | '],
    ['Martín Vega Rey', 'Martín Vega Rey |  | '],
    ['', ' |  | '],
  ])('%j is %j', (text, parts) => expect(read(text)).toBe(parts))

  test.each([
    ['Ana García López', 'Ana | García | López'],
    ['Ana María García López', 'Ana María | García | López'],
    ['Aroa García López', 'Aroa | García | López'],
    ['Chiara Rossi', 'Chiara | Rossi | '],
    ['García López, Ana', 'Ana | García | López'],
    ['Ana, García López', 'Ana | García | López'],
    // The header contradicts the name, or two readings remain.
    ['García López Ana', 'García López Ana |  | '],
    ['Xoel Brais Pérez Rey', 'Xoel Brais Pérez Rey |  | '],
    ['López García, Aroa', 'López García, Aroa |  | '],
  ])('%j with given names first is %j', (text, parts) => expect(read(text, 'givenFirst')).toBe(parts))

  test.each([
    ['García Ana', 'Ana | García | '],
    ['Rossi Aroa', 'Aroa | Rossi | '],
    ['García López Ana', 'Ana | García | López'],
    ['García López Ana María', 'Ana María | García | López'],
    ['de la Cruz Ana', 'Ana | de la Cruz | '],
    ['García López, Ana', 'Ana | García | López'],
    ['García López Aroa', 'García López Aroa |  | '],
    ['García Marcos Ana', 'García Marcos Ana |  | '],
    ['Ana García', 'Ana García |  | '],
  ])('%j with surnames first is %j', (text, parts) => expect(read(text, 'surnamesFirst')).toBe(parts))

  test('a name loses no word when it is split', () => {
    const word = fc.constantFrom('Ana', 'García', 'LÓPEZ', 'de', 'la', 'Aroa', 'Martín', 'José', 'y', 'Pérez,', ',')
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom('givenFirst', 'surnamesFirst', undefined), fc.boolean(), (words, order, second) => {
        const text = words.join(' ')
        const wordsOf = (part: string) => part.toLowerCase().split(/[ ,]+/).filter(Boolean).toSorted()
        const { name, middleName, lastName } = wholeName(text, { second, order })
        expect(wordsOf(`${name} ${middleName} ${lastName}`)).toEqual(wordsOf(text))
      }),
    )
  })
})
