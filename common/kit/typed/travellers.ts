import { readAges, writeAges } from './ages.ts'

/** The number of travellers, null if it is unknown, and the text of their ages. */
export type Travellers = { travelers: number | null; ages: string }

/** A lone number below this age is a count: a child does not travel alone. */
const adultAge = 18
const oldest = 120

/**
 * Reads who travels: ages such as `34, 36, 8`, or how many travel.
 *
 * A lone number is a count, unless it can only be meant as the age of one traveller. `45x` is a count whatever the number.
 */
export function readTravellers(text: string): Travellers {
  const typed = text.trim()
  const many = /^(\d{1,4})\s*[x×]$/i.exec(typed)?.[1] ?? (isCount(typed) ? typed : undefined)
  if (many !== undefined) return { travelers: Number(many), ages: '' }
  const count = readAges(typed)?.length
  return { travelers: count || null, ages: typed }
}

/** Writes who travels as `readTravellers` reads it. */
export function writeTravellers({ travelers, ages }: Travellers): string {
  const known = readAges(ages)
  if (!known) return ages
  if (known.length === 0) return travelers === null ? '' : `${travelers}${isCount(String(travelers)) ? '' : 'x'}`
  const text = [writeAges(known), ...Array<string>(Math.max(0, (travelers ?? 0) - known.length)).fill('?')].join(', ')
  return isCount(text) ? `${text},` : text
}

const isCount = (text: string): boolean => /^\d{1,4}$/.test(text) && (Number(text) < adultAge || Number(text) > oldest)
