import { hasHeadings } from './headers.ts'

const separators = [';', '\t', ',', '|'] as const

/**
 * Returns the rows of CSV text or copied cells, quoted or not. The separator is the one of comma, semicolon, tab and bar that splits the
 * column names, which may stand below a title, or else the first line into most cells.
 */
export function rowsOfText(text: string, quotes = true): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    if (quoted) {
      if (letter !== '"') cell += letter
      else if (text[at + 1] === '"') {
        cell += '"'
        at++
      } else quoted = false
    } else if (quotes && letter === '"' && cell === '') quoted = true
    else if (letter === separator) endCell()
    else if (letter === '\n' || (letter === '\r' && text[at + 1] !== '\n')) endRow()
    else if (letter !== '\r') cell += letter
  }
  // An unclosed quote is plain text, so that it swallows no row.
  if (quoted) return rowsOfText(text, false)
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

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
