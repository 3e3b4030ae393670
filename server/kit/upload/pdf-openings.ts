/** Begins an action that starts by itself, when the document or a page opens or a field is entered, with the kinds of value that it has. */
const opening = /\/(?:OpenAction|AA)(?![A-Za-z\d])(\s{0,20}(?:[[<(/]|null|\d{1,10}\s{1,20}\d{1,5}\s{1,20}R))?/
/** A link to open, or an action after an action, which usual programs do not write. The base of a catalogue's links is a dictionary. */
const link = /\/URI(?![A-Za-z\d])(?!\s*<<)|\/Next(?![A-Za-z\d])/
/** The objects that are an action, or events with actions. Their other keys, such as a page to go to, start nothing. */
const actions = /\/(?:OpenAction|AA|[OCEXDUKFV]|Fo|Bl|P[OCVI]|W[CSP]|D[SP])\s{0,20}(\d{1,10})\s{1,20}\d{1,5}\s{1,20}R(?![A-Za-z\d])/g
const heading = /(?<!\d)(\d{1,10})\s{1,20}\d{1,5}\s{1,20}obj/g
/** An opening names events, and an event its action. */
const mostSteps = 3

/** Returns whether a link opens by itself. `outlines`: the objects of the file as text, each up to its `endobj`. */
export function opensLink(outlines: readonly string[]): boolean {
  const objects = outlines.flatMap(outline => outline.split('endobj'))
  const begun = objects.flatMap(object => {
    const found = opening.exec(object)
    return found ? [{ isKnown: found[1] !== undefined, text: object.slice(found.index) }] : []
  })
  let texts = begun.map(({ text }) => text)
  if (begun.some(({ isKnown }) => !isKnown) || texts.some(text => link.test(text))) return true
  for (let step = 0; step < mostSteps; step++) {
    const wanted = new Set(texts.flatMap(text => Array.from(text.matchAll(actions), ([, number]) => number)))
    if (wanted.size === 0) return false
    texts = objects.filter(object => numbersOf(object).some(number => wanted.has(number)))
    if (texts.some(text => link.test(text))) return true
  }
  return false
}

/** Returns the numbers of the objects that begin in a text. */
const numbersOf = (text: string) => Array.from(text.matchAll(heading), ([, number]) => number)

/**
 * Writes the objects of an object stream as they stand outside of one. The stream's dictionary, at the end of the outline, says where they
 * begin, after their numbers and places. Where it does not, or twice, they stay one text.
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
