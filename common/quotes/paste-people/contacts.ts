import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { lineAbove, lineEnd, lineStart, matchesIn, type Pasted, plainly, type Span } from '../paste/text.ts'

export type ContactAt = { value: string; at: Span }

const address = /(?<![\w.+%-])[a-z\d](?:[a-z\d._%+-]{0,62}[a-z\d])?@(?:[a-z\d](?:[a-z\d-]{0,60}[a-z\d])?\.){1,4}[a-z]{2,24}(?![\w@])/g
/** The addresses of the firm that wrote the email. */
const firm =
  /^(?:no-?_?reply|do-?not-?reply|reserv|booking|info|contact|ventas|sales|support|soporte|help|ayuda|client|customer|atencion|newsletter|baja|unsubscribe|service|servicio|hello|hola|admin|mail|marketing|news|office|oficina|agenc|recep|hotel|ticket|billet|noresponder|viajes|travel)/
const header = new RegExp(
  `^[> ]{0,4}(?:${anyOf('mailHead')}|to|cc|cco|bcc|para|a|enviado|sent|asunto|subject|objet|oggetto|assunto) ?:|[<>]`,
)
/** A line about a firm: its words, or a Portuguese company's number. */
const agency = new RegExp(`${wholeWord('agency', 'address')}|\\bnif ?:? ?[5-9]\\d{8}\\b`)

/** Returns the email addresses of clients. Those in an email's header, of a firm, or on a line about one are left out. */
export function emailsIn(pasted: Pasted): ContactAt[] {
  const { plain } = pasted
  return matchesIn(plain, address).flatMap(match => {
    const line = plain.slice(lineStart(plain, match.index), lineEnd(plain, match.index))
    if (firm.test(match[0]) || header.test(line) || agency.test(line.replaceAll(address, ' ')) || isSigned(pasted, match.index)) return []
    return [{ value: match[0], at: [match.index, match.index + match[0].length] as const }]
  })
}

const signature = new RegExp(wholeWord('signature'))
const agencySender = new RegExp(wholeWord('signature', 'agency'))
const phoneHead = new RegExp(wholeWord('mobile', 'telephone'))

/** True in an agency's own message, and in the two lines below its name, where its agent signs. */
function isSigned({ plain, messages }: Pasted, at: number): boolean {
  if (messages.some(message => message.at[0] <= at && at < message.at[1] && agencySender.test(plainly(message.by)))) return true
  const above = lineAbove(plain, at)
  const second = above && lineAbove(plain, above[0])
  return [above, second].some(line => line && line[1] - line[0] < 60 && signature.test(plain.slice(...line)))
}

/** Returns the end of a line, or of the next one if that is only a number. */
function onlyFigures(plain: string, end: number): number {
  const next = lineEnd(plain, end + 1)
  return /^ {0,8}\+?[\d ().-]{9,24}$/.test(plain.slice(end + 1, next)) ? next : end
}

const figures = '(\\+\\d{1,3}(?:[ ().-]{0,2}\\d){6,12}|00\\d{2}(?:[ ().-]{0,2}\\d){7,11}|\\d(?:[ ().-]{0,2}\\d){8,11})(?![\\d])'
const own = new RegExp(`${wholeWord('mobile')}(?: (?:dele|dela|su|e|es|is|est)){0,2}[ :.)–-]{0,4}(?:\\(\\w{2,12}\\) ?)?:? ?${figures}`, 'g')
const other = new RegExp(`${wholeWord('telephone')}[ :.)-]{0,4}${figures}`, 'g')
const bare = new RegExp(`(?<![\\w+./-])${figures}`, 'g')

/** Returns the telephones of clients: named as a mobile or a contact's, or beside a client's address on its line. */
export function phonesIn(pasted: Pasted, emails: readonly ContactAt[]): ContactAt[] {
  const { plain, cells } = pasted
  const beside = [
    ...emails.map(({ at }): Span => [lineStart(plain, at[0]), onlyFigures(plain, lineEnd(plain, at[0]))]),
    ...cells.filter(({ head }) => phoneHead.test(head)).map(({ at }) => at),
  ]
  const named = [
    ...matchesIn(plain, own),
    ...matchesIn(plain, other).filter(({ index }) => beside.some(([from, to]) => from <= index && index < to)),
    ...beside.flatMap(([from, to]) =>
      matchesIn(plain.slice(from, to), bare).map(match => Object.assign(match, { index: from + match.index })),
    ),
  ]
  return named.flatMap(match => {
    const [all, written = ''] = match
    const from = match.index + all.length - written.length
    const line = plain.slice(lineStart(plain, match.index), from)
    const value = written.replaceAll(/[^\d+]/g, '').replace(/^00/, '+')
    if (agency.test(line) || isSigned(pasted, match.index) || value.replace('+', '').length < 9 || /^(?:800|900|90\d)/.test(value))
      return []
    return [{ value, at: [from, from + written.length] as const }]
  })
}
