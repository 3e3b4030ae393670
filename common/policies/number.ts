import { searchable } from '#common/kit/text.ts'

/** Returns a policy number: a sequence number and a letter that reveals wrong or swapped digits. */
export const policyNumber = (sequence: number): string => {
  const digits = String(firstNumber + sequence)
  return `${digits}-${checkLetter(digits)}`
}

/** Reads a policy number in either case, with or without hyphen and spaces. */
export function readPolicyNumber(text: string): string | undefined {
  const [, digits, letter] = /^(\d{7,15})([A-Z])$/.exec(text.toUpperCase().replaceAll(/[\s-]/g, '')) ?? []
  return digits && letter === checkLetter(digits) ? `${digits}-${letter}` : undefined
}

/**
 * Returns the search term: a policy number in its stored form, or the text normalised for search. A text without visible characters finds nothing.
 */
export const searchTerm = (text: string): string => searchable(readPolicyNumber(text) ?? text) || text.trim()

/** The first number, from which all have seven digits. */
export const firstNumber = 1_000_000

/** Letters without I, L, O, U, Q, V and Z, which are easily confused. As 19 is prime, the letter reveals every wrong or swapped digit. */
const letters = 'ABCDEFGHJKMNPRSTWXY'

export function checkLetter(digits: string): string {
  let [sum, weight] = [0, 2]
  for (let at = digits.length - 1; at >= 0; at--) {
    sum += Number(digits[at]) * weight
    weight = (weight * 2) % letters.length
  }
  return letters.charAt(sum % letters.length)
}
