import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wholeAt } from './bytes.ts'
import { rowWriter } from './cells.ts'
import { daysIn, quarterMs, serialsIn } from './days.ts'
import { rowBytes } from './row-bytes.ts'

const separators = { rows: 0x1e, values: 0x1f }
const words: Record<string, string> = { sold: 'Vendida & más', gone: '' }

/** Texts as PostgreSQL may hold them: well-formed, and without the character 0. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map(each => each.toWellFormed().replaceAll(/[\u0000\u001e\u001f]/g, '')),
  fc.string({ unit: fc.constantFrom('a', ' ', 'ñ', '<', '_', 'x', '0') }),
  fc.constantFrom(
    '=SUM(1)',
    ' a ',
    'a  b',
    '<&">',
    '_x0041_',
    'a\tb\r\n',
    '😀 ñ',
    'a\u00a0b',
    '\u2028',
    '\ufeffa',
    '\uffff',
    '漢字',
    'Ωμέγα',
    '\u007f',
  ),
)
const row = fc.record({
  text,
  cents: fc.oneof(fc.integer({ min: -20_000, max: 20_000 }), fc.maxSafeInteger()),
  serial: fc.integer({ min: 0, max: 80_000 }),
  word: fc.constantFrom('sold', 'gone'),
  hidden: text,
  last: text,
})

test('rows of bytes are the same as rows of texts', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), fc.constantFrom(2, 9, 97, 9_998, 1_048_570), (rows, first) => {
      const write = rowWriter(['text', 'amount', 'day', 'text', 'day', 'text'])
      const expected = rows.map((each, index) =>
        write([each.text, each.cents, dayOf(each.serial), words[each.word] ?? '', dayOf(each.serial * 2), each.last], first + index),
      )
      const joined = rows.map(each => [each.text, each.cents, each.serial, each.word, each.serial, each.hidden, each.last].join('\u001f'))
      const written = rowBytes(
        Buffer.from(joined.join('\u001e')),
        [
          { kind: 'text' },
          { kind: 'amount' },
          { kind: 'serial' },
          { kind: 'text', shownAs: word => words[word] ?? '' },
          { kind: 'serial', serialOf: serial => serial * 2 },
          { kind: 'hidden' },
          { kind: 'text' },
        ],
        separators,
        { first, many: rows.length },
      )
      expect(written.toString()).toBe(expected.join(''))
    }),
    { numRuns: 500 },
  )
})

const dayOf = (serial: number): string => new Date((serial - 25_569) * 86_400_000).toISOString().slice(0, 10)

test.each(['a'.repeat(40_000), 'ñ'.repeat(32_767), '_'.repeat(32_767), '_x0041_'.repeat(6000)])(
  'a long text in bytes is cut as a string is',
  long => {
    const written = rowBytes(Buffer.from(`${long}\u001e`), [{ kind: 'text' }], separators, { first: 2, many: 1 })
    expect(written.toString()).toBe(rowWriter(['text'])([long], 2))
  },
)

test('only the requested rows are written, each with the indexes of its values', () => {
  const values = Buffer.from('-12\u001fb\u001e345\u001f\u001e6\u001fc')
  const sums: number[] = []
  const written = rowBytes(values, [{ kind: 'amount' }, { kind: 'text' }], separators, { first: 5, many: 2 }, ([from, next]) => {
    sums.push(wholeAt(values, from ?? 0, (next ?? 0) - 1))
  })
  expect(written.toString()).toBe(
    ['-12', '345'].map((cents, index) => rowWriter(['amount', 'text'])([cents, ['b', ''][index] ?? ''], 5 + index)).join(''),
  )
  expect(sums).toEqual([-12, 345])
})

describe('the day of a quarter of an hour', () => {
  test.each([
    'Europe/Madrid',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'Atlantic/Azores',
    'UTC',
    'Nowhere/None',
  ])('is that of %s', timeZone => {
    const [serial, day] = [serialsIn(timeZone), daysIn(timeZone)]
    const quarters = fc.integer({ min: Date.UTC(2010, 0) / quarterMs, max: Date.UTC(2040, 0) / quarterMs })
    fc.assert(
      fc.property(quarters, quarter => dayOf(serial(quarter)) === day(new Date(quarter * quarterMs))),
      { numRuns: 200 },
    )
    // Around changes to and from summer time, and the day that Apia left out.
    for (const from of [Date.UTC(2026, 2, 28), Date.UTC(2026, 9, 24), Date.UTC(2017, 9, 14), Date.UTC(2018, 1, 17), Date.UTC(2011, 11, 29)])
      for (let quarter = from / quarterMs; quarter < from / quarterMs + 4 * 96; quarter += 1)
        expect(dayOf(serial(quarter))).toBe(day(new Date(quarter * quarterMs)))
  })
})
