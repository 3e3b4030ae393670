import { type PdfObject, valueFrom } from './pdf-syntax.ts'

/** Matches an action that runs by itself, when the document or a page opens or a field is entered. */
const opening = /\/(?:OpenAction|AA)(?![A-Za-z\d])/g
/** Matches such an opening with a usual kind of value. */
const known = /^\/\w+[ \n]?(?:[[<(/]|null|\d+[ \n]\d+[ \n]R)/
/** Matches a link to open, or an action after an action, which usual programs do not write. The base of a catalogue's links is allowed. */
const link = /\/URI(?![A-Za-z\d])(?![ \n]?<<)|\/S[ \n]?\/URI(?![A-Za-z\d])|\/Next(?![A-Za-z\d])/
/** Matches references to an action, or to events with actions. Other keys, such as a page to go to, start nothing. */
const actions = /\/(?:OpenAction|AA|[OCEXDUKFV]|Fo|Bl|P[OCVI]|W[CSP]|D[SP])[ \n]?([-+.\d]+)[ \n][-+.\d]+[ \n]?R(?![A-Za-z\d])/g
/** How many references are followed: an opening names events, and an event its action. */
const mostSteps = 3

/** Returns whether a link opens by itself, or whether an opening hides what it does. */
export function opensLink(objects: readonly PdfObject[], isReadAs: IsReadAs): boolean {
  const openings = objects.flatMap(({ bare }) => Array.from(bare.matchAll(opening), ({ 0: key, index }) => openingAt(bare, index, key)))
  if (openings.includes(undefined)) return true
  let read = openings
  for (let step = 0; step <= mostSteps; step++) {
    const wanted = new Set<number>()
    for (const text of read) {
      if (text === undefined) continue
      if (link.test(text)) return true
      for (const [, number] of text.matchAll(actions)) wanted.add(Number(number))
    }
    if (wanted.size === 0) return false
    read = objects.flatMap(object => (wanted.has(object.number) || isReadAs(object, wanted) ? [object.bare] : []))
  }
  return false
}

/** Returns an opening with its value, or undefined if the value is none that it has. */
function openingAt(text: string, at: number, key: string): string | undefined {
  const [found] = known.exec(text.slice(at, at + 100)) ?? []
  return found && text.slice(at, Math.max(at + found.length, valueFrom(text, at + key.length).end))
}

/** Returns whether a reader may take an object for one of these numbers, because a table of places leads it to the last digits of its number. */
type IsReadAs = (object: PdfObject, wanted: ReadonlySet<number>) => boolean

/** A stream of places, which some readers know by these keys alone. */
const isTable = (bare: string): boolean => /\/W(?![A-Za-z\d])/.test(bare) && /\/Size(?![A-Za-z\d])/.test(bare)

/**
 * Readers take the `5 0 obj` within `15 0 obj` for object 5 if the table says so. They read tables of text in several ways, so any number in the file
 * counts as a place; with a stream of places, each index does.
 */
export function placesIn(text: string, objects: readonly PdfObject[]): IsReadAs {
  const isPacked = objects.some(({ bare }) => isTable(bare))
  let numbers: Set<number> | undefined
  const isPlace = (index: number): boolean => isPacked || (numbers ??= numbersIn(text)).has(index)
  return ({ heading }, wanted) => {
    if (!heading) return false
    const { written, from } = heading
    for (let skipped = 1; skipped < written.length; skipped++)
      if (wanted.has(Number(written.slice(skipped))) && isPlace(from + skipped)) return true
    return false
  }
}

const numbersIn = (text: string): Set<number> => {
  const numbers = new Set<number>()
  for (const [digits] of text.matchAll(/\d+/g)) if (Number(digits) < text.length) numbers.add(Number(digits))
  return numbers
}
