import { type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'
import { languageIn, shortNames } from '../paste-words/calendar.ts'
import { lineAbove, lineEnd, lineStart, plainly, type Span } from './lines.ts'
import { type Cell, cellsIn } from './tables.ts'

/** The characters of a text that are read. No confirmation is longer. */
export const mostRead = 100_000

/**
 * A pasted text, with blanks for all white space except line ends. `plain` has one small letter without accent for each character of `text`,
 * and one kind of dash, quote and arrow. An index into one is an index into the other.
 */
export type Pasted = { text: string; plain: string; language: Language; cells: Cell[]; messages: Message[] }
/** A message of a chat, and who sent it. */
type Message = { at: Span; by: string }

const clock = '\\d{1,2}:\\d{2}'
const half = '(?: [ap]\\.? ?m\\.?)?'
/**
 * The time and sender of a message, as messengers copy it: `[19/11/26, 18:04] Ana: `, `Ana 19/11/2026, 18:04`. It does not concern the
 * trip.
 */
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
 * The cues of a part of a text. `label`: the words before it in its clause; in a table, those of its column's head. `behind`: the words behind
 * it in its clause. `isFirst`: nothing that was read stands before it on its line, so that `above`, the next line above, may be its label.
 */
export type Cues = { label: string; behind: string; above: Span | undefined; isFirst: boolean; isCell: boolean }

const longestClause = 120
/** The point of an abbreviation does not end a clause. */
const clauseEnd = new RegExp(`[;|]|(?<=[\\w)]{3})(?<!\\b(?:nac|sra|srta|sig|tel|ref|num|mme|mrs|dep|arr|doc|pers|${shortNames}))[.!?] +`)

/**
 * Returns the cues of a part of a text. `since`: the end of what was read before it, and `until` the start of what is read next. A clause is a
 * line, or the text between full stops, bars or semicolons.
 */
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
