import type { Readable } from 'node:stream'
import { csvNumber, csvText, dialectOf } from '#common/kit/csv.ts'
import type { Locale } from '#common/kit/locales.ts'
import { Download } from '#server/kit/http/download.ts'
import { type Column, escaped, type Row } from './cells.ts'
import { main, packedSheetParts, type PackedSheet, type Sheet, sheetParts, xml } from './sheet.ts'
import { type Entry, zipped } from './zip.ts'

/**
 * Writes a workbook of one sheet while it is sent (ECMA-376). Texts are in the cells themselves, so that nothing has to be kept in memory until the
 * end.
 */
export const workbook = (sheet: Sheet): AsyncGenerator<Buffer> =>
  zipped([...fixedParts(sheet), { name: sheetPath, content: sheetParts(sheet) }])

/** Writes the same workbook of rows that are packed elsewhere, such as in another thread. */
export const packedWorkbook = (sheet: PackedSheet): AsyncGenerator<Buffer> =>
  zipped([...fixedParts(sheet), { name: sheetPath, packed: packedSheetParts(sheet) }])

const sheetPath = 'xl/worksheets/sheet1.xml'

export const workbookFile = (name: string, content: Readable): Download =>
  new Download({ name: `${name}.xlsx`, mediaType: `${type}.sheet`, content })

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const fixedParts = ({ name }: Pick<Sheet, 'name'>): Entry[] =>
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

/**
 * Writes rows as CSV (RFC 4180) while they are sent, in UTF-8 with a byte order mark, by which spreadsheets recognise it. Cells and decimals are
 * separated as spreadsheets of the language expect it, and days and moments are those of ISO 8601.
 */
export async function* csv({
  columns,
  rows,
  locale,
}: {
  columns: Column[]
  rows: AsyncIterable<Row[]>
  locale: Locale
}): AsyncGenerator<string> {
  const { separator, decimal } = dialectOf(locale)
  const lineOf = (cells: string[]): string => `${cells.join(separator)}\r\n`
  yield `\ufeff${lineOf(columns.map(({ header }) => csvText(header)))}`
  for await (const batch of rows)
    yield batch.map(row => lineOf(columns.map(({ kind }, index) => cell(kind, row[index] ?? '', decimal)))).join('')
}

function cell(kind: Column['kind'], value: string | number, decimal: string): string {
  if (value === '') return ''
  if (kind === 'amount') return csvNumber((Number(value) / 100).toFixed(2), decimal)
  if (kind === 'number') return csvNumber(String(value), decimal)
  if (kind === 'moment') return new Date(Number(value)).toISOString()
  return csvText(String(value))
}
