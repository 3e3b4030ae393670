import { type CellValue, readXlsx } from 'hucre/xlsx'
import { tableOf } from '#common/policies/import/cells.ts'
import { type ImportProblem, isWide, kindOf } from '#common/policies/import/file.ts'
import { rowsOfText } from '#common/policies/import/text.ts'

/** Beyond this nobody keeps a list of people, and a cell at the far corner would make a table of thousands of millions. */
const readAtMost = 'A1:AX10000'

/** The table in a file or in copied cells: the names of its columns first, then its rows; or why there is none. */
export async function readTable(source: Uint8Array | string): Promise<string[][] | ImportProblem> {
  if (typeof source === 'string') return tableOf(rowsOfText(source))
  const kind = kindOf(source)
  if (kind === 'text') return tableOf(rowsOfText(decoded(source)))
  if (kind !== 'workbook') return kind
  try {
    return tableOf(await rowsOfWorkbook(source))
  } catch (error) {
    // The reader stops where more comes out of the archive than its table says.
    return error instanceof Error && /limit/i.test(error.message) ? 'unpacked' : 'broken'
  }
}

/** Of the first sheet that is seen. What a formula came to is read, never worked out. */
async function rowsOfWorkbook(bytes: Uint8Array): Promise<CellValue[][]> {
  let found = false
  const { sheets } = await readXlsx(bytes, {
    range: readAtMost,
    sheets: ({ hidden, veryHidden }) => {
      const first = !found && !hidden && !veryHidden
      found ||= first
      return first
    },
  })
  return sheets[0]?.rows ?? []
}

/** UTF-8, or what Excel writes where it does not: Windows' Latin letters, or UTF-16 with its mark. */
function decoded(bytes: Uint8Array): string {
  if (isWide(bytes)) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
