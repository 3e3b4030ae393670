import { type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'
import { languageIn, shortNames } from '../paste-words/calendar.ts'
import { type Cell, cellsIn } from './tables.ts'

/** The characters of a text that are read. No confirmation is longer. */
export const mostRead = 100_000

/** A part of a text: the index of its first character, and of the one after its last. */
export type Span = readonly [from: number, to: number]

/**
 * A pasted text, with blanks for all white space except line ends. `plain` has one small letter without accent for each character of `text`, and one
 * kind of dash, quote and arrow. An index into one is an index into the other.
 */
export type Pasted = { text: string; plain: string; language: Language; cells: Cell[]; messages: Message[] }
/** A message of a chat, and who sent it. */
type Message = { at: Span; by: string }

/** The time and sender of a message, as messengers copy it: `[19/11/26, 18:04] Ana: `, `Ana 19/11/2026, 18:04`. It does not concern the trip. */
const messageHead =
  /^(?:([^:\n\d]{2,40}) \d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d{2}$|(?:\[\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? \d{1,2}:\d{2}(?::\d{2})?(?: [ap]\.? ?m\.?)?\]|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d{2}(?: [ap]\.? ?m\.?)? -) ([^:\n]{1,40}): )/gim

/** Normalises a text and detects its language: that of most of its small words, else the reader's own. */
export function readText(given: string, locale: Locale): Pasted {
  const raw = composed(typeof given === 'string' ? given.slice(0, mostRead) : '').replaceAll(/[^\S\n\t]/g, ' ')
  const messages: Message[] = []
  const text = raw.replaceAll('\t', ' ').replaceAll(messageHead, (head: string, above: string | undefined, by: string, from: number) => {
    const [last] = messages.slice(-1)
    if (last) last.at = [last.at[0], from]
    messages.push({ at: [from, raw.length], by: above ?? by })
    return ' '.repeat(head.length)
  })
  const plain = plainly(text)
  return { text, plain, language: languageIn(plain) ?? languageOf(locale), cells: cellsIn(raw, plain), messages }
}

export const plainly = (text: string): string => text.replaceAll(/[^ -~\n]/g, plainSign).toLowerCase()

const signs: Record<string, string> = {
  '\r': ' ',
  '\t': ' ',
  '−': '-',
  '’': "'",
  '‘': "'",
  '´': "'",
  '•': '|',
  '·': '|',
  '▪': '|',
  '✈': '>',
}

/** A cache of normalised characters, at most one per code unit. */
const plainSigns = new Map<string, string>()

function plainSign(sign: string): string {
  const plain = plainSigns.get(sign) ?? plainOf(sign)
  plainSigns.set(sign, plain)
  return plain
}

function plainOf(sign: string): string {
  const other = signs[sign]
  if (other) return other
  if (/[\s\p{Cf}\p{Cc}]/u.test(sign)) return ' '
  if (/\p{Pd}/u.test(sign)) return '-'
  if (/[→⇒➔➜➝⟶►▶]/u.test(sign)) return '>'
  const letter = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
  return letter.length === 1 ? letter : '?'
}

/** The line above the mail that another one answers. */
const quoteHead =
  /^(?:>|-{3,12} ?(?:original message|mensaje original|message d'origine|messaggio originale|mensagem original)|(?:on|el|le|il|em|a) [^\n]{8,120} (?:wrote|escribio|a ecrit|ha scritto|escreveu) ?:)/m

/** Returns the text without the mails that it answers, in the same length; undefined if it quotes none. */
export function withoutQuoted(given: string): string | undefined {
  const text = typeof given === 'string' ? given.slice(0, mostRead) : ''
  const from = plainly(text).search(quoteHead)
  return from > 0 ? text.slice(0, from) + text.slice(from).replaceAll(/[^\n]/g, ' ') : undefined
}

const longestClause = 120

/** Returns the cell of a table at an index. */
export const cellAt = ({ cells }: Pasted, at: number): Cell | undefined => cells.find(cell => cell.at[0] <= at && at < cell.at[1])

/**
 * Returns the clause before an index, from `since` at the earliest: a line, or the text after a full stop, a bar or a semicolon. In a table it begins
 * with the head of the column.
 */
export function before(pasted: Pasted, at: number, since = 0): string {
  const { plain } = pasted
  const cell = cellAt(pasted, at)
  if (cell) return `${cell.head} ${plain.slice(cell.at[0], at)}`
  const from = Math.max(lineStart(plain, at), since, at - longestClause)
  return plain.slice(from, at).split(clauseEnd).at(-1) ?? ''
}

/** Returns the clause after an index, up to `until` at the latest. */
export function after(pasted: Pasted, at: number, until: number): string {
  const { plain } = pasted
  const cell = cellAt(pasted, at - 1)
  if (cell) return plain.slice(at, cell.at[1])
  const end = Math.min(lineEnd(plain, at), until, at + longestClause)
  return plain.slice(at, end).split(clauseEnd)[0] ?? ''
}

/** The point of an abbreviation does not end a clause. */
const clauseEnd = new RegExp(`[;|]|(?<=[\\w)]{3})(?<!\\b(?:nac|sra|srta|sig|tel|ref|num|mme|mrs|dep|arr|doc|pers|${shortNames}))[.!?] +`)

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

/** The maximum number of dates, cities or amounts that are read. No confirmation has more, and no text may block the page. */
const mostMatches = 400

export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    if (matches.push(match) === mostMatches) break
  }
  return matches
}
