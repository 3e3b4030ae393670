import { isDate } from '#common/kit/dates.ts'
import { dniLetter, fiscalCodeLetter, passesCitizenCard, portugueseControl, weighted } from '#common/kit/validators/checksums.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { apart, inOrder, matchesIn, type Pasted, plainly, type Span, spanOf } from '../paste/text.ts'
import { nameOf } from './names.ts'
import { personAt, type PersonFields, type PersonFound } from './person.ts'

export type DocumentAt = { documentKind: 'national' | 'passport'; docNumber: string; at: Span }

const compact = (text: string): string => text.toUpperCase().replaceAll(/[ .\-/]/g, '')

/** True for a Spanish DNI or NIE with its letter. */
function isSpanish(number: string): boolean {
  const [, head = '', digits = '', letter] = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(number) ?? []
  return digits.length === (head ? 7 : 8) && letter === dniLetter(Number(`${head ? 'XYZ'.indexOf(head) : ''}${digits}`))
}

export const isItalian = (number: string): boolean =>
  /^[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]$/.test(number) &&
  number.charAt(15) === fiscalCodeLetter(number.slice(0, 15))

const isPortuguese = (number: string): boolean => /^\d{9}[A-Z0-9]{2}\d$/.test(number) && passesCitizenCard(number)

/** Brazil's CPF: two check digits, modulo 11. */
const isBrazilian = (number: string): boolean =>
  /^(\d)(?!\1{10})\d{10}$/.test(number) &&
  [9, 10].every(count => {
    const sum = weighted(number.slice(0, count), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].slice(10 - count))
    return ((sum * 10) % 11) % 10 === Number(number[count])
  })

/** Chile's RUT: modulo 11, with 10 written as K. */
function isChilean(number: string): boolean {
  const [, digits = '', letter] = /^(\d{7,8})([\dK])$/.exec(number) ?? []
  const sum = weighted(Array.from(digits).toReversed().join(''), [2, 3, 4, 5, 6, 7, 2, 3].slice(0, digits.length))
  return letter === '0K987654321'.charAt(sum % 11)
}

/** A Portuguese person's tax number, which some operators ask for instead: 1 to 3 first. */
const isTaxNumber = (number: string): boolean => /^[1-3]\d{8}$/.test(number) && portugueseControl(number.slice(0, 8)) === Number(number[8])

/** National numbers. Their check digit identifies the first three; the others look alike, and count only after their label. */
const nationals: [RegExp, (number: string) => boolean][] = [
  [/(?<![\w.])(?:\d{8}|\d{2}\.\d{3}\.\d{3})[ -]?[a-z](?!\w)|(?<!\w)[xyz][ -]?\d{7}[ -]?[a-z](?!\w)/dg, isSpanish],
  [/(?<!\w)[a-z]{6}\d[\dl-v][a-ehlmprst][\dl-v]{2}[a-z][\dl-v]{3}[a-z](?!\w)/dg, isItalian],
  [/(?<!\w)\d{8} ?\d ?[a-z]{2}\d(?!\w)/dg, isPortuguese],
  [/(?<!\w)cpf ?:? ?(\d{3}\.?\d{3}\.?\d{3}-?\d{2})(?!\d)/dg, isBrazilian],
  [/(?<!\w)(?:nif|contribuinte) ?:? ?(\d{9})(?!\w)/dg, isTaxNumber],
  [/(?<!\w)rut ?:? ?(\d{1,2}\.?\d{3}\.?\d{3}-?[\dk])(?!\w)/dg, isChilean],
]

/** Returns a national number without separators; undefined if its check digit is wrong. */
export function nationalNumber(text: string): string | undefined {
  const number = compact(text)
  return [isSpanish, isItalian, isPortuguese].some(isValid => isValid(number)) ? number : undefined
}

const passportHead = new RegExp(wholeWord('passport'))
const passport = new RegExp(
  `${passportHead.source}(?: ?(?:n[ºo°.]{0,2}|num\\.?|number|numero|nr\\.?|#))? ?:? ?` +
    `(?=[a-z]{0,3}\\d)([a-z]{0,3}\\d[a-z\\d]{3,16})(?<=[a-z\\d]{5})(?!\\w)`,
  'dg',
)

