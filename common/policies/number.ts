import { searchable } from '#common/kit/text.ts'

/** A policy's number: its place in the unit's row of numbers, and a letter that gives a misheard digit or two exchanged ones away. */
export const policyNumber = (place: number): string => {
  const digits = String(first + place)
  return `${digits}-${checkLetter(digits)}`
}

/** As somebody may write it down: in lower case, with or without the dash, with blanks. */
export function readPolicyNumber(text: string): string | undefined {
  const [, digits, letter] = /^(\d{7,15})([A-Z])$/.exec(text.toUpperCase().replaceAll(/[\s-]/g, '')) ?? []
  return digits && letter === checkLetter(digits) ? `${digits}-${letter}` : undefined
}

/** What a search is for: a number as it is kept, however it was written; any other text as texts are searched. */
export const searchedFor = (text: string): string => searchable(readPolicyNumber(text) ?? text)

/** Seven digits from the first one on. */
const first = 1_000_000

/** Without I, L, O and U, that are taken for digits or each other, nor Q, V, Z. 19 is prime: every single slip and every exchange shows. */
const letters = 'ABCDEFGHJKMNPRSTWXY'

export function checkLetter(digits: string): string {
  let [sum, weight] = [0, 2]
  for (let at = digits.length - 1; at >= 0; at--) {
    sum += Number(digits[at]) * weight
    weight = (weight * 2) % letters.length
  }
  return letters.charAt(sum % letters.length)
}
