import { type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'
import { languageIn, shortNames } from '../paste-words/calendar.ts'
import { wholeWord } from '../paste-words/patterns.ts'

/** A part of a text: the index of its first character, and of the one after its last. */
export type Span = readonly [from: number, to: number]

/** The maximum number of dates, cities or amounts that are read. No confirmation has more, and no text may block the page. */
const mostMatches = 400

/** Returns the matches in a text, or in a part of it that the pattern sees alone. */
export function matchesIn(text: string, pattern: RegExp, [from, to]: Span = [0, text.length]): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of text.slice(from, to).matchAll(pattern)) {
    match.index += from
    if (matches.push(match) === mostMatches) break
  }
  return matches
}

/** Returns the part of a text that a match has, or that its group has if the pattern has the flag d and sees the whole text. */
export const spanOf = (match: RegExpExecArray, group = 0): Span => match.indices?.[group] ?? [match.index, match.index + match[0].length]

/** Returns parts of a text in their order. */
export const inOrder = <Part extends { at: Span }>(parts: readonly Part[]): Part[] => parts.toSorted((a, b) => a.at[0] - b.at[0])

/** Returns parts of a text in their order, without those that begin within the part before. */
export const apart = <Part extends { at: Span }>(parts: readonly Part[]): Part[] =>
  inOrder(parts).filter(({ at }, index, all) => (all[index - 1]?.at[1] ?? 0) <= at[0])

/** Longer lines are cut, as some texts have no line breaks. */
const longestLine = 400

export function lineStart(plain: string, at: number): number {
  const from = Math.max(0, at - longestLine)
  return from + plain.slice(from, Math.max(0, at)).lastIndexOf('\n') + 1
}

export function lineEnd(plain: string, at: number): number {
  const line = plain.slice(at, at + longestLine)
  const end = line.indexOf('\n')
  return at + (end < 0 ? line.length : end)
}

export const lineAt = (plain: string, at: number): Span => [lineStart(plain, at), lineEnd(plain, at)]

/** Returns the next line above that is not blank. */
export function lineAbove(plain: string, at: number): Span | undefined {
  let end = lineStart(plain, at) - 1
  for (let tries = 0; tries < 3 && end > 0; tries++) {
    const start = lineStart(plain, end)
    if (plain.slice(start, end).trim()) return [start, end]
    end = start - 1
  }
  return undefined
}

/** Writes each character as one small letter without accent, with one kind of blank, dash, quote and arrow. */
export const plainly = (text: string): string => text.replaceAll(/[^ -~\n]/g, plainSign).toLowerCase()

const signs = new Map(
  Object.entries({ '\r': ' ', '\t': ' ', '−': '-', '’': "'", '‘': "'", '´': "'", '•': '|', '·': '|', '▪': '|', '✈': '>' }),
)

/** `signs` is a cache, too, with at most one sign per code unit. */
function plainSign(sign: string): string {
  const plain = signs.get(sign) ?? plainOf(sign)
  signs.set(sign, plain)
  return plain
}

function plainOf(sign: string): string {
  if (/[\s\p{Cf}\p{Cc}]/u.test(sign)) return ' '
  if (/\p{Pd}/u.test(sign)) return '-'
  if (/[→⇒➔➜➝⟶►▶]/u.test(sign)) return '>'
  const letter = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
  return letter.length === 1 ? letter : '?'
}

/** The characters of a text that are read. No confirmation is longer. */
export const mostRead = 100_000

/**
 * A pasted text, with blanks for all white space except line ends. `plain` has one small letter without accent for each character of
 * `text`, and one kind of dash, quote and arrow. An index into one is an index into the other.
 */
export type Pasted = { text: string; plain: string; language: Language; cells: Cell[]; messages: Message[] }
/** A message of a chat, and who sent it. */
type Message = { at: Span; by: string }