/** Returns the identity documents in a text, in order. A number with a wrong check letter does not count. */
export function documentsIn(pasted: Pasted): DocumentAt[] {
  const { plain, cells } = pasted
  const documentAt = (documentKind: DocumentAt['documentKind'], at: Span): DocumentAt => ({
    documentKind,
    docNumber: compact(plain.slice(...at)),
    at,
  })
  const inNationals = nationals.flatMap(([pattern, isValid]) =>
    matchesIn(plain, pattern)
      .map(match => documentAt('national', spanOf(match, match[1] === undefined ? 0 : 1)))
      .filter(({ docNumber }) => isValid(docNumber)),
  )
  const inPassports = matchesIn(plain, passport).map(match => documentAt('passport', spanOf(match, 1)))
  const inColumns = cells.flatMap(({ at, head }) => {
    const [tax, other] = [documentAt('national', at), documentAt('passport', at)]
    if (/\bnif\b/.test(head) && isTaxNumber(tax.docNumber)) return [tax]
    const isPassport = passportHead.test(head) && /^[A-Z\d]{0,3}\d[A-Z\d]{4,16}$/.test(other.docNumber)
    return isPassport && nationalNumber(other.docNumber) === undefined ? [other] : []
  })
  return apart([...inNationals, ...inPassports, ...inColumns])
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
  if (birthDate === undefined) return code.startsWith(`${codeLetters(`${middleName}${lastName}`, false)}${codeLetters(name, true)}`)
  const [year, month, day] = birthDate.split('-')
  const born = `${year?.slice(2)}${'ABCDEHLMPRST'.charAt(Number(month) - 1)}`
  return code.slice(6, 9) === born && Number(code.slice(9, 11)) % 40 === Number(day)
}

const line = (length: number): string => `[A-Z\\d<]{${length}}`
const between = ' {0,8}\\n\\s{0,8}'
const passportZone = new RegExp(`(?<![A-Z\\d<])P[A-Z<][A-Z<]{3}([A-Z<]{39})${between}(${line(44)})(?![A-Z\\d<])`, 'g')
const cardZone = new RegExp(
  `(?<![A-Z\\d<])[IAC][A-Z\\d<]([A-Z<]{3})(${line(25)})${between}(${line(30)})${between}([A-Z<]{30})(?![A-Z\\d<])`,
  'g',
)

/** Finds the machine-readable zones of passports and cards (ICAO 9303, TD3 and TD1). All check digits of a zone must be right. */
export function zonesIn({ text }: Pasted, today: string): PersonFound[] {
  const passports = matchesIn(text, passportZone).flatMap(match => {
    const [, names = '', zone = ''] = match
    const [number, birth, optional] = [zone.slice(0, 9), zone.slice(13, 19), zone.slice(28, 43)]
    const isRight = [
      number + zone[9],
      birth + zone[19],
      zone.slice(21, 28),
      zone.slice(0, 10) + zone.slice(13, 20) + zone.slice(21, 44),
    ].every(hasCheckDigit)
    // An empty optional part may have no digit.
    if (!isRight || !(hasCheckDigit(optional) || /^<{15}$/.test(optional))) return []
    return personOf(match, names, birth, today, { documentKind: 'passport', docNumber: filled(number) })
  })
  const cards = matchesIn(text, cardZone).flatMap(match => {
    const [, state = '', first = '', zone = '', names = ''] = match
    const [number, birth] = [first.slice(0, 9), zone.slice(0, 6)]
    const whole = first + zone.slice(0, 7) + zone.slice(8, 15) + zone.slice(18, 30)
    if (![first.slice(0, 10), zone.slice(0, 7), zone.slice(8, 15), whole].every(hasCheckDigit)) return []
    // Spain writes the holder's own number after that of the card.
    const own = filled(first.slice(10))
    return personOf(match, names, birth, today, {
      documentKind: 'national',
      docNumber: state === 'ESP' && isSpanish(own) ? own : filled(number),
    })
  })
  return inOrder([...passports, ...cards])
}

function personOf(match: RegExpExecArray, names: string, birth: string, today: string, document: PersonFields): PersonFound[] {
  const [surnames = '', given = ''] = names.split('<<').map(part => part.replaceAll('<', ' ').trim())
  const dates = [20, 19].map(century => `${century}${birth.slice(0, 2)}-${birth.slice(2, 4)}-${birth.slice(4)}`)
  const birthDate = dates.find(date => date <= today)
  const parts = nameOf(given, surnames)
  if (!parts.name && !parts.middleName) return []
  return [personAt({ ...parts, ...(isDate(birthDate) && { birthDate }), ...document }, spanOf(match))]
}

const filled = (part: string): string => part.replaceAll('<', '')

/** True if a part ends with its check digit: digits count as themselves, letters from 10 up, multiplied by 7, 3 and 1 in turn. */
function hasCheckDigit(part: string): boolean {
  const values = Array.from(part.slice(0, -1), sign => (sign === '<' ? 0 : sign <= '9' ? Number(sign) : sign.charCodeAt(0) - 55))
  return String(values.reduce((sum, value, index) => sum + value * ([7, 3, 1][index % 3] ?? 0), 0) % 10) === part.at(-1)
}
