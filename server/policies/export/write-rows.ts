import { type Packed, packed } from '#server/kit/workbook/packed.ts'
import { type CellKind, type Row, rowWriter } from '#server/kit/workbook/cells.ts'
import { daysIn } from '#server/kit/workbook/days.ts'

/** The columns of the sheet. The commission is left out for users who may not see it. */
export const kinds = {
  number: 'text',
  product: 'text',
  taker: 'text',
  seller: 'text',
  start: 'day',
  end: 'day',
  created: 'day',
  status: 'text',
  reference: 'text',
  total: 'amount',
  commission: 'amount',
  currency: 'text',
} as const satisfies Record<string, CellKind>

/** The characters between rows and between their values. A workbook cannot hold them, so nothing is lost. */
export const [betweenRows, betweenValues] = ['\u001e', '\u001f']

/** `quarterMs`: the times of creation are counted in quarters of an hour, the step of time zones. */
export const quarterMs = 900_000

/** The sums of the rows by currency, in cents. */
export type SumsByCurrency = Map<string, { total: number; commission: number }>

export type RowsToWrite = {
  /** The values of all rows, in the order of the columns. */
  rows: string
  /** The number of the first row in the sheet, and how many are written. */
  first: number
  many: number
  /** The checksum of the sheet so far. */
  crc: number
  timeZone: string
  statuses: Record<string, string>
  showsCommission: boolean
}

/** Writes rows of the sheet and packs them. It runs in a thread of its own, since it takes longer than reading them. */
export function writeRows({ rows, first, many, crc, timeZone, statuses, showsCommission }: RowsToWrite): Packed & { sums: SumsByCurrency } {
  const writeRow = rowWriter(shown(Object.values(kinds), showsCommission))
  const dayOf = daysIn(timeZone)
  const sums: SumsByCurrency = new Map()
  function* texts(): Generator<string> {
    for (const [index, line] of (many > 0 ? rows.split(betweenRows, many) : []).entries()) {
      // Safe: the query names as many values.
      const [number, product, taker, seller, start, end, quarter, status, reference, total, commission, currency] = line.split(
        betweenValues,
      ) as Values
      const day = dayOf(new Date(Number(quarter) * quarterMs))
      const row: Row = [number, product, taker, seller, start, end, day, statuses[status] ?? '', reference, total, commission, currency]
      yield writeRow(shown(row, showsCommission), first + index)
      const sum = sums.get(currency) ?? { total: 0, commission: 0 }
      sum.total += Number(total)
      sum.commission += Number(commission)
      sums.set(currency, sum)
    }
  }
  return { ...packed(texts(), crc), sums }
}

type Values = [string, string, string, string, string, string, string, string, string, string, string, string]

const commissionAt = Object.keys(kinds).indexOf('commission')

export const shown = <Each>(cells: readonly Each[], showsCommission: boolean): readonly Each[] =>
  showsCommission ? cells : cells.toSpliced(commissionAt, 1)
