import { csvOf } from '#common/kit/csv.ts'
import { kindOf } from '#common/kit/sheet/file.ts'
import { decoded, rowsOfWorkbook } from '#portal/kit/sheet/rows.ts'

/** Returns a list as CSV: a text unchanged, or a workbook's first sheet. Undefined if it cannot be read. */
export async function readList(bytes: Uint8Array): Promise<string | undefined> {
  const kind = kindOf(bytes)
  if (kind === 'text') return decoded(bytes)
  // The service refuses an empty file itself.
  if (kind === 'empty') return ''
  if (kind !== 'workbook') return undefined
  const rows = await rowsOfWorkbook(bytes, 50_010).catch(() => undefined)
  return (
    rows &&
    csvOf(
      rows.map(row => row.map(cellOf)),
      { separator: ';', decimal: '.' },
    )
  )
}

const cellOf = (cell: unknown): string | number =>
  cell instanceof Date ? cell.toISOString().slice(0, 10) : typeof cell === 'number' ? cell : typeof cell === 'string' ? cell : ''
