import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { lineAbove, lineAt, lineEnd, matchesIn, plainly, type Span, spanOf } from '../paste/lines.ts'
import { labelOf, messageAt, type Pasted } from '../paste/text.ts'
import { namesInLine } from './names.ts'
import { isSamePerson, personAt, type PersonFields, type PersonFound } from './person.ts'

type ContactAt = { value: string; at: Span }

const address = /(?<![\w.+%-])[a-z\d](?:[a-z\d._%+-]{0,62}[a-z\d])?@(?:[a-z\d](?:[a-z\d-]{0,60}[a-z\d])?\.){1,4}[a-z]{2,24}(?![\w@])/g
/** The addresses of the firm that wrote the email. */
const firm = new RegExp(
  `^(?:no-?_?reply|do-?not-?reply|reserv|booking|info|contact|ventas|sales|support|soporte|help|ayuda|client|customer|atencion|newsletter|` +
    `baja|unsubscribe|service|servicio|hello|hola|admin|mail|marketing|news|office|oficina|agenc|recep|hotel|ticket|billet|noresponder|` +
    `viajes|travel)`,
)
const header = new RegExp(
  `^[> ]{0,4}(?:${anyOf('mailHead')}|to|cc|cco|bcc|para|a|enviado|sent|asunto|subject|objet|oggetto|assunto) ?:|[<>]`,
)
/** A line about a firm: its words, or a Portuguese company's number. */
const agency = new RegExp(`${wholeWord('agency', 'address')}|\\bnif ?:? ?[5-9]\\d{8}\\b`)
const signature = new RegExp(wholeWord('signature'))
const agencySender = new RegExp(wholeWord('signature', 'agency'))

/** True in an agency's own message, and in the two lines below its name, where its agent signs. */
function isSigned(pasted: Pasted, at: number): boolean {
  const message = messageAt(pasted, at)
  if (message && agencySender.test(plainly(message.by))) return true
  const above = lineAbove(pasted.plain, at)
  return [above, above && lineAbove(pasted.plain, above[0])].some(
    line => line && line[1] - line[0] < 60 && signature.test(pasted.plain.slice(...line)),
  )
}

/** Returns the email addresses of clients. Those in an email's header, of a firm, or on a line about one are left out. */
function emailsIn(pasted: Pasted): ContactAt[] {
  const isFirm = (value: string, line: string) => firm.test(value) || header.test(line) || agency.test(line.replaceAll(address, ' '))
  return matchesIn(pasted.plain, address)
    .map(match => ({ value: match[0], at: spanOf(match) }))
    .filter(({ value, at: [from] }) => !isFirm(value, pasted.plain.slice(...lineAt(pasted.plain, from))) && !isSigned(pasted, from))
}

const phoneHead = new RegExp(wholeWord('mobile', 'telephone'))
const figures = '(\\+\\d{1,3}(?:[ ().-]{0,2}\\d){6,12}|00\\d{2}(?:[ ().-]{0,2}\\d){7,11}|\\d(?:[ ().-]{0,2}\\d){8,11})(?![\\d])'
const own = new RegExp(
  `${wholeWord('mobile')}(?: (?:dele|dela|su|e|es|is|est)){0,2}[ :.)–-]{0,4}(?:\\(\\w{2,12}\\) ?)?:? ?${figures}`,
  'dg',
)
const other = new RegExp(`${wholeWord('telephone')}[ :.)-]{0,4}${figures}`, 'dg')
const bare = new RegExp(`(?<![\\w+./-])${figures}`, 'dg')

/** Returns the telephones of clients: named as a mobile or a contact's, or beside a client's address on its line. */
function phonesIn(pasted: Pasted, emails: readonly ContactAt[]): ContactAt[] {
  const { plain, cells } = pasted
  const beside = [
    ...emails.map(({ at }) => withFigures(plain, at[0])),
    ...cells.filter(({ head }) => phoneHead.test(head)).map(({ at }) => at),
  ]
  const named = [
    ...matchesIn(plain, own),
    ...matchesIn(plain, other).filter(({ index }) => beside.some(([from, to]) => from <= index && index < to)),
  ].map(match => spanOf(match, 1))
  const alone = beside.flatMap(([from, to]) =>
    matchesIn(plain.slice(from, to), bare).map(({ index, 0: all }): Span => [from + index, from + index + all.length]),
  )
  return [...named, ...alone].flatMap(at => {
    const value = plain
      .slice(...at)
      .replaceAll(/[^\d+]/g, '')
      .replace(/^00/, '+')
    const isOther = agency.test(plain.slice(lineAt(plain, at[0])[0], at[0])) || isSigned(pasted, at[0])
    return isOther || value.replace('+', '').length < 9 || /^(?:800|900|90\d)/.test(value) ? [] : [{ value, at }]
  })
}

