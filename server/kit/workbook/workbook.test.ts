import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { readXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { cellOf, type Column, type Row, rowWriter } from './cells.ts'
import { packed } from './zip.ts'
import { type Batch, longestSheet, type WrittenRow } from './sheet.ts'
import { packedWorkbook, workbook } from './workbook.ts'

const columns: Column[] = [
  { header: 'Nombre & más', width: 20, kind: 'text' },
  { header: 'Día', width: 12, kind: 'day' },
  { header: 'Importe', width: 12, kind: 'amount' },
]

async function* batches<R extends Row | WrittenRow>(...all: R[][]): AsyncGenerator<R[]> {
  for (const batch of all) yield await Promise.resolve(batch)
}

const sheetOf = (rows: AsyncIterable<(Row | WrittenRow)[]>, longest = longestSheet) => ({
  name: 'Pólizas <1>',
  columns,
  rows,
  longest,
  more: 'there are more',
})

const readBack = async (rows: AsyncIterable<(Row | WrittenRow)[]>, longest?: number) => {
  const { sheets } = await readXlsx(await buffer(Readable.from(workbook(sheetOf(rows, longest)))))
  return sheets[0]
}

test('texts, days and amounts are read back as they were written', async () => {
  const line = fc.tuple(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('=SUM(1)', ' a ', '<&">', '_x0041_', '+34', '007', '😀 ñ', 'a\tb'),
    ),
    fc.date({ min: new Date('1930-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map(date => date.toISOString().slice(0, 10)),
    fc.integer({ min: 0, max: 1_000_000_000 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(line, { maxLength: 5 }), { maxLength: 4 }), async all => {
      const sheet = await readBack(batches(...all))
      expect(sheet?.name).toBe('Pólizas <1>')
      const [head, ...rows] = sheet?.rows ?? []
      expect(head).toEqual(['Nombre & más', 'Día', 'Importe'])
      expect(rows.map(([text, day, amount]) => [text, day instanceof Date ? day.toISOString().slice(0, 10) : day, amount])).toEqual(
        all.flat().map(([text, day, cents]) => [text, day, cents / 100]),
      )
    }),
    { numRuns: 60 },
  )
})

test('characters that XML cannot hold are left out', async () => {
  const sheet = await readBack(batches([['a\u0000b\u0008c\ufffed\ud800', '2026-01-01', 1]]))
  expect(sheet?.rows[1]?.[0]).toBe('abcd\ufffd')
})

test('the last row of a full sheet says that there are more rows', async () => {
  const row = (index: number): Row => [`n${index}`, '2026-01-01', index]
  const all = [
    [row(1), row(2)],
    [row(3), row(4)],
  ]
  expect((await readBack(batches(...all), 5))?.rows.slice(1).map(([text]) => text)).toEqual(['n1', 'n2', 'n3', 'there are more'])
  expect((await readBack(batches(...all), 6))?.rows.slice(1).map(([text]) => text)).toEqual(['n1', 'n2', 'n3', 'n4'])
})

test('no more rows are read after the client has disconnected', async () => {
  let [read, isOver] = [0, false]
  const left = new Promise<void>(resolve => {
    async function* endless(): AsyncGenerator<Row[]> {
      try {
        for (;;) yield await Promise.resolve(Array.from({ length: 1000 }, () => [`n${++read}`, '2026-01-01', 1]))
      } finally {
        isOver = true
        resolve()
      }
    }
    const content = Readable.from(workbook(sheetOf(endless())), { objectMode: false })
    content.on('data', () => {
      if (read > 3000) content.destroy()
    })
  })
  await left
  expect([isOver, read < 100_000]).toEqual([true, true])
})

test('a sheet has columns beyond Z, numbers, and cells that are left out', async () => {
  const kinds = ['number', 'amount'] as const
  const wide = Array.from({ length: 30 }, (_, index): Column => ({ header: `c${index}`, width: 9, kind: kinds[index % 2] ?? 'text' }))
  const row = wide.map((_, index) => (index % 7 === 0 ? '' : index + 0.25))
  const { sheets } = await readXlsx(await buffer(Readable.from(workbook({ ...sheetOf(batches([row])), columns: wide }))))
  const [head, cells] = sheets[0]?.rows ?? []
  expect(head).toEqual(wide.map(({ header }) => header))
  expect(cells?.map(cell => cell ?? '')).toEqual(row.map((value, index) => (value === '' || index % 2 === 0 ? value : value / 100)))
})

test('rows of prewritten cells are read back, with empty cells at any index', async () => {
  const line = fc.tuple(
    fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme' }), fc.constantFrom('=SUM(1)', ' a ', '<&">', '007')),
    fc.constantFrom('', '2026-03-29', '1999-12-31'),
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), async all => {
      const written = all.map(cells => columns.map(({ kind }, index) => cellOf(kind, cells[index] ?? '')).join(''))
      const inMemory = await readBack(batches<Row | WrittenRow>(written))
      const asCells = await readBack(batches<Row | WrittenRow>(all))
      const trimmed = (rows: unknown[][] | undefined) => rows?.map(cells => columns.map((_, index) => cells[index] ?? null))
      expect(trimmed(inMemory?.rows)).toEqual(trimmed(asCells?.rows))
    }),
    { numRuns: 60 },
  )
})

test('a sheet compressed in pieces has the same bytes as one compressed as a whole', async () => {
  const line = fc.tuple(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '2026-03-29', '1999-12-31'),
    fc.integer({ min: 0, max: 100_000 }),
  )
  const all = fc.array(fc.array(line, { maxLength: 5 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(all, fc.constantFrom(3, 6, longestSheet), async (rows, longest) => {
      const atOnce = workbook(sheetOf(batches<Row>(...rows), longest))
      const inPieces = packedWorkbook({ ...sheetOf(batches<Row>(), longest), batches: Readable.from(rows.map(batchOf)) })
      const [expected, actual] = [atOnce, inPieces].map(content => buffer(Readable.from(content)))
      expect(sheetIn(await actual)).toBe(sheetIn(await expected))
    }),
    { numRuns: 60 },
  )
})

const batchOf = (rows: Row[]): Batch => ({
  many: rows.length,
  pack: (first, many, crc) =>
    packed(
      rows
        .slice(0, many)
        .map((row, index) => write(row, first + index))
        .join(''),
      crc,
    ),
})
const write = rowWriter(columns.map(({ kind }) => kind))

/** Unpacks the sheet, whose checksum and size must be those that the archive lists. */
function sheetIn(archive?: Buffer): string {
  if (!archive) throw new Error('there is no archive')
  const name = Buffer.from('xl/worksheets/sheet1.xml')
  const listed = archive.lastIndexOf(name) - 46
  const begin = archive.readUInt32LE(listed + 42) + 30 + name.length
  const text = inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(listed + 20)))
  expect([crc32(text), text.length]).toEqual([archive.readUInt32LE(listed + 16), archive.readUInt32LE(listed + 24)])
  return text.toString()
}
