import { birthDates, outside } from '#common/kit/validators/periods.ts'
import type { Day } from '../paste/dates.ts'
import { lineStart, matchesIn, type Span } from '../paste/lines.ts'
import type { Pasted } from '../paste/text.ts'
import { isMine, senderAt, withContacts } from './contacts.ts'
import { documentsIn, isItalian, repeats } from './documents.ts'
import { namedPeople } from './lists.ts'
import { namesInLine } from './names.ts'
import { isSamePerson, joined, personAt, type PersonFields, type PersonFound } from './person.ts'
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
  const isOutside = ({ at }: { at: Span }) => !zones.some(zone => at[0] < zone.at[1] && at[1] > zone.at[0])
  const booked = reservationPeople(pasted, today).filter(isOutside)
  const named = booked.length > 0 ? booked : inOrder(namedPeople(pasted).filter(isOutside))
  const facts = factsIn(pasted, days, bounds).filter(isOutside)
  const people = joined([...withFacts(pasted, named, facts, booked.length > 0), ...zones]).slice(0, most)
  return withContacts(pasted, people).filter(({ value }) => Object.keys(value).length > 0)
}

const inOrder = <Part extends { at: Span }>(parts: readonly Part[]): Part[] => parts.toSorted((a, b) => a.at[0] - b.at[0])

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
