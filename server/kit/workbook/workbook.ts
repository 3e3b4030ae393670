import type { Readable } from 'node:stream'
import { Download } from '#server/kit/http/download.ts'
import { type Entry, zipped } from './zip.ts'

/**
 * A column of cells. A day is `yyyy-mm-dd`, a moment is in milliseconds and shown in UTC, an amount is in cents. Text is never interpreted. A cell of an
 * empty text is left out.
 */
export type Column = { header: string; width: number; kind: 'text' | 'day' | 'moment' | 'amount' | 'number' }
export type Row = (string | number)[]

/** The cells of a row, each written by `cellOf`. */
export type WrittenRow = string

type Sheet = {
  name: string
  columns: Column[]
  /** Batches of some hundreds or thousands of rows. */
  rows: AsyncIterable<(Row | WrittenRow)[]>
  /** The most rows, including the head. */
  longest: number
  /** The text of the last row if there are more rows. */
  more: string
}

/** The most rows that the format allows. */
export const longestSheet = 1_048_576

/**
 * Writes a workbook of one sheet while it is sent (ECMA-376). Texts are in the cells themselves, so that nothing has to be kept in memory until the
 * end.
 */
export const workbook = (sheet: Sheet): AsyncGenerator<Buffer> =>
  zipped([...fixedParts(sheet), { name: 'xl/worksheets/sheet1.xml', content: sheetParts(sheet) }])

export const workbookFile = (name: string, content: Readable): Download =>
  new Download({ name: `${name}.xlsx`, mediaType: `${type}.sheet`, content })

async function* sheetParts({ columns, rows, longest, more }: Sheet): AsyncGenerator<string> {
  const cells = columns.map(({ kind }, index) => cellWriter(kind, letterOf(index)))
  yield headOf(columns)
  let written = 1
  for await (const batch of rows) {
    const fitting = batch.slice(0, longest - 1 - written)
    let text = ''
    for (const row of fitting) {
      const number = String(++written)
      if (typeof row === 'string') {
        text += `<row>${row}</row>`
        continue
      }
      text += `<row r="${number}">`
      // Safe: every row has a value for each column.
      for (let index = 0; index < cells.length; index += 1) text += (cells[index] as CellWriter)(row[index] as string, number)
      text += '</row>'
    }
    if (fitting.length < batch.length) text += `<row r="${written + 1}">${textCell(more, `A${written + 1}`)}</row>`
    yield text
    if (fitting.length < batch.length) break
  }
  yield '</sheetData></worksheet>'
}

/** The indexes of the styles in `styles`; a cell without one is plain. */
const [bold, day, amount, moment] = [1, 2, 3, 4]

type CellWriter = (value: string | number, row: string) => string

/** Writes a cell without its place, by which the same text serves many rows. An empty one is written, too, as each stands after the one before. */
export function cellOf(kind: Column['kind'], value: string | number): string {
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

/** Returns the function that writes the cells of a column. A million rows have forty million, so what all cells share is made once. */
function cellWriter(kind: Column['kind'], letter: string): CellWriter {
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

const styled = (style: number | undefined): string => (style === undefined ? '' : ` s="${style}"`)

/** Returns a spreadsheet's date: the days since 30 December 1899. */
const serialOf = (ms: number): number => ms / 86_400_000 + 25_569

/** The longest text of a cell that spreadsheets allow, in characters. */
const longestText = 32_767

/** Matches most texts of codes, numbers and single words, which need no further look. */
const simple = /^[A-Za-z0-9.:/-]+$/
/** Matches texts whose space a spreadsheet would cut or join. */
const spaced = /^\s|\s$|\s\s|[^\S ]/

const textCell = (text: string, at: string, style?: number): string =>
  text === '' ? '' : `<c r="${at}"${styled(style)} ${textContent(text)}`

function textContent(text: string): string {
  if (simple.test(text) && text.length <= longestText) return `t="inlineStr"><is><t>${text}</t></is></c>`
  return `t="inlineStr"><is><t${spaced.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text.slice(0, longestText))}</t></is></c>`
}

/** Many a column has the same text row after row. */
function textWriter(letter: string): CellWriter {
  const begin = `<c r="${letter}`
  let [last, content]: [string | number, string] = ['', '']
  return (text, row) => {
    if (text === '') return ''
    if (text !== last) [last, content] = [text, textContent(String(text))]
    return `${begin}${row}" ${content}`
  }
}

/** Returns A to Z, then AA to ZZ. */
const letterOf = (index: number): string =>
  (index < 26 ? '' : letterOf(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26))

const headOf = (columns: Column[]): string =>
  `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns.map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('') +
  '</cols><sheetData><row r="1">' +
  columns.map(({ header }, index) => textCell(header, `${letterOf(index)}1`, bold)).join('') +
  '</row>'

/** Matches characters that need an escape. They are special or invalid in XML, or a spreadsheet reads them as an escape. */
const special = /[&<>"\u0000-\u001f\ufffe\uffff\ud800-\udfff]|_x[0-9a-f]{4}_/i

function escaped(text: string): string {
  if (!special.test(text)) return text
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>"\r]/g, character => entities[character] ?? character)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\r': '&#13;' }

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixedParts = ({ name }: Sheet): Entry[] =>
  Object.entries({
    '[Content_Types].xml':
      `<Types xmlns="${packaged}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': styles,
  }).map(([path, text]) => ({ name: path, content: [xml + text] }))

const relationships = (targets: [string, string][]): string =>
  `<Relationships xmlns="${packaged}/relationships">` +
  targets.map(([kind, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${kind}" Target="${target}"/>`).join('') +
  '</Relationships>'

const styles =
  `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="4" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
