import { type CellValue, readXlsx } from 'hucre/xlsx'
import { isWide } from '#common/kit/sheet/file.ts'

/**
 * Returns the rows of the first visible sheet, up to a limit. One cell at the far corner of a sheet makes a table of 17 billion cells. Formulas are
 * never evaluated, but their stored results are read.
 */
export async function rowsOfWorkbook(bytes: Uint8Array, mostRows = 10_000): Promise<CellValue[][]> {
  let isFirstFound = false
  const { sheets } = await readXlsx(bytes, {
    range: `A1:AX${mostRows}`,
    sheets: ({ hidden, veryHidden }) => {
      const isFirst = !isFirstFound && !hidden && !veryHidden
      isFirstFound ||= isFirst
      return isFirst
    },
  })
  return sheets[0]?.rows ?? []
}

/** Decodes UTF-8, or the other encodings of Excel: Windows-1252, and UTF-16 with a byte order mark. */
export function decoded(bytes: Uint8Array): string {
  if (isWide(bytes)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
