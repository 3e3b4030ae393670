import { bytesOf, digitsFrom, put, putAmount, putSerial, remembering, textOf } from './bytes.ts'
import { letterOf, styleOf, textContent } from './cells.ts'

/**
 * A column whose values are bytes: texts in UTF-8, whole cents, or serials, the numbers that spreadsheets have for days. `shownAs` maps a few different
 * texts to those that are written, and `serialOf` other whole numbers to serials. A hidden column is left out.
 */
export type ByteColumn =
  | { kind: 'text'; shownAs?: (text: string) => string }
  | { kind: 'serial'; serialOf?: (whole: number) => number }
  | { kind: 'amount' }
  | { kind: 'hidden' }

/** The bytes that separate values and rows. No value contains them. */
export type Separators = { values: number; rows: number }

/**
 * Writes the same bytes as `rowWriter`, given the values of many rows in one piece. A million rows have twelve million values: as strings they take three
 * times as long, and keep the garbage collector busy. `each` gets the indexes where the values of a row begin, and the next row.
 */
export function rowBytes(
  values: Uint8Array,
  columns: readonly ByteColumn[],
  separators: Separators,
  { first, many }: { first: number; many: number },
  each: (begins: Int32Array) => void = () => {},
): Buffer {
  const to = roomFor(values.length * longestEscape + many * (columns.length + 1) * mostAround)
  const cells = cellsOf(columns)
  const begins = new Int32Array(columns.length + 1)
  const digits = digitsFrom(first)
  let [next, at] = [0, 0]
  for (let row = first; row < first + many; row += 1) {
    const number = digits.next()
    at = put(tagEnd, to, put(number, to, put(rowBegin, to, at)))
    next = findBegins(values, next, begins, separators)
    for (const { index, begin, write } of cells) {
      const [from, end] = [begins[index] ?? 0, (begins[index + 1] ?? 0) - 1]
      if (end === from) continue
      const start = put(number, to, put(begin, to, at))
      const written = write(values, from, end, to, start)
      // An empty cell is left out.
      if (written > start) at = written
    }
    at = put(rowEnd, to, at)
    each(begins)
  }
  return to.subarray(0, at)
}

/** The length of the longest escape, that of `_`. */
const longestEscape = 7
/** More bytes than a cell has around its value, and than any value that replaces another. */
const mostAround = 256

/** The bytes of rows, which the next ones overwrite. */
let filling: Buffer = Buffer.alloc(0)

function roomFor(size: number): Buffer {
  if (filling.length < size) filling = Buffer.allocUnsafeSlow(size)
  return filling
}

const [rowBegin, tagEnd, rowEnd] = [bytesOf('<row r="'), bytesOf('">'), bytesOf('</row>')] as const

/** Finds where the values of a row begin, each after the separator of the one before. Returns where the next row begins. */
function findBegins(values: Uint8Array, from: number, begins: Int32Array, separators: Separators): number {
  const last = begins.length - 1
  let at = from
  begins[0] = at
  for (let index = 1; index <= last; index += 1) {
    const separator = index === last ? separators.rows : separators.values
    while (at < values.length && values[at] !== separator) at += 1
    at += 1
    begins[index] = at
  }
  return at
}

/** A cell of each row: its value's index, the bytes before the row's number, and the writer of the rest. */
type Cell = { index: number; begin: Uint8Array; write: Writer }
/** Writes the rest of a cell, for the value in these bytes, at an index. Returns the index after it. */
type Writer = (values: Uint8Array, from: number, end: number, to: Buffer, at: number) => number

const cellsOf = (columns: readonly ByteColumn[]): Cell[] =>
  columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.kind !== 'hidden')
    .map(({ column, index }, place) => ({ index, begin: bytesOf(`<c r="${letterOf(place)}`), write: writerOf(column) }))

function writerOf(column: ByteColumn): Writer {
  if (column.kind === 'text') return column.shownAs ? fewTexts(column.shownAs) : putText
  const begin = bytesOf(`"${styleOf(column.kind === 'amount' ? 'amount' : 'day')}><v>`)
  const write = column.kind === 'serial' ? putSerial(column.serialOf) : putAmount
  return (values, from, end, to, at) => put(numberEnd, to, write(values, from, end, to, put(begin, to, at)))
}

const numberEnd = bytesOf('</v></c>')
const [textBegin, textEnd] = [bytesOf('" t="inlineStr"><is><t>'), bytesOf('</t></is></c>')] as const
const toContent = bytesOf('" ')

/** A text of at most this many bytes in UTF-8 always fits into a cell. */
const surelyFits = 32_767

/**
 * Marks the bytes that a text may contain unescaped: those of ASCII without an escape, and of letters with accents, Greek, Cyrillic and more. Texts with
 * others, such as spaces of many kinds, are written as `rowWriter` writes them.
 */
const isPlain: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte > 0x20 && byte < 0x7f && !'&<>"_'.includes(String.fromCharCode(byte))) ||
  (byte >= 0x80 && ![0xc2, 0xe1, 0xe2, 0xe3, 0xef].includes(byte))
    ? 1
    : 0,
)
const space = 0x20

const putText: Writer = (values, from, end, to, at) => {
  if (end - from > surelyFits) return putOtherText(values, from, end, to, at)
  let place = put(textBegin, to, at)
  // Starts as after a space, since a text that begins with one is not plain.
  let before = space
  for (let index = from; index < end; index += 1) {
    const byte = values[index] ?? 0
    if (isPlain[byte] === 0 && (byte !== space || before === space)) return putOtherText(values, from, end, to, at)
    to[place] = byte
    place += 1
    before = byte
  }
  return before === space ? putOtherText(values, from, end, to, at) : put(textEnd, to, place)
}

const putOtherText: Writer = (values, from, end, to, at) => {
  const place = put(toContent, to, at)
  return place + to.write(textContent(textOf(values, from, end)), place)
}

function fewTexts(shownAs: (text: string) => string): Writer {
  const contentOfText = remembering(text => contentOf(shownAs(text)))
  return (values, from, end, to, at) => put(contentOfText(values, from, end), to, at)
}

function contentOf(text: string): Uint8Array {
  const content = bytesOf(text === '' ? '' : `" ${textContent(text)}`)
  if (content.length > mostAround / 2) throw new RangeError('a text in place of another is too long')
  return content
}
