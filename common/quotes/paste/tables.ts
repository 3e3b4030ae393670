import { wholeWord } from '../paste-words/patterns.ts'

type Span = readonly [from: number, to: number]
/** The part of a name in a column, or a whole name, whose order its head may say. */
type NameColumn = 'surname' | 'given' | 'surname first' | 'name'
/** A cell of a table, with the words of its column's head in small letters without accents. */
export type Cell = { at: Span; head: string; column: NameColumn | undefined; row: number }

const surname = new RegExp(wholeWord('surnameHead'))
const given = new RegExp(wholeWord('givenHead'))
const anyone = new RegExp(wholeWord('traveller', 'participant', 'personLabel'))
const otherHead = new RegExp(
  `${wholeWord('birth', 'passport', 'age', 'mailbox', 'mobile', 'telephone', 'leaves', 'end')}|\\b(?:dni|nif|nie|cc|bi|cpf|codice fiscale)\\b`,
)

/** Cells are divided by tabs, semicolons or bars, else by several blanks. */
const dividers = [/\t/, /;/, /\|/, / {2,60}/] as const
const [, , , blanks] = dividers
const mostRows = 60
const longestRow = 400

/** A part of a line, with its distance from the line's start. */
type Part = { at: Span; offset: number }
type Table = { heads: (Part & Pick<Cell, 'head' | 'column'>)[]; divider: RegExp; rows: number }

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
      for (const cell of placed(parts, table)) cells.push({ ...cell, row })
      continue
    }
    // A name alone in its row is a traveller, too.
    if (table && table.rows > 0 && /^[^:\d]{1,60}$/.test(line) && line.trim()) {
      cells.push({ at: [from + line.search(/\S/), from + line.trimEnd().length], head: '', column: 'name', row: ++row })
      continue
    }
    // A blank line may follow the heads.
    if (table?.rows === 0 && !line.trim()) continue
    table = tableAt(line, from, plain)
  }
  return cells
}

function tableAt(line: string, from: number, plain: string): Table | undefined {
  if (line.includes(':') || /\d{2}/.test(line)) return undefined
  const divider = dividers.find(each => partsOf(line, each, from).length > 1)
  if (!divider) return undefined
  const heads = partsOf(line, divider, from).map(part => ({
    ...part,
    head: plain.slice(...part.at),
    column: columnOf(plain.slice(...part.at)),
  }))
  const isKnown = heads.filter(({ head, column }) => column || otherHead.test(head)).length > 1
  if (!isKnown || heads.every(({ column }) => !column)) return undefined
  const has = (column: NameColumn) => heads.some(each => each.column === column)
  // One of the two alone has the whole name: `Nome completo`.
  const isWhole = has('surname') !== has('given')
  return {
    heads: heads.map(each =>
      isWhole && (each.column === 'surname' || each.column === 'given') ? { ...each, column: 'name' as const } : each,
    ),
    divider,
    rows: 0,
  }
}

/** Returns the parts of a line; between signs they may be empty. */
function partsOf(line: string, divider: RegExp, from: number): Part[] {
  let offset = 0
  const parts = line.split(new RegExp(`(${divider.source})`)).flatMap((part, index): Part[] => {
    const begin = offset + part.length - part.trimStart().length
    offset += part.length
    const end = Math.max(begin, offset - (part.length - part.trimEnd().length))
    return index % 2 === 1 || (divider === blanks && end <= begin) ? [] : [{ at: [from + begin, from + end], offset: begin }]
  })
  return parts.some(({ at }) => at[1] > at[0]) ? parts : []
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
function placed(parts: readonly Part[], { heads, divider }: Table): Omit<Cell, 'row'>[] {
  const used = new Set<object>()
  return parts.flatMap(({ at, offset }, index) => {
    const isCounted = divider !== blanks || parts.length === heads.length
    const head = isCounted ? heads[index] : heads.findLast(each => each.offset <= offset + slack)
    if (!head || used.has(head) || at[1] <= at[0]) return []
    used.add(head)
    return [{ at, head: head.head, column: head.column }]
  })
}
