import { tableOf } from '#common/policies/import/cells.ts'
import { kindOf, type SheetProblem } from '#common/kit/sheet/file.ts'
import { rowsOfText } from '#common/policies/import/headers.ts'
import { decoded, rowsOfWorkbook } from '#portal/kit/sheet/rows.ts'

/** Returns the table in a file or in copied cells, header first, or why it cannot be read. */
export async function readTable(source: Uint8Array | string): Promise<string[][] | SheetProblem> {
  if (typeof source === 'string') return tableOf(rowsOfText(source))
  const kind = kindOf(source)
  if (kind === 'text') return tableOf(rowsOfText(decoded(source)))
  if (kind !== 'workbook') return kind
  try {
    return tableOf(await rowsOfWorkbook(source))
  } catch (error) {
    // The reader stops when an entry unpacks to more than the archive states.
    return error instanceof Error && /limit/i.test(error.message) ? 'unpacked' : 'broken'
  }
}
