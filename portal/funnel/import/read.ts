import { type CellValue, readXlsx } from 'hucre/xlsx'
import { tableOf } from '#common/policies/import/cells.ts'
import { type ImportProblem, isWide, kindOf } from '#common/policies/import/file.ts'
import { rowsOfText } from '#common/policies/import/text.ts'

/** The range that is read. Without it, one cell at the far corner of a sheet makes a table of 17 billion cells. */
const readRange = 'A1:AX10000'

/** Returns the table in a file or in copied cells, header first, or the reason why it cannot be read. */
export async function readTable(source: Uint8Array | string): Promise<string[][] | ImportProblem> {
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

/** Returns the rows of the first visible sheet. Formulas are never evaluated: their stored results are read. */
async function rowsOfWorkbook(bytes: Uint8Array): Promise<CellValue[][]> {
  let isFirstFound = false
  const { sheets } = await readXlsx(bytes, {
    range: readRange,
    sheets: ({ hidden, veryHidden }) => {
      const isFirst = !isFirstFound && !hidden && !veryHidden
      isFirstFound ||= isFirst
      return isFirst
    },
  })
  return sheets[0]?.rows ?? []
}

/** Decodes UTF-8, or the other encodings of Excel: Windows-1252, and UTF-16 with a byte order mark. */
function decoded(bytes: Uint8Array): string {
  if (isWide(bytes)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
