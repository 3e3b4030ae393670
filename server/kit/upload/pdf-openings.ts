/** Matches an action that runs by itself, when the document or a page opens or a field is entered. */
const opening = /\/(?:OpenAction|AA)(?![A-Za-z\d])/g
/** Matches such an opening with a usual kind of value. */
const known = /^\/\w+[ \n]?(?:[[<(/]|null|\d+[ \n]\d+[ \n]R)/
/** Matches a link to open, or an action after an action, which usual programs do not write. The base of a catalogue's links is allowed. */
const link = /\/URI(?![A-Za-z\d])(?![ \n]?<<)|\/Next(?![A-Za-z\d])/
/** Matches references to an action, or to events with actions. Other keys, such as a page to go to, start nothing. */
const actions = /\/(?:OpenAction|AA|[OCEXDUKFV]|Fo|Bl|P[OCVI]|W[CSP]|D[SP])[ \n]?([-+.\d]+)[ \n][-+.\d]+[ \n]?R(?![A-Za-z\d])/g
const heading = /(?<![-+.\d])([-+.\d]+)[ \n][-+.\d]+[ \n]?obj/g
/** Matches the rest of a heading, on a line of its own. */
const restOfHeading = /\n(?:[-+.\d]+ ?)?obj/g
/** How many references are followed: an opening names events, and an event its action. */
const mostSteps = 3
/** The most letters that are read. A usual file has each object of an action once. */
const mostRead = 60_000_000

/**
 * Returns whether a link opens by itself, or whether an opening hides what it does. `outlines`: the objects of the file as text. Readers find an
 * object by its position, so each is read from its heading, whatever comes before it.
 */
export function opensLink(outlines: readonly string[]): boolean {
  if (outlines.every(outline => outline.search(opening) < 0)) return false
  const texts = outlines.map(withShortBlanks)
  let starts = texts.flatMap(text => startsOf(text, opening))
  if (texts.some(isHeadingSplit) || starts.some(({ text, at }) => !known.test(text.slice(at, at + 100)))) return true
  const objects = texts.flatMap(text => startsOf(text, heading))
  let left = mostRead
  for (let step = 0; step <= mostSteps; step++) {
    const wanted = new Set<number>()
    for (const start of starts) {
      const { object, end } = objectFrom(start)
      left -= end - start.at
      if (left < 0 || link.test(object)) return true
      for (const [, number] of object.matchAll(actions)) wanted.add(Number(number))
    }
    starts = objects.filter(({ number }) => wanted.has(number))
  }
  return false
}

/** Writes each run of blanks as one, which is a line's end if it has one. */
const withShortBlanks = (text: string): string => text.replaceAll(/[\s\0]+/g, run => (/[\r\n]/.test(run) ? '\n' : ' '))

/** Returns whether a comment stands within a heading, where usual programs write none. */
const isHeadingSplit = (text: string): boolean =>
  Array.from(text.matchAll(restOfHeading)).some(({ index }) => text.slice(text.lastIndexOf('\n', index - 1) + 1, index).includes('%'))

type Start = { text: string; at: number; number: number }

const startsOf = (text: string, pattern: RegExp): Start[] =>
  Array.from(text.matchAll(pattern), ({ index, 1: number }) => ({ text, at: index, number: Number(number) }))

/** Reads an object to its end. Its strings and comments become blanks, since they contain neither a key nor an end. */
function objectFrom({ text, at }: Start): { object: string; end: number } {
  const outside = /\(|%[^\n]*|(?<=[\s)>\]])endobj(?!\S)/g
  const inString = /\\[^]|[()]/g
  const parts: string[] = []
  const upTo = (end: number) => ({ object: withShortBlanks(parts.join(' ')), end })
  for (let from = at; ; ) {
    outside.lastIndex = from
    const found = outside.exec(text)
    parts.push(text.slice(from, found?.index))
    if (!found || found[0] === 'endobj') return upTo(found?.index ?? text.length)
    from = outside.lastIndex
    if (found[0] !== '(') continue
    for (let depth = 1; depth > 0; ) {
      inString.lastIndex = from
      const [sign] = inString.exec(text) ?? []
      if (sign === undefined) return upTo(text.length)
      from = inString.lastIndex
      if (sign === '(') depth += 1
      if (sign === ')') depth -= 1
    }
  }
}

/**
 * Writes the objects of an object stream as if they stood outside of one. The stream's dictionary, at the end of the outline, says where they begin,
 * after their numbers and positions. If it does not say so exactly once, they stay one text.
 */
export function objectsApart(packed: Buffer, outline: string, textOf: (bytes: Buffer) => string): string {
  const dictionary = outline.slice(Math.max(0, outline.lastIndexOf('obj')))
  const [found, other] = dictionary.matchAll(/\/First\s{1,20}(\d{1,10})/g)
  if (!found || other) return textOf(packed)
  const first = Number(found[1])
  const numbers = packed.toString('latin1', 0, first).match(/\d{1,10}/g) ?? []
  const places = numbers.flatMap((number, index) => (index % 2 === 0 ? [{ number, from: first + Number(numbers[index + 1] ?? 0) }] : []))
  const inOrder = places.toSorted((one, other) => one.from - other.from)
  return inOrder
    .map(({ number, from }, index) => `${number} 0 obj ${textOf(packed.subarray(from, inOrder[index + 1]?.from))} endobj`)
    .join('\n')
}
