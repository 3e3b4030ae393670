/** Formats a table with columns as wide as their content and figures aligned right. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map(row => row[column] ?? '')].map(lengthOf)))
  const isFigure = (column: number) => rows.every(row => /^[-–<>≤≥×]?\s?[\d.,]/.test(row[column] ?? ''))
  const line = (cells: string[]) =>
    cells
      .map((text, column) => {
        const gap = ' '.repeat((widths[column] ?? 0) - lengthOf(text))
        return isFigure(column) ? gap + text : text + gap
      })
      .join('  ')
      .trimEnd()
  return [line(head), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}

const lengthOf = (text: string): number => Array.from(text).length
