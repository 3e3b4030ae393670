import { type Language, languageOf, type Locale } from '#common/kit/locales.ts'
import { composed } from '#common/kit/text.ts'

/** More than any confirmation has; what lies beyond is not read. */
export const mostRead = 100_000

/** Where something stands in a text: the first sign, and the one after the last. */
export type Span = readonly [from: number, to: number]

/**
 * What was pasted, with blanks for all white space but the ends of lines. `plain` has one small letter without its accent for each sign of
 * `text`, and one kind of dash, quote and arrow: what is found in the one stands at the same place in the other.
 */
export type Pasted = { text: string; plain: string; language: Language }

/** The language that most of its small words belong to; where none says so, the reader's own. */
export function readText(given: string, locale: Locale): Pasted {
  const text = composed(typeof given === 'string' ? given.slice(0, mostRead) : '').replaceAll(/[^\S\n]/g, ' ')
  const plain = plainly(text)
  return { text, plain, language: languageIn(plain) ?? languageOf(locale) }
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

/** Each is worked out once; there are not more of them than code units. */
const known = new Map<string, string>()

function plainSign(sign: string): string {
  const found = known.get(sign) ?? plainOf(sign)
  known.set(sign, found)
  return found
}

function plainOf(sign: string): string {
  const given = signs[sign]
  if (given) return given
  if (/[\s\p{Cf}\p{Cc}]/u.test(sign)) return ' '
  if (/\p{Pd}/u.test(sign)) return '-'
  if (/[→⇒➔➜➝⟶►▶]/u.test(sign)) return '>'
  const letter = (sign.normalize('NFD')[0] ?? sign).toLowerCase()
  return letter.length === 1 ? letter : '?'
}

const smallWords: Record<Language, string> = {
  en: 'the and your of for with from you is are this thank dear booking nights outbound return flight travellers we',
  es: 'el los las del y su con para por una usted noches salida vuelta viaje reserva fecha ida vuelo estimado personas hola',
  fr: "le les des du et vous votre vos pour avec au aux une nuits depart retour voyage bonjour vol aller c'est date du passagers est",
  it: 'il gli della e per con di che dal alla notti partenza ritorno viaggio prenotazione volo andata gentile data adulti sono',
  pt: 'o os do da em e com seu sua ao dias noites partida regresso viagem reserva voo ida volta caro estimado no pessoas',
}

function languageIn(plain: string): Language | undefined {
  const counts = new Map<string, number>()
  for (const [word] of plain.slice(0, 20_000).matchAll(/[a-z']+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scores = (Object.keys(smallWords) as Language[])
    .map(language => ({ language, score: smallWords[language].split(' ').reduce((sum, word) => sum + (counts.get(word) ?? 0), 0) }))
    .toSorted((a, b) => b.score - a.score)
  const [best, next] = scores
  return best && next && best.score > next.score ? best.language : undefined
}

const longestClause = 120

/** What stands before a place in its clause, not further back than `since`: a line, or what a full stop, a bar or a semicolon begins. */
export function before({ plain }: Pasted, at: number, since = 0): string {
  const from = Math.max(lineStart(plain, at), since, at - longestClause)
  return plain.slice(from, at).split(clauseEnd).at(-1) ?? ''
}

/** What stands after it in its clause, not further than `until`. */
export function after({ plain }: Pasted, at: number, until: number): string {
  const end = Math.min(lineEnd(plain, at), until, at + longestClause)
  return plain.slice(at, end).split(clauseEnd)[0] ?? ''
}

/** An abbreviation's point ends nothing. */
const clauseEnd = /[;|]|(?<=[\w)]{3})(?<!\b(?:nac|sra|srta|sig|tel|ref|num|sept|janv|fevr|juil|avr|mme|mrs|dep|arr|doc|pers))[.!?] +/

/** Beyond this a line is cut: there are texts without any line break. */
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

/** The line above that has something on it. */
export function lineAbove(plain: string, at: number): Span | undefined {
  let end = lineStart(plain, at) - 1
  for (let tries = 0; tries < 3 && end > 0; tries++) {
    const start = lineStart(plain, end)
    if (plain.slice(start, end).trim()) return [start, end]
    end = start - 1
  }
  return undefined
}

/** No confirmation has more dates, places or amounts than this; what has is something else, and must not hold the page. */
const mostMatches = 400

export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  for (const match of text.matchAll(pattern)) {
    if (found.push(match) === mostMatches) break
  }
  return found
}