const clock = '\\d{1,2}:\\d{2}'
const half = '(?: [ap]\\.? ?m\\.?)?'
/** The time and sender of a message, as messengers copy it: `[19/11/26, 18:04] Ana: `, `Ana 19/11/2026, 18:04`. */
const messageHead = new RegExp(
  `^(?:([^:\\n\\d]{2,40}) \\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4},? ${clock}$|` +
    `(?:\\[\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{1,4},? ${clock}(?::\\d{2})?${half}\\]|\\d{1,2}[/.-]\\d{1,2}[/.-]\\d{2,4},? ${clock}${half} -) ` +
    `([^:\\n]{1,40}): )`,
  'gim',
)

/** Normalises a text and detects its language: that of most of its small words, else the reader's own. */
export function readText(given: string, locale: Locale): Pasted {
  const raw = composed(typeof given === 'string' ? given.slice(0, mostRead) : '').replaceAll(/[^\S\n\t]/g, ' ')
  const messages: Message[] = []
  const text = raw.replaceAll('\t', ' ').replaceAll(messageHead, (head: string, above: string | undefined, by: string, from: number) => {
    const last = messages.at(-1)
    if (last) last.at = [last.at[0], from]
    messages.push({ at: [from, raw.length], by: above ?? by })
    return ' '.repeat(head.length)
  })
  const plain = plainly(text)
  return { text, plain, language: languageIn(plain) ?? languageOf(locale), cells: cellsIn(raw, plain), messages }
}

/** Returns the message of a chat at an index. */
export const messageAt = ({ messages }: Pasted, at: number): Message | undefined =>
  messages.find(message => message.at[0] <= at && at < message.at[1])

/** The line above the mail that another one answers. */
const quoteHead = new RegExp(
  `^(?:>|-{3,12} ?(?:original message|mensaje original|message d'origine|messaggio originale|mensagem original)|` +
    `(?:on|el|le|il|em|a) [^\\n]{8,120} (?:wrote|escribio|a ecrit|ha scritto|escreveu) ?:)`,
  'm',
)

/** Returns the text without the mails that it answers, in the same length; undefined if it quotes none. */
export function withoutQuoted(given: string): string | undefined {
  const text = typeof given === 'string' ? given.slice(0, mostRead) : ''
  const from = plainly(text).search(quoteHead)
  return from > 0 ? text.slice(0, from) + text.slice(from).replaceAll(/[^\n]/g, ' ') : undefined
}

/**
 * The cues of a part of a text. `label`: the words before it in its clause; in a table, those of its column's head. `behind`: the words
 * behind it in its clause. `isFirst`: nothing that was read stands before it on its line, so that `above`, the next line above, may be its
 * label.
 */
export type Cues = { label: string; behind: string; above: Span | undefined; isFirst: boolean; isCell: boolean }

const longestClause = 120
/** The point of an abbreviation does not end a clause. */
const clauseEnd = new RegExp(`[;|]|(?<=[\\w)]{3})(?<!\\b(?:nac|sra|srta|sig|tel|ref|num|mme|mrs|dep|arr|doc|pers|${shortNames}))[.!?] +`)

/** Returns the cues of a part of a text, up to what was read before (`since`) and is read next (`until`). Clauses are of one line. */
export function cuesOf(pasted: Pasted, [from, to]: Span, since = 0, until = Number.POSITIVE_INFINITY): Cues {
  const { plain, cells } = pasted
  const start = lineStart(plain, from)
  const isFirst = start >= since
  const above = isFirst ? lineAbove(plain, from) : undefined
  const cell = cells.find(({ at }) => at[0] <= from && from < at[1])
  if (cell)
    return { label: `${cell.head} ${plain.slice(cell.at[0], from)}`, behind: plain.slice(to, cell.at[1]), above, isFirst, isCell: true }
  const label =
    plain
      .slice(Math.max(start, since, from - longestClause), from)
      .split(clauseEnd)
      .at(-1) ?? ''
  const [behind = ''] = plain.slice(to, Math.min(lineEnd(plain, to), until, to + longestClause)).split(clauseEnd)
  return { label, behind, above, isFirst, isCell: false }
}

/** Returns the words before an index in its clause. */
export const labelOf = (pasted: Pasted, at: number): string => cuesOf(pasted, [at, at]).label

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
function cellsIn(raw: string, plain: string): Cell[] {
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
