import { birthDates, outside } from '#common/kit/validators/periods.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import type { Day } from '../paste/dates.ts'
import {
  inOrder,
  labelOf,
  lineAbove,
  lineAt,
  lineEnd,
  lineStart,
  matchesIn,
  messageAt,
  type Pasted,
  plainly,
  type Span,
  spanOf,
} from '../paste/text.ts'
import { documentsIn, isItalian, repeats, zonesIn } from './documents.ts'
import { namedPeople } from './lists.ts'
import { namesInLine } from './names.ts'
import { isSamePerson, joined, personAt, type PersonFields, type PersonFound } from './person.ts'
import { reservationPeople } from './reservation-people.ts'

/** The maximum number of people in a text. */
const most = 99

/** The earliest and latest birth date. */
type Bounds = { today: string; earliestBirthDate: string }

/** Returns the people in a text in order, each with the facts beside the name. Those of the reservation system come first. */
export function peopleIn(pasted: Pasted, days: readonly Day[], bounds: Bounds): PersonFound[] {
  const { today } = bounds
  const zones = zonesIn(pasted, today)
  const isOutside = ({ at }: { at: Span }) => !zones.some(zone => at[0] < zone.at[1] && at[1] > zone.at[0])
  const booked = reservationPeople(pasted, today).filter(isOutside)
  const named = booked.length > 0 ? booked : inOrder(namedPeople(pasted).filter(isOutside))
  const facts = factsIn(pasted, days, bounds).filter(isOutside)
  const people = joined([...withFacts(pasted, named, facts, booked.length > 0), ...zones]).slice(0, most)
  return withContacts(pasted, people).filter(({ value }) => Object.keys(value).length > 0)
}

type Fact = { value: PersonFields; at: Span; isBirth: boolean }

/** Returns birth dates and documents in order. A date counts if words name it so, or if it is a past day right after a name. */
function factsIn(pasted: Pasted, days: readonly Day[], { today, earliestBirthDate }: Bounds): Fact[] {
  const allowed = birthDates(today, earliestBirthDate)
  const births = days
    .filter(day => outside(day.value, allowed) === null && (day.role === 'birth' || isBehindName(pasted, day)))
    .map(({ value, at }): Fact => ({ value: { birthDate: value }, at, isBirth: true }))
  return inOrder([...births, ...documentsIn(pasted).map(({ at, ...value }): Fact => ({ value, at, isBirth: false }))])
}

