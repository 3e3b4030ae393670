import { bold, type Column, letterOf, type Row, rowWriter, textCell } from './cells.ts'
import { type Packed, packed } from './zip.ts'

/** The cells of a row, each written by `cellOf`. */
export type WrittenRow = string

/** `longest`: the most rows, including the head. `more`: the text of the last row if there are more rows. */
type Frame = { name: string; columns: readonly Column[]; longest: number; more: string }

export type Sheet = Frame & {
  /** Batches of some hundreds or thousands of rows. */
  rows: AsyncIterable<(Row | WrittenRow)[]>
}

/** Rows of which only the count is known. `pack` writes the first `many` of them, from the row `first` of the sheet on. */
export type Batch = { many: number; pack: (first: number, many: number, crc: number) => Packed | Promise<Packed> }

export type PackedSheet = Frame & { batches: AsyncIterable<Batch> }

/** The most rows that the format allows. */
export const longestSheet = 1_048_576

export async function* sheetParts({ columns, rows, longest, more }: Sheet): AsyncGenerator<string> {
  const writeRow = rowWriter(columns.map(({ kind }) => kind))
  yield headOf(columns)
  let written = 1
  for await (const batch of rows) {
    const fitting = batch.slice(0, longest - 1 - written)
    let text = ''
    for (const row of fitting) {
      written += 1
      text += typeof row === 'string' ? `<row>${row}</row>` : writeRow(row, written)
    }
    if (fitting.length < batch.length) text += lastRow(more, written + 1)
    yield text
    if (fitting.length < batch.length) break
  }
  yield end
}

export async function* packedSheetParts({ columns, batches, longest, more }: PackedSheet): AsyncGenerator<Packed> {
  const head = packed([headOf(columns)], 0)
  yield head
  let [{ crc }, written] = [head, 1]
  for await (const { many, pack } of batches) {
    const fitting = Math.min(many, longest - 1 - written)
    const piece = await pack(written + 1, fitting, crc)
    yield piece
    crc = piece.crc
    written += fitting
    if (fitting === many) continue
    const last = packed([lastRow(more, written + 1)], crc)
    yield last
    crc = last.crc
    break
  }
  yield packed([end], crc)
}

const lastRow = (more: string, at: number): string => `<row r="${at}">${textCell(more, `A${at}`)}</row>`

const end = '</sheetData></worksheet>'

const headOf = (columns: readonly Column[]): string =>
  `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView tabSelected="1" workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns.map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('') +
  '</cols><sheetData><row r="1">' +
  columns.map(({ header }, index) => textCell(header, `${letterOf(index)}1`, bold)).join('') +
  '</row>'

export const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
export const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
