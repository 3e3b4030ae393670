import type { PdfObject } from './pdf-syntax.ts'

/** Returns whether a reader may take an object for one of these numbers, because a table of places leads it to the last digits of its number. */
export type IsReadAs = (object: PdfObject, wanted: ReadonlySet<number>) => boolean

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
