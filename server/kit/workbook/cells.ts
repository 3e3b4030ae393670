/**
 * A column of cells. A day is `yyyy-mm-dd`, a moment is in milliseconds and shown in UTC, an amount is in cents. Text is never interpreted. A cell of an
 * empty text is left out.
 */
export type Column = { header: string; width: number; kind: CellKind }
export type CellKind = 'text' | 'day' | 'moment' | 'amount' | 'number'
export type Row = (string | number)[]

/** The indexes of the styles in `styles`; a cell without one is plain. */
export const bold = 1
const [day, amount, moment] = [2, 3, 4]

type CellWriter = (value: string | number, row: string) => string

/** Returns the function that writes a row, given its number in the sheet. */
export function rowWriter(kinds: readonly CellKind[]): (row: Readonly<Row>, at: number) => string {
  const cells = kinds.map((kind, index) => cellWriter(kind, letterOf(index)))
  return (row, at) => {
    const number = String(at)
    let text = `<row r="${number}">`
    // Safe: every row has a value for each column.
    for (let index = 0; index < cells.length; index += 1) text += (cells[index] as CellWriter)(row[index] as string, number)
    return `${text}</row>`
  }
}

/** Writes a cell without its reference, so that the same text serves many rows. Empty cells are written, too, as only their order counts. */
export function cellOf(kind: CellKind, value: string | number): string {
  if (value === '') return '<c/>'
  if (kind === 'text') return `<c ${textContent(String(value))}`
  const { style, numberOf } = numbers[kind]
  return `<c${styled(style)}><v>${numberOf(value)}</v></c>`
}

const numbers = {
  day: { style: day, numberOf: (text: string | number) => serialOf(Date.parse(String(text))) },
  moment: { style: moment, numberOf: (ms: string | number) => serialOf(Number(ms)) },
  amount: { style: amount, numberOf: (cents: string | number) => Number(cents) / 100 },
  number: { style: undefined, numberOf: Number },
}

/** Returns the function that writes the cells of a column. A million rows have forty million, so their common parts are made once. */
function cellWriter(kind: CellKind, letter: string): CellWriter {
  if (kind === 'text') return textWriter(letter)
  const serials = new Map<string | number, number>()
  const serialOfDay = (text: string | number): number => {
    const serial = serials.get(text) ?? numbers.day.numberOf(text)
    serials.set(text, serial)
    return serial
  }
  const { style, numberOf: usual } = numbers[kind]
  const numberOf = kind === 'day' ? serialOfDay : usual
  const begin = `<c r="${letter}`
  const middle = `"${styled(style)}><v>`
  return (value, row) => (value === '' ? '' : `${begin}${row}${middle}${numberOf(value)}</v></c>`)
}

/** Returns the attribute of the style of a kind. */
export const styleOf = (kind: Exclude<CellKind, 'text'>): string => styled(numbers[kind].style)

const styled = (style: number | undefined): string => (style === undefined ? '' : ` s="${style}"`)

/** Returns a spreadsheet's date: the days since 30 December 1899. */
export const serialOf = (ms: number): number => ms / 86_400_000 + 25_569

/** The longest text of a cell that spreadsheets allow, in characters. */
const longestText = 32_767

/** Matches most texts of codes, numbers and single words, which need no further check. */
const simple = /^[A-Za-z0-9.:/-]+$/
/** Matches texts whose space a spreadsheet would cut or join. */
const spaced = /^\s|\s$|\s\s|[^\S ]/

export const textCell = (text: string, at: string, style?: number): string =>
  text === '' ? '' : `<c r="${at}"${styled(style)} ${textContent(text)}`

export function textContent(text: string): string {
  if (simple.test(text) && text.length <= longestText) return `t="inlineStr"><is><t>${text}</t></is></c>`
  return `t="inlineStr"><is><t${spaced.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text.slice(0, longestText))}</t></is></c>`
}

/** How many texts a column caches. Many columns have few, such as those of products. */
const mostKept = 50

function textWriter(letter: string): CellWriter {
  const begin = `<c r="${letter}`
  const kept = new Map<string | number, string>()
  return (text, row) => {
    if (text === '') return ''
    let content = kept.get(text)
    if (content === undefined) {
      content = textContent(String(text))
      if (kept.size < mostKept) kept.set(text, content)
    }
    return `${begin}${row}" ${content}`
  }
}

/** Returns A to Z, then AA to ZZ. */
export const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

/** Matches characters that need an escape. They are special or invalid in XML, or a spreadsheet reads them as an escape. */
const special = /[&<>"\u0000-\u001f\ufffe\uffff\ud800-\udfff]|_x[0-9a-f]{4}_/i

export function escaped(text: string): string {
  if (!special.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>"\r]/g, character => entities[character] ?? character)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }
