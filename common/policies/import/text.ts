const signs = [';', '\t', ',', '|'] as const

/**
 * The rows of a text whose cells are set apart by comma, semicolon or tab, and may be quoted: a file of values, or cells that were copied. The
 * sign is the one that parts the first line into most cells.
 */
export function rowsOfText(text: string, quotes = true): string[][] {
  const sign = signOf(text)
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
    else if (letter === sign) endCell()
    else if (letter === '\n' || (letter === '\r' && text[at + 1] !== '\n')) endRow()
    else if (letter !== '\r') cell += letter
  }
  // A quotation that never ends is none: nobody's row is swallowed by it.
  if (quoted) return rowsOfText(text, false)
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

function signOf(text: string): string {
  const first = /^[\s]*([^\r\n]*)/.exec(text)?.[1]?.replaceAll(/"[^"]*"/g, '') ?? ''
  return signs.toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ','
}
