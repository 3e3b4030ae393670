import { dniLetter, fiscalCodeLetter, passesCitizenCard, portugueseControl, weighted } from '#common/kit/validators/checksums.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { matchesIn, type Pasted, plainly, type Span } from '../paste/text.ts'
import type { PersonFields } from './person.ts'

export type DocumentAt = { documentKind: 'national' | 'passport'; docNumber: string; at: Span }

const compact = (text: string): string => text.toUpperCase().replaceAll(/[ .\-/]/g, '')

/** True for a Spanish DNI or NIE with its letter. */
export function isSpanish(number: string): boolean {
  const [, head = '', digits = '', letter] = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(number) ?? []
  if (!letter || (head ? digits.length !== 7 : digits.length !== 8)) return false
  return letter === dniLetter(Number(`${head ? 'XYZ'.indexOf(head) : ''}${digits}`))
}

export const isItalian = (number: string): boolean =>
  /^[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]$/.test(number) &&
  number.charAt(15) === fiscalCodeLetter(number.slice(0, 15))

const isPortuguese = (number: string): boolean => /^\d{9}[A-Z0-9]{2}\d$/.test(number) && passesCitizenCard(number)

/** Brazil's CPF: two check digits, modulo 11. */
function isBrazilian(number: string): boolean {
  if (!/^\d{11}$/.test(number) || /^(\d)\1{10}$/.test(number)) return false
  const control = (count: number) =>
    ((weighted(
      number.slice(0, count),
      Array.from({ length: count }, (_, index) => count + 1 - index),
    ) *
      10) %
      11) %
    10
  return control(9) === Number(number[9]) && control(10) === Number(number[10])
}

/** Chile's RUT: modulo 11, with 10 written as K. */
function isChilean(number: string): boolean {
  const [, digits, letter] = /^(\d{7,8})([\dK])$/.exec(number) ?? []
  if (!digits) return false
  const rest = 11 - (weighted(Array.from(digits).toReversed().join(''), [2, 3, 4, 5, 6, 7, 2, 3].slice(0, digits.length)) % 11)
  return letter === (rest === 11 ? '0' : rest === 10 ? 'K' : String(rest))
}

/** A Portuguese person's tax number, which some operators ask for instead: 1 to 3 first. */
const isTaxNumber = (number: string): boolean => /^[1-3]\d{8}$/.test(number) && portugueseControl(number.slice(0, 8)) === Number(number[8])

/** Numbers that their check digit identifies, with or without a word before. */
const checked: [RegExp, (number: string) => boolean][] = [
  [/(?<![\w.])(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[a-z](?!\w)|(?<!\w)[xyz][ -]?\d{7}[ -]?[a-z](?!\w)/g, isSpanish],
  [/(?<!\w)[a-z]{6}\d[\dl-v][a-ehlmprst][\dl-v]{2}[a-z][\dl-v]{3}[a-z](?!\w)/g, isItalian],
  [/(?<!\w)\d{8} ?\d ?[a-z]{2}\d(?!\w)/g, isPortuguese],
]

/** Numbers that count only after their label, as others look the same. */
const labelled: [RegExp, (number: string) => boolean][] = [
  [/(?<!\w)cpf ?:? ?(\d{3}\.?\d{3}\.?\d{3}-?\d{2})(?!\d)/g, isBrazilian],
  [/(?<!\w)(?:nif|contribuinte) ?:? ?(\d{9})(?!\w)/g, isTaxNumber],
  [/(?<!\w)rut ?:? ?(\d{1,2}\.?\d{3}\.?\d{3}-?[\dk])(?!\w)/g, isChilean],
]

const passport = new RegExp(
  `${wholeWord('passport')}(?: ?(?:n[ºo°.]{0,2}|num\\.?|number|numero|nr\\.?|#))? ?:? ?(?=[a-z]{0,3}\\d)([a-z]{0,3}\\d[a-z\\d]{3,16})(?!\\w)`,
  'g',
)

/** Returns the identity documents in a text, in order. A number with a wrong check letter does not count. */
export function documentsIn(pasted: Pasted): DocumentAt[] {
  const { plain } = pasted
  const found = [
    ...checked.flatMap(([pattern, isValid]) => matchesIn(plain, pattern).flatMap(match => national(match[0], match.index, isValid))),
    ...labelled.flatMap(([pattern, isValid]) =>
      matchesIn(plain, pattern).flatMap(match => national(match[1] ?? '', match.index + match[0].indexOf(match[1] ?? ''), isValid)),
    ),
    ...matchesIn(plain, passport).flatMap((match): DocumentAt[] => {
      const number = match[1] ?? ''
      const from = match.index + match[0].length - number.length
      return number.length < 5 ? [] : [{ documentKind: 'passport', docNumber: compact(number), at: [from, from + number.length] }]
    }),
    ...inColumn(pasted),
  ]
  return found.toSorted((a, b) => a.at[0] - b.at[0]).filter(({ at }, index, all) => index === 0 || (all[index - 1]?.at[1] ?? 0) <= at[0])
}

/** Returns a national number without separators; undefined if its check digit is wrong. */
export function nationalNumber(text: string): string | undefined {
  const number = compact(text)
  return [isSpanish, isItalian, isPortuguese].some(isValid => isValid(number)) ? number : undefined
}

const passportHead = new RegExp(wholeWord('passport'))

/** Finds the passport and tax numbers of a table, below the head of their column. */
function inColumn({ plain, cells }: Pasted): DocumentAt[] {
  return cells.flatMap(({ at, head }): DocumentAt[] => {
    const docNumber = compact(plain.slice(...at))
    if (/\bnif\b/.test(head) && isTaxNumber(docNumber)) return [{ documentKind: 'national', docNumber, at }]
    const isNumber = passportHead.test(head) && /^[A-Z\d]{0,3}\d[A-Z\d]{4,16}$/.test(docNumber) && nationalNumber(docNumber) === undefined
    return isNumber ? [{ documentKind: 'passport', docNumber, at }] : []
  })
}

function national(text: string, from: number, isValid: (number: string) => boolean): DocumentAt[] {
  const docNumber = compact(text)
  return isValid(docNumber) ? [{ documentKind: 'national', docNumber, at: [from, from + text.length] }] : []
}

/** The letters of a name in an Italian code: three consonants, filled with vowels; of a given name with four, not the second. */
function codeLetters(name: string, isGiven: boolean): string {
  const letters = plainly(name).replaceAll(/[^a-z]/g, '')
  const consonants = letters.replaceAll(/[aeiou]/g, '')
  const four = isGiven && consonants.length > 3 ? consonants.replace(/^(.)./, '$1') : consonants
  return `${four}${letters.replaceAll(/[^aeiou]/g, '')}xxx`.slice(0, 3).toUpperCase()
}

/** True if an Italian code repeats a person's name, and not another birth. */
export function repeats(code: string, { name = '', middleName = '', lastName = '', birthDate }: PersonFields): boolean {
  const isName = code.startsWith(`${codeLetters(`${middleName}${lastName}`, false)}${codeLetters(name, true)}`)
  const [year, month, day] = (birthDate ?? '').split('-')
  const born = `${year?.slice(2)}${'ABCDEHLMPRST'.charAt(Number(month) - 1)}`
  const isBorn = code.slice(6, 9) === born && Number(code.slice(9, 11)) % 40 === Number(day)
  return birthDate === undefined ? isName : isBorn
}
