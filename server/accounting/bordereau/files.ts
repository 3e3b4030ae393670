import { bordereauRow, type KnownTaxes, readMovement } from '#common/accounting/bordereau/row.ts'
import { type CurrencySums, openSums, type UnitSums } from '#common/accounting/bordereau/control-sums.ts'
import { daysOf } from '#common/accounting/period.ts'
import { countryCode } from '#common/geography/countries.ts'
import { numberOpener } from '#server/kit/sealed/document-numbers.ts'
import type { NamedKeys } from '#server/kit/store/secrets.ts'
import { longestSheet } from '#server/kit/workbook/sheet.ts'
import { workbook } from '#server/kit/workbook/workbook.ts'
import { factsOf, pseudonyms, type RowsOf } from './movement.ts'
import { csvHead, jsonEnd, openLines, sheetColumns } from './formats.ts'
import { openPacking, type Packed } from './packing.ts'

/** The facts that all rows share: the month (YYYY-MM), and each unit's facts, statements and control sums. */
export type Order = {
  month: string
  namesKey: Uint8Array
  /** Decrypt document numbers, from which pseudonyms are made. */
  numberKeys: NamedKeys
  units: (Omit<RowsOf, 'number' | 'currency'> & { statements: Pick<RowsOf, 'number' | 'currency'>[]; sums: UnitSums[] })[]
}

/** Rows of one statement, with the taxes of catalogue versions that are new in it. `unit` and `statement` are indexes in the order. */
export type Batch = { unit: number; statement: number; rows: string; taxes: Map<number, KnownTaxes> }

export type Piece = { name: string; content: Buffer }
export type Written = { sums: CurrencySums[]; files: Packed[] }

/** How many rows are written together. With more, garbage collection takes as long as writing. */
const together = 60

/** Writes rows in three formats in one pass. `send` takes compressed pieces of the files. */
export async function writeFiles(order: Order, batches: AsyncIterable<Batch>, send: (piece: Piece) => void): Promise<Written> {
  const { month } = order
  const [csv, json, sheet] = [
    openPacking('bordereau.csv', send),
    openPacking('bordereau.json', send),
    openPacking('bordereau.xlsx', send, 0),
  ]
  const sums = openSums(order.units)
  const lineOf = openLines()
  let isFirst = true
  async function* cells(): AsyncGenerator<string[]> {
    for await (const rows of rowsOf(order, batches, (unitId, movement) => sums.add(unitId, movement))) {
      const lines = rows.map(lineOf)
      let [csvLines, jsonLines] = ['', '']
      for (const { csv, json } of lines) {
        csvLines += csv
        jsonLines += (isFirst ? '[\n' : ',\n') + json
        isFirst = false
      }
      await csv.write(csvLines)
      await json.write(jsonLines)
      yield lines.map(line => line.cells)
    }
  }
  await csv.write(csvHead)
  const content = workbook({ name: month, columns: sheetColumns, rows: cells(), longest: longestSheet, more: '…' })
  for await (const piece of content) await sheet.write(piece)
  await json.write(jsonEnd(isFirst))
  return { sums: sums.all(), files: await Promise.all([csv, json, sheet].map(file => file.end())) }
}

async function* rowsOf(
  { month, namesKey, numberKeys, units }: Order,
  batches: AsyncIterable<Batch>,
  add: ReturnType<typeof openSums>['add'],
) {
  const period = { month, ...daysOf({ from: month, to: month }) }
  const known = new Map<number, KnownTaxes>()
  const names = { nameOf: pseudonyms(namesKey), numberOf: numberOpener(numberKeys) }
  for await (const { unit: index, statement, rows, taxes } of batches) {
    for (const [edition, own] of taxes) known.set(edition, own)
    const unit = units[index]
    const of = unit?.statements[statement]
    if (!of) throw new Error('a batch is of no statement')
    const shared = { ...unit, ...of }
    const read = (line: string) => {
      const { facts, edition } = factsOf(line, shared, names)
      const movement = readMovement(facts, known.get(edition) ?? new Map())
      add(unit.unitId, movement)
      return bordereauRow(movement, period, countryCode)
    }
    const all = rows.split('\n')
    for (let from = 0; from < all.length; from += together) yield all.slice(from, from + together).map(read)
  }
}
