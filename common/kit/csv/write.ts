/** Writes rows as CSV that a spreadsheet opens as it is. A text that would be a formula there begins with an apostrophe. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[], decimal: ',' | '.' = '.'): string =>
  rows.map(row => row.map(cell => cellOf(cell, decimal)).join(';')).join('\r\n')

function cellOf(cell: string | number | null, decimal: string): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell).replace('.', decimal)
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /["';\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
