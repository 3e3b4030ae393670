import type { Readable } from 'node:stream'
import { Download } from '#server/kit/http/download.ts'
import { escaped } from './cells.ts'
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
