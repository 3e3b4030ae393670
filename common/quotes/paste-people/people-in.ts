import { birthDates, outside } from '#common/kit/validators/periods.ts'
import type { Day } from '../paste/dates.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { before, lineEnd, lineStart, matchesIn, type Pasted, type Span } from '../paste/text.ts'
import { type ContactAt, emailsIn, phonesIn } from './contacts.ts'
import { documentsIn, isItalian, repeats } from './documents.ts'
import { formPeople, labelledPeople, listedPeople } from './lists.ts'
import { namesInLine } from './name-runs.ts'
import { isSamePerson, joined, type PersonFields, type PersonFound } from './person.ts'
import { reservationPeople } from './reservation-people.ts'
import { tablePeople } from './table-people.ts'
import { zonesIn } from './zones.ts'

/** The maximum number of people in a text. */
const most = 99

/** The earliest and latest birth date. */
type Bounds = { today: string; earliestBirthDate: string }

/** Returns the people in a text in order, each with the facts beside the name. Those of the reservation system come first. */
export function peopleIn(pasted: Pasted, days: readonly Day[], bounds: Bounds): PersonFound[] {
  const { today } = bounds
  const zones = zonesIn(pasted, today)
  const outside = (at: Span) => !zones.some(zone => at[0] < zone.at[1] && at[1] > zone.at[0])
  const booked = reservationPeople(pasted, today).filter(({ at }) => outside(at))
  const rows = [...tablePeople(pasted), ...formPeople(pasted)]
  const outsideRows = ({ at }: PersonFound) =>
    !rows.some(row => lineStart(pasted.plain, row.at[0]) <= at[0] && at[0] < lineEnd(pasted.plain, row.at[1]))
  const named = [...rows, ...[...listedPeople(pasted), ...labelledPeople(pasted)].filter(outsideRows)]
    .filter(({ at }) => outside(at))
    .toSorted((a, b) => a.at[0] - b.at[0])
  const facts = factsIn(pasted, days, bounds).filter(({ at }) => outside(at))
  const described = booked.length > 0 ? withFacts(pasted, booked, facts, true) : withFacts(pasted, named, facts, false)
  const people = joined([...described, ...zones]).slice(0, most)
  return withContacts(pasted, people).filter(({ value }) => Object.keys(value).length > 0)
}

type Fact = { value: PersonFields; at: Span; isBirth: boolean }

/** Returns birth dates and documents in order. A date counts if words name it so, or if it is a past day right after a name. */
function factsIn(pasted: Pasted, days: readonly Day[], { today, earliestBirthDate }: Bounds): Fact[] {
  const allowed = birthDates(today, earliestBirthDate)
  const births = days
    .filter(day => outside(day.value, allowed) === null && (day.role === 'birth' || isBehindName(pasted, day)))
    .map(({ value, at }): Fact => ({ value: { birthDate: value }, at, isBirth: true }))
  const documents = documentsIn(pasted).map(({ at, ...value }): Fact => ({ value, at, isBirth: false }))
  return [...births, ...documents].toSorted((a, b) => a.at[0] - b.at[0])
}

