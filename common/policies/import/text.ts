import { splitRows } from '#common/kit/csv.ts'
import { hasHeadings } from './headers.ts'

const separators = [';', '\t', ',', '|'] as const

/**
 * Returns the rows of CSV text or copied cells, quoted or not. The separator is the comma, semicolon, tab or bar that splits the column names, which
 * may stand below a title. Otherwise it is the one that gives the first line the most cells.
 */
export const rowsOfText = (text: string): string[][] => splitRows(text, separatorOf(text))

const mostTitles = 8
const longestTitles = 4000

function separatorOf(text: string): string {
  const lines = text
    .trimStart()
    .slice(0, longestTitles)
    .split(/[\r\n]+/)
    .slice(0, mostTitles)
  const names = lines.find(line => separators.some(separator => hasHeadings(line.replaceAll('"', '').split(separator))))
  const first = (names ?? lines[0] ?? '').replaceAll(/"[^"]*"/g, '')
  return separators.toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ','
}
