import { writeAges } from './written-ages.ts'

/**
 * Reads a list of ages such as `34, 36, 8`, with any separators. An unknown age is `?`, and null here; `40x16` means forty travellers aged 16.
 * Undefined for a text that is not such a list.
 */
export function readAges(text: string): (number | null)[] | undefined {
  const parts = text
    .replaceAll(/(?<=\d)\s*[x×]\s*(?=\d)/gi, 'x')
    .split(/[\s,;.+]+/)
    .filter(Boolean)
  if (!parts.every(part => /^(?:\?|(?:\d{1,3}x)?\d{1,3})$/.test(part))) return undefined
  return parts.flatMap(part => {
    const [age, count = '1'] = part.split('x').toReversed()
    return Array<number | null>(Number(count)).fill(age === '?' ? null : Number(age))
  })
}

/** The number of travellers, null if unknown, and the text of their ages. */
export type Travellers = { travelers: number | null; ages: string }

/**
 * Reads the travellers: ages such as `34, 36, 8`, or a number such as `17x`. A number alone is always an age (decision 55). An empty text is one
 * traveller of unknown age.
 */
export function readTravellers(text: string): Travellers {
  const typed = text.trim()
  const many = /^(\d{1,4})\s*[x×]$/i.exec(typed)?.[1]
  if (many !== undefined) return { travelers: Number(many), ages: '' }
  const known = readAges(typed)
  return { travelers: known ? Math.max(1, known.length) : null, ages: typed }
}

/** Writes the travellers in the format of `readTravellers`. */
export function writeTravellers({ travelers, ages }: Travellers): string {
  const known = readAges(ages)
  if (!known) return ages
  const count = travelers ?? 0
  if (known.length === 0) return count > 1 ? `${count}x` : ''
  return [writeAges(known), ...Array<string>(Math.max(0, count - known.length)).fill('?')].join(', ')
}

/** Returns the other meaning of a number: `17x` for `17`, and `17` for `17x`. Undefined for any other text. */
export function readOtherwise(text: string): string | undefined {
  const [, number, sign] = /^\s*(\d{1,3})\s*([x×])?\s*$/i.exec(text) ?? []
  return number && (sign ? number : `${number}x`)
}