const betweenNameAndBirth = /^(?:[ (,:;-]{0,4}| {2,40})(?:(?:[a-z]{2,9}\.? ?:? ?)?[\w.-]{7,16}[ (,:;-]{1,4})?$/i

/** True for a date with a year right after a name: `Carla Fonseca (15/03/1977`, `los niños Pau 12/02/2015 y Nil 30/07/2018`. */
function isBehindName({ text, plain }: Pasted, { at, hasYear, role }: Day): boolean {
  if (!hasYear || role === 'booked') return false
  const name = namesInLine(text, [lineStart(plain, at[0]), at[0]]).at(-1)
  return name !== undefined && betweenNameAndBirth.test(text.slice(name.at[1], at[0]).replace(/[–—·|]/, '-'))
}

/**
 * Adds each fact to the last name before it: on its line, or listed up to three lines above. Without names, each birth date makes a person,
 * but a complete list gets no more people. An Italian code belongs to the person whose name and birth it repeats, `el mío` to a message's
 * sender.
 */
function withFacts(pasted: Pasted, named: readonly PersonFound[], facts: readonly Fact[], isComplete: boolean): PersonFound[] {
  const { text, plain } = pasted
  const people = named.map(person => ({ ...person }))
  let last: PersonFound | undefined
  const add = (value: PersonFields, at: Span, isSure: boolean) => {
    last = personAt(value, at, { isSure })
    people.push(last)
  }
  for (const { value, at, isBirth } of facts) {
    const begin = lineStart(plain, at[0])
    const onLine = people.findLast(person => person.at[0] >= begin && person.at[0] < at[0])
    const since = Math.max(begin, onLine?.at[1] ?? 0, last && last.at[0] >= begin ? last.at[1] : 0)
    const names = namesInLine(text, [since, at[0]])
    const found = names.findLast(({ words, isTitled }) => words > 1 || isTitled) ?? (isBirth ? names.at(-1) : undefined)
    const above = people.findLast(person => person.at[0] < begin && isNear(plain, person.at[1], begin))
    const hasAll = (person: PersonFound | undefined) => person && Object.keys(value).some(key => Object.hasOwn(person.value, key))
    const code = value.docNumber !== undefined && isItalian(value.docNumber) ? value.docNumber : undefined
    const repeated = code === undefined ? undefined : people.find(person => repeats(code, person.value))
    const known = repeated ?? onLine ?? (hasAll(above) ? undefined : above)
    const sender = isComplete || repeated || onLine || found ? undefined : senderAt(pasted, at[0])
    if (sender) {
      const own = people.find(person => isSamePerson(person.value, sender))
      if (own && !hasAll(own)) own.value = { ...own.value, ...value }
      else if (!own) add({ ...sender, ...value }, at, false)
    } else if (!isComplete && !repeated && found && !(onLine && isSamePerson(onLine.value, found.value))) {
      add({ ...found.value, ...value }, [found.at[0], at[1]], found.isSure)
    } else if (known && !hasAll(known) && (onLine || repeated || !isMine(pasted, at[0]))) {
      // A code that repeats neither name nor birth may be another person's.
      const isDoubtful = !isBirth && !repeated && (code !== undefined || (!onLine && isPassing(plain, [known.at[1], at[0]])))
      known.value = { ...known.value, ...value }
      if (isDoubtful) known.doubts = [...known.doubts, 'docNumber', 'documentKind']
      if (onLine) known.at = [known.at[0], Math.max(known.at[1], at[1])]
      last = known
    } else if (isBirth && !isComplete) add(value, at, true)
  }
  return isComplete ? people : inOrder(people)
}

/** True if a document stands in running words below a name: it may be another person's. */
const isPassing = (plain: string, [from, to]: Span): boolean =>
  matchesIn(plain.slice(lineStart(plain, to), to), /[a-z]{2,20}/g).length > mostWordsOfLabel || plain.slice(from, to).split('\n').length > 3
const mostWordsOfLabel = 4
const mostLinesBelow = 3

function isNear(plain: string, from: number, to: number): boolean {
  const gap = plain.slice(from, to)
  return gap.length < 240 && gap.split('\n').length <= mostLinesBelow + 1 && !/\n\s*\n/.test(gap)
}

type ContactAt = { value: string; at: Span }

const address = /(?<![\w.+%-])[a-z\d](?:[a-z\d._%+-]{0,62}[a-z\d])?@(?:[a-z\d](?:[a-z\d-]{0,60}[a-z\d])?\.){1,4}[a-z]{2,24}(?![\w@])/g
/** The addresses of the firm that wrote the email. */
const firm = new RegExp(
  `^(?:no-?_?reply|do-?not-?reply|reserv|booking|info|contact|ventas|sales|support|soporte|help|ayuda|client|customer|atencion|` +
    `newsletter|baja|unsubscribe|service|servicio|hello|hola|admin|mail|marketing|news|office|oficina|agenc|recep|hotel|ticket|billet|` +
    `noresponder|viajes|travel)`,
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
const bare = new RegExp(`(?<![\\w+./-])${figures}`, 'g')

/** Returns the telephones of clients: named as a mobile or a contact's, or beside a client's address on its line. */
function phonesIn(pasted: Pasted, emails: readonly ContactAt[]): ContactAt[] {
  const { plain, cells } = pasted
  const beside = [
    ...emails.map(({ at }) => withFigures(plain, at[0])),
    ...cells.filter(({ head }) => phoneHead.test(head)).map(({ at }) => at),
  ]
  const named = matchesIn(plain, own).map(match => spanOf(match, 1))
  const alone = beside.flatMap(part => matchesIn(plain, bare, part).map(match => spanOf(match)))
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
function withContacts(pasted: Pasted, people: readonly PersonFound[]): PersonFound[] {
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
const isMine = (pasted: Pasted, at: number): boolean => mine.test(labelOf(pasted, at))

/** Returns the name of a message's sender if the words before an index are about themselves. */
function senderAt(pasted: Pasted, at: number): PersonFields | undefined {
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
