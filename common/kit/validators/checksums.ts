/** Check digits as the issuing countries publish them. Callers pass only ASCII of the right format. */

/** ISO/IEC 7812-1 annex B: cards, SIREN, SIRET, partita IVA. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    sum += index % 2 === 0 ? digit : digit < 5 ? digit * 2 : digit * 2 - 9
  }
  return sum % 10 === 0
}

/** Returns the sum of the digits, each multiplied by its weight. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * Number(digits[index]), 0)

/** Spain, Real Decreto 1553/2005: the number modulo 23 gives the letter. */
export const dniLetter = (number: number): string => 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)

/** Spain, company numbers: the Luhn check digit of the seven digits. */
export const cifControl = (digits: string): number => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].find(control => passesLuhn(`${digits}${control}`)) ?? 0

/** Italy, D.M. 23 December 1976: characters at odd positions (first, third …) have a table of their own. */
export function fiscalCodeLetter(fifteen: string): string {
  let sum = 0
  for (let index = 0; index < 15; index++) {
    const character = fifteen.charAt(index)
    const rank = character <= '9' ? Number(character) : character.charCodeAt(0) - letterA
    sum += index % 2 === 0 ? (oddValues[rank] ?? 0) : rank
  }
  return String.fromCharCode(letterA + (sum % 26))
}

const letterA = 65
const oddValues = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Portugal, NIF and civil identification: modulo 11, with 10 written as 0. */
export function portugueseControl(eightDigits: string): number {
  const rest = weighted(eightDigits, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return rest < 2 ? 0 : 11 - rest
}

/** Portugal, cartão de cidadão: Luhn over twelve characters, where A counts as 10. */
export function passesCitizenCard(twelve: string): boolean {
  let sum = 0
  for (let index = 0; index < 12; index++) {
    const character = twelve.charAt(11 - index)
    const value = character <= '9' ? Number(character) : character.charCodeAt(0) - letterA + 10
    sum += index % 2 === 0 ? value : value < 5 ? value * 2 : value * 2 - 9
  }
  return sum % 10 === 0
}
