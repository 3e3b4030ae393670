import { remembering, wholeAt } from '#server/kit/workbook/bytes.ts'
import type { CellKind } from '#server/kit/workbook/cells.ts'
import { serialsIn } from '#server/kit/workbook/days.ts'
import { type Packed, packedBytes } from '#server/kit/workbook/zip.ts'
import { type ByteColumn, rowBytes } from '#server/kit/workbook/row-bytes.ts'

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
const separators = { rows: 0x1e, values: 0x1f }

/** The sums of the rows by currency, in cents. */
export type SumsByCurrency = Map<string, { total: number; commission: number }>

export type RowsToWrite = {
  /** The values of all rows, in the order of the columns, in texts of many rows. */
  rows: string[]
  /** The number of the first row in the sheet, and how many are written. */
  first: number
  many: number
  /** The checksum of the sheet so far. */
  crc: number
  timeZone: string
  statuses: Record<string, string>
  showsCommission: boolean
}

const [text, serial, amount] = [{ kind: 'text' }, { kind: 'serial' }, { kind: 'amount' }] as const

/** Writes rows of the sheet and packs them. It runs in a thread of its own, so that no request waits for it. */
export function writeRows({ rows, first, many, crc, timeZone, statuses, showsCommission }: RowsToWrite): Packed & { sums: SumsByCurrency } {
  const columns = {
    number: text,
    product: text,
    taker: text,
    seller: text,
    start: serial,
    end: serial,
    created: { kind: 'serial', serialOf: serialsOf(timeZone) },
    status: { kind: 'text', shownAs: (status: string) => statuses[status] ?? '' },
    reference: text,
    total: amount,
    commission: showsCommission ? amount : { kind: 'hidden' },
    currency: text,
  } as const satisfies Record<keyof typeof kinds, ByteColumn>
  const values = bytesOfTexts(rows)
  const sums: SumsByCurrency = new Map()
  const bytes = rowBytes(values, Object.values(columns), separators, { first, many }, adder(values, sums))
  return { ...packedBytes(bytes, crc), sums }
}

/** The values of the last rows. */
let read: Buffer = Buffer.alloc(0)

/** Joins the texts as bytes, in memory that serves all batches. */
function bytesOfTexts(texts: string[]): Buffer {
  const most = texts.reduce((sum, { length }) => sum + length * 3 + 1, 0)
  if (read.length < most) read = Buffer.allocUnsafeSlow(most)
  let at = 0
  for (const each of texts) {
    at += read.write(each, at)
    at += read.write(betweenRows, at)
  }
  return read.subarray(0, at)
}

/** Caches the days by time zone, for all exports. */
const zones = new Map<string, (quarter: number) => number>()

function serialsOf(timeZone: string): (quarter: number) => number {
  const known = zones.get(timeZone) ?? serialsIn(timeZone)
  zones.set(timeZone, known)
  return known
}

const indexOf = (name: keyof typeof kinds): number => Object.keys(kinds).indexOf(name)
const [totalAt, commissionAt, currencyAt] = [indexOf('total'), indexOf('commission'), indexOf('currency')] as const

function adder(values: Uint8Array, sums: SumsByCurrency): (begins: Int32Array) => void {
  const sumOf = remembering(currency => {
    const sum = sums.get(currency) ?? { total: 0, commission: 0 }
    sums.set(currency, sum)
    return sum
  })
  return begins => {
    const beginOf = (index: number) => begins[index] ?? 0
    const [total, commission, currency] = [beginOf(totalAt), beginOf(commissionAt), beginOf(currencyAt)]
    const sum = sumOf(values, currency, beginOf(currencyAt + 1) - 1)
    sum.total += wholeAt(values, total, commission - 1)
    sum.commission += wholeAt(values, commission, currency - 1)
  }
}

export const shown = <Each>(cells: readonly Each[], showsCommission: boolean): readonly Each[] =>
  showsCommission ? cells : cells.toSpliced(commissionAt, 1)