/** Returns the line at an index, with the next one if that is only a number. */
function withFigures(plain: string, at: number): Span {
  const [from, to] = lineAt(plain, at)
  const next = lineEnd(plain, to + 1)
  return [from, /^ {0,8}\+?[\d ().-]{9,24}$/.test(plain.slice(to + 1, next)) ? next : to]
}

/** Adds addresses and telephones to the person whose line or name they match, else to the policyholder. */
export function withContacts(pasted: Pasted, people: readonly PersonFound[]): PersonFound[] {
  const { plain } = pasted
  const all = people.map(person => ({ ...person }))
  const add = (value: PersonFields, at: Span, isSure: boolean) => {
    const person = personAt(value, at, { isSure })
    all.push(person)
    return person
  }
  const ownerOf = ({ at, value }: ContactAt, isEmail: boolean) => {
    const [from] = lineAt(plain, at[0])
    const beside = all.findLast(person => person.at[0] >= from && person.at[0] < at[0])
    const sender = beside ? undefined : senderAt(pasted, at[0])
    const known = (isEmail && all.find(person => bears(value, person.value))) || beside
    if (known || !sender) return known ?? all[0] ?? add({}, at, true)
    return all.find(person => isSamePerson(person.value, sender)) ?? add(sender, at, false)
  }
  for (const { email, name } of mailSenders(pasted)) {
    const sender = all.find(person => isSamePerson(person.value, name))
    if (sender) sender.value = { email, ...sender.value }
  }
  const emails = emailsIn(pasted)
  for (const contact of emails) {
    const person = ownerOf(contact, true)
    person.value = { email: contact.value, ...person.value }
  }
  for (const contact of phonesIn(pasted, emails)) {
    const person = ownerOf(contact, false)
    person.value = { phone: contact.value, ...person.value }
  }
  return all
}

const mine = new RegExp(`${wholeWord('mine')}[^.;|\\n]{0,40}$`)

/** True if the words before an index are a sender's about themselves: `y el mío 52013478J`. */
export const isMine = (pasted: Pasted, at: number): boolean => mine.test(labelOf(pasted, at))

/** Returns the name of a message's sender if the words before an index are about themselves. */
export function senderAt(pasted: Pasted, at: number): PersonFields | undefined {
  const message = messageAt(pasted, at)
  if (!message || !isMine(pasted, at)) return undefined
  const [name] = namesInLine(message.by, [0, message.by.length])
  return name && name.words > 1 ? name.value : undefined
}

const mailSender = /^(?:from|de|da|von) ?: ?([^<\n@]{3,60})<([a-z\d][a-z\d._%+-]{0,62}@[a-z\d.-]{3,100})>/dgm

/** Returns the addresses behind their owners' names in the heads of emails. They count for people whom the text names. */
const mailSenders = ({ text, plain }: Pasted): { email: string; name: PersonFields }[] =>
  matchesIn(plain, mailSender).flatMap(match => {
    const [name] = namesInLine(text, spanOf(match, 1))
    return name && name.words > 1 ? [{ email: match[2] ?? '', name: name.value }] : []
  })

/** True for maria.garcia@ and mgarcia@ of María García. */
function bears(email: string, { name = '', middleName = '' }: PersonFields): boolean {
  const [letters = '', first = '', surname = ''] = [email.split('@')[0] ?? '', name.split(' ')[0] ?? '', middleName].map(text =>
    plainly(text).replaceAll(/[^a-z]/g, ''),
  )
  if (first.length > 2 && letters.includes(first)) return true
  return surname.length > 3 && letters.includes(surname) && letters.startsWith(first.slice(0, 1))
}
