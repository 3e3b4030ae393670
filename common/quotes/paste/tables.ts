import { wholeWord } from '../paste-words/patterns.ts'
import { matchesIn, type Span } from './lines.ts'

/** The part of a name in a column, or a whole name, whose order its head may say. */
type NameColumn = 'surname' | 'given' | 'surname first' | 'name'
type Column = { head: string; column: NameColumn | undefined }
/** A cell of a table, with the words of its column's head in small letters without accents. */
export type Cell = Column & { at: Span; row: number }
/** The line of heads, which begins at an index of the text. */
type Table = { from: number; heads: (Column & { at: Span })[]; divider: RegExp; rows: number }

const surname = new RegExp(wholeWord('surnameHead'))
const given = new RegExp(wholeWord('givenHead'))
const anyone = new RegExp(wholeWord('traveller', 'participant', 'personLabel'))
const otherHead = new RegExp(
  `${wholeWord('birth', 'passport', 'age', 'mailbox', 'mobile', 'telephone', 'leaves', 'end')}|` +
    `\\b(?:dni|nif|nie|cc|bi|cpf|codice fiscale)\\b`,
)

/** Cells between tabs, semicolons or bars, else between several blanks. */
const blanks = /\S{1,200}(?: \S{1,200}){0,200}/g
const dividers = [/(?<=^|\t)[^\t]{0,400}/g, /(?<=^|;)[^;]{0,400}/g, /(?<=^|\|)[^|]{0,400}/g, blanks]
const mostRows = 60
const longestRow = 400

/** Returns the cells below each line of heads, one of which is for names. `raw` has the tabs that are blanks in `plain`. */
export function cellsIn(raw: string, plain: string): Cell[] {
  const cells: Cell[] = []
  let [at, row, table]: [number, number, Table | undefined] = [0, 0, undefined]
  for (const line of raw.split('\n')) {
    const from = at
    at += line.length + 1
    if (line.length > longestRow) continue
    const parts = table && table.rows < mostRows ? partsOf(line, table.divider, from) : []
    if (table && parts.length > 1) {
      table.rows++
      row++
      for (const cell of placed(parts, from, table)) cells.push({ ...cell, row })
    } else if (table && table.rows > 0 && /^[^:\d]{1,60}$/.test(line) && line.trim()) {
      // A name alone in its row is a traveller, too.
      cells.push({ at: [from + line.search(/\S/), from + line.trimEnd().length], head: '', column: 'name', row: ++row })
    } else if (table?.rows !== 0 || line.trim()) {
      // A blank line may follow the heads.
      table = tableAt(line, from, plain)
    }
  }
  return cells
}

function tableAt(line: string, from: number, plain: string): Table | undefined {
  const divider = /:|\d{2}/.test(line) ? undefined : dividers.find(each => partsOf(line, each, from).length > 1)
  if (!divider) return undefined
  const heads = partsOf(line, divider, from).map(at => ({ at, head: plain.slice(...at), column: columnOf(plain.slice(...at)) }))
  const known = heads.filter(({ head, column }) => column || otherHead.test(head))
  if (known.length < 2 || heads.every(({ column }) => !column)) return undefined
  const has = (column: NameColumn) => heads.some(each => each.column === column)
  // One of the two alone has the whole name: `Nome completo`.
  if (has('surname') !== has('given')) {
    for (const head of heads) if (head.column === 'surname' || head.column === 'given') head.column = 'name'
  }
  return { from, heads, divider, rows: 0 }
}

/** Returns the parts of a line; between signs they may be empty. */
function partsOf(line: string, divider: RegExp, from: number): Span[] {
  const parts = matchesIn(line, divider).map(({ index, 0: part }): Span => {
    const begin = from + index + part.length - part.trimStart().length
    return [begin, begin + part.trim().length]
  })
  return parts.some(([begin, end]) => end > begin) ? parts : []
}

function columnOf(head: string): NameColumn | undefined {
  if (otherHead.test(head)) return undefined
  const first = head.search(surname)
  const second = head.replace(surname, words => ' '.repeat(words.length)).search(given)
  if (first >= 0 && second >= 0) return first < second ? 'surname first' : 'name'
  return first >= 0 ? 'surname' : second >= 0 ? 'given' : anyone.test(head) ? 'name' : undefined
}

const slack = 2

/** Gives each part its head: by its place among as many, else between blanks by where it begins. */
function placed(parts: readonly Span[], from: number, table: Table): Omit<Cell, 'row'>[] {
  const used = new Set<object>()
  const isCounted = table.divider !== blanks || parts.length === table.heads.length
  return parts.flatMap((at, index) => {
    const head = isCounted ? table.heads[index] : table.heads.findLast(each => each.at[0] - table.from <= at[0] - from + slack)
    if (!head || used.has(head) || at[1] <= at[0]) return []
    used.add(head)
    return [{ at, head: head.head, column: head.column }]
  })
}
