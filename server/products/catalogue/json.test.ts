import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readJson } from './json.ts'

describe('readJson', () => {
  test.each([
    ['{\n  "a": [1, }\n}', { line: 2, column: 12, expected: 'a value' }],
    ['{\n  "a": 1\n  "b": 2\n}', { line: 3, column: 3, expected: "',' or '}'" }],
    ['{ "a": 1, }', { line: 1, column: 11, expected: 'a name in double quotes' }],
    ["{ 'a': 1 }", { line: 1, column: 3, expected: 'a name in double quotes' }],
    ['[1, 2', { line: 1, column: 6, expected: "',' or ']'" }],
    ['{ "a" 1 }', { line: 1, column: 7, expected: "':'" }],
    ['[01]', { line: 1, column: 2, expected: 'a value' }],
    ['"a\nb"', { line: 1, column: 1, expected: 'a text that ends on its line, with \\ and control characters escaped' }],
    ['{} {}', { line: 1, column: 4, expected: 'the end of the file' }],
    ['', { line: 1, column: 1, expected: 'a value' }],
    ['\ufeff{}', { line: 1, column: 1, expected: 'a value' }],
  ])('finds the position of the error in %j', (text, at) => {
    expect(readJson(text)).toEqual(at)
  })

  test('reports names that an object has twice', () => {
    expect(readJson('{"a": [{"b": 1, "c": {"b": 2}, "b": 3}], "d": {"b": 1}}')).toMatchObject({ duplicates: ['a[0].b'] })
  })

  test('reads everything that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        expect(readJson(text)).toEqual({ value: JSON.parse(text), duplicates: expect.any(Array) })
      }),
    )
  })

  test('refuses everything that JSON.parse refuses', () => {
    const invalid = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '.', 'e', '\n', '\t', ' ', '\u0000', '\u0085'),
    )
    fc.assert(
      fc.property(invalid, ([text, seed, sign]) => {
        const at = seed % (text.length + 1)
        const changed = text.slice(0, at) + sign + text.slice(at + 1)
        expect('expected' in readJson(changed)).toBe(!isJson(changed))
      }),
      { numRuns: 1000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
