import { birthDates, outside } from '#common/kit/validators/periods.ts'
import type { Day } from '../paste/dates.ts'
import { lineEnd, lineStart, type Pasted, type Span } from '../paste/text.ts'
import { type ContactAt, emailsIn, phonesIn } from './contacts.ts'
import { documentsIn } from './documents.ts'
import { labelledPeople, listedPeople } from './lists.ts'
import { namesInLine } from './name-runs.ts'
import { isSamePerson, joined, type PersonFields, type PersonFound } from './person.ts'
import { reservationPeople } from './reservation-people.ts'
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
  const named = [...listedPeople(pasted), ...labelledPeople(pasted)].filter(({ at }) => outside(at)).toSorted((a, b) => a.at[0] - b.at[0])
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
  return name !== undefined && /^[ (,:;-]{0,4}(?:[\w.-]{7,16}[ (,:;-]{1,4})?$/.test(text.slice(name.at[1], at[0]).replace(/[–—·|]/, '-'))
}

/**
 * Adds each fact to the last name before it: on its line, or listed up to three lines above. Without names, each birth date makes a person, but a
 * complete list gets no more people.
 */
function withFacts(pasted: Pasted, named: readonly PersonFound[], facts: readonly Fact[], isComplete: boolean): PersonFound[] {
  const { text, plain } = pasted
  const people = named.map(person => ({ ...person }))
  let last: PersonFound | undefined
  for (const { value, at, isBirth } of facts) {
    const begin = lineStart(plain, at[0])
    const onLine = people.findLast(person => person.at[0] >= begin && person.at[0] < at[0])
    const since = Math.max(begin, onLine?.at[1] ?? 0, last && last.at[0] >= begin ? last.at[1] : 0)
    const names = namesInLine(text, [since, at[0]])
    const found = names.findLast(({ words, isTitled }) => words > 1 || isTitled) ?? (isBirth ? names.at(-1) : undefined)
    const above = people.findLast(person => person.at[0] < begin && isNear(plain, person.at[1], begin))
    const hasAll = (person: PersonFound | undefined) => person && Object.keys(value).some(key => Object.hasOwn(person.value, key))
    const known = onLine ?? (hasAll(above) ? undefined : above)
    if (!isComplete && found && !(onLine && isSamePerson(onLine.value, found.value))) {
      last = { value: { ...found.value, ...value }, at: [found.at[0], at[1]], isSure: found.isSure, travels: false }
      people.push(last)
    } else if (known && !hasAll(known)) {
      known.value = { ...known.value, ...value }
      known.at = [known.at[0], Math.max(known.at[1], onLine ? at[1] : known.at[1])]
      last = known
    } else if (isBirth && !isComplete) {
      last = { value, at, isSure: true, travels: false }
      people.push(last)
    }
  }
  return isComplete ? people : people.toSorted((a, b) => a.at[0] - b.at[0])
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
    return ofName ?? onLine ?? all[0]
  }
  for (const [key, contacts] of [
    ['email', emails],
    ['phone', phones],
  ] as const) {
    for (const contact of contacts) {
      if (all.length === 0) all.push({ value: {}, at: contact.at, isSure: true, travels: false })
      const person = owner(contact, key)
      if (person && person.value[key] === undefined) person.value = { ...person.value, [key]: contact.value }
    }
  }
  return all
}

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
