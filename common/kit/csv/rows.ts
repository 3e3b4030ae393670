/** Returns the rows of CSV text, quoted or not. An unclosed quote is plain text, so that no row is lost. */
export function splitRows(text: string, separator: string, quotes = true): string[][] {
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
  if (quoted) return splitRows(text, separator, false)
  if (cell !== '' || row.length > 0) endRow()
  return rows
}