/** True for a date with a year right after a name: `Carla Fonseca (15/03/1977`, `los niños Pau 12/02/2015 y Nil 30/07/2018`. */
function isBehindName({ text, plain }: Pasted, { at, hasYear, role }: Day): boolean {
  if (!hasYear || role === 'booked') return false
  const from = lineStart(plain, at[0])
  const name = namesInLine(text, [from, at[0]]).at(-1)
  return (
    name !== undefined &&
    /^(?:[ (,:;-]{0,4}| {2,40})(?:(?:[a-z]{2,9}\.? ?:? ?)?[\w.-]{7,16}[ (,:;-]{1,4})?$/i.test(
      text.slice(name.at[1], at[0]).replace(/[–—·|]/, '-'),
    )
  )
}

/**
 * Adds each fact to the last name before it: on its line, or listed up to three lines above. Without names, each birth date makes a person, but a
 * complete list gets no more people. An Italian code belongs to the person whose name and birth it repeats, `el mío` to a message's sender.
 */
function withFacts(pasted: Pasted, named: readonly PersonFound[], facts: readonly Fact[], isComplete: boolean): PersonFound[] {
  const { text, plain } = pasted
  const people = named.map(person => ({ ...person }))
  const add = (person: PersonFound) => {
    people.push(person)
    return person
  }
  let last: PersonFound | undefined
  for (const { value, at, isBirth } of facts) {
    const begin = lineStart(plain, at[0])
    const onLine = people.findLast(person => person.at[0] >= begin && person.at[0] < at[0])
    const since = Math.max(begin, onLine?.at[1] ?? 0, last && last.at[0] >= begin ? last.at[1] : 0)
    const names = namesInLine(text, [since, at[0]])
    const found = names.findLast(({ words, isTitled }) => words > 1 || isTitled) ?? (isBirth ? names.at(-1) : undefined)
    const above = people.findLast(person => person.at[0] < begin && isNear(plain, person.at[1], begin))
    const hasAll = (person: PersonFound | undefined) => person && Object.keys(value).some(key => Object.hasOwn(person.value, key))
    const repeated =
      value.docNumber !== undefined && isItalian(value.docNumber)
        ? people.find(person => repeats(value.docNumber ?? '', person.value))
        : undefined
    const known = repeated ?? onLine ?? (hasAll(above) ? undefined : above)
    const sender = repeated || onLine || found ? undefined : senderAt(pasted, at[0])
    if (sender && !isComplete) {
      const own = people.find(person => isSamePerson(person.value, sender))
      if (own && !hasAll(own)) own.value = { ...own.value, ...value }
      else if (!own) last = add({ value: { ...sender, ...value }, at, isSure: false, doubts: [], travels: false })
    } else if (!isComplete && !repeated && found && !(onLine && isSamePerson(onLine.value, found.value))) {
      last = add({ value: { ...found.value, ...value }, at: [found.at[0], at[1]], isSure: found.isSure, doubts: [], travels: false })
    } else if (known && !hasAll(known) && (onLine || repeated || !own.test(before(pasted, at[0])))) {
      // A code that repeats neither name nor birth may be another person's.
      const isDoubtful =
        value.docNumber !== undefined && !repeated && (isItalian(value.docNumber) || (!onLine && isPassing(plain, [known.at[1], at[0]])))
      known.value = { ...known.value, ...value }
      if (isDoubtful) known.doubts = [...known.doubts, 'docNumber', 'documentKind']
      known.at = [known.at[0], Math.max(known.at[1], onLine ? at[1] : known.at[1])]
      last = known
    } else if (isBirth && !isComplete) last = add({ value, at, isSure: true, doubts: [], travels: false })
  }
  return isComplete ? people : people.toSorted((a, b) => a.at[0] - b.at[0])
}

/** True if a document stands in running words below a name: it may be another person's. */
const isPassing = (plain: string, [from, to]: Span): boolean =>
  matchesIn(plain.slice(lineStart(plain, to), to), /[a-z]{2,20}/g).length > mostWordsOfLabel || plain.slice(from, to).split('\n').length > 3
const mostWordsOfLabel = 4

const own = new RegExp(`${wholeWord('mine')}[^.;|\\n]{0,40}$`)

/** Returns the name of a message's sender if the words before an index are about themselves: `y el mío 52013478J`. */
function senderAt(pasted: Pasted, at: number): PersonFields | undefined {
  const message = pasted.messages.find(each => each.at[0] <= at && at < each.at[1])
  if (!message || !own.test(before(pasted, at))) return undefined
  const [name] = namesInLine(message.by, [0, message.by.length])
  return name && name.words > 1 ? name.value : undefined
}

const mostLinesBelow = 3

function isNear(plain: string, from: number, to: number): boolean {
  const gap = plain.slice(from, to)
  return gap.length < 240 && gap.split('\n').length <= mostLinesBelow + 1 && !/\n\s*\n/.test(gap)
}

/** Adds addresses and telephones to the person whose line or name they match, else to the policyholder. */
function withContacts(pasted: Pasted, people: readonly PersonFound[]): PersonFound[] {
  const { plain } = pasted
  const emails = emailsIn(pasted)
  const phones = phonesIn(pasted, emails)
  const all = people.map(person => ({ ...person }))
  const owner = ({ at, value }: ContactAt, key: 'email' | 'phone') => {
    const [from, to] = [lineStart(plain, at[0]), lineEnd(plain, at[0])]
    const onLine = all.findLast(person => person.at[0] >= from && person.at[0] < to && person.at[0] < at[0])
    const ofName = key === 'email' ? all.find(person => bears(value, person.value)) : undefined
    const sender = onLine ? undefined : senderAt(pasted, at[0])
    const own = sender && all.find(person => isSamePerson(person.value, sender))
    if (sender && !own && !ofName) all.push({ value: sender, at, isSure: false, doubts: [], travels: false })
    return ofName ?? onLine ?? own ?? (sender ? all.at(-1) : all[0])
  }
  for (const { value, name } of sendersIn(pasted)) {
    const sender = all.find(person => isSamePerson(person.value, name))
    if (sender && sender.value.email === undefined) sender.value = { ...sender.value, email: value }
  }
  for (const [key, contacts] of [
    ['email', emails],
    ['phone', phones],
  ] as const) {
    for (const contact of contacts) {
      if (all.length === 0) all.push({ value: {}, at: contact.at, isSure: true, doubts: [], travels: false })
      const person = owner(contact, key)
      if (person && person.value[key] === undefined) person.value = { ...person.value, [key]: contact.value }
    }
  }
  return all
}

const mailSender = /^(?:from|de|da|von) ?: ?([^<\n@]{3,60})<([a-z\d][a-z\d._%+-]{0,62}@[a-z\d.-]{3,100})>/gm

/** Returns the addresses behind their owners' names in the heads of emails. They count for people whom the text names. */
const sendersIn = ({ text, plain }: Pasted): { value: string; name: PersonFields }[] =>
  matchesIn(plain, mailSender).flatMap(match => {
    const from = match.index + match[0].indexOf(match[1] ?? '')
    const [name] = namesInLine(text, [from, from + (match[1]?.length ?? 0)])
    return name && name.words > 1 ? [{ value: match[2] ?? '', name: name.value }] : []
  })

/** True for maria.garcia@ and mgarcia@ of María García. */
function bears(email: string, { name = '', middleName = '' }: PersonFields): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replaceAll(/[^A-Za-z]/g, '')
      .toLowerCase()
  const [local = ''] = email.split('@')
  const [first = ''] = name.split(' ')
  const letters = plain(local)
  return plain(first).length > 2 && letters.includes(plain(first))
    ? true
    : plain(middleName).length > 3 && letters.includes(plain(middleName)) && letters.startsWith(plain(first).slice(0, 1))
}
