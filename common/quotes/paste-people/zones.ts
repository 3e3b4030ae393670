import { isDate } from '#common/kit/dates.ts'
import { matchesIn, spanOf } from '../paste/lines.ts'
import type { Pasted } from '../paste/text.ts'
import { isSpanish } from './documents.ts'
import { nameOf } from './names.ts'
import { personAt, type PersonFields, type PersonFound } from './person.ts'

const line = (length: number): string => `[A-Z\\d<]{${length}}`
const between = ' {0,8}\\n\\s{0,8}'
const passport = new RegExp(`(?<![A-Z\\d<])P[A-Z<][A-Z<]{3}([A-Z<]{39})${between}(${line(44)})(?![A-Z\\d<])`, 'g')
const card = new RegExp(
  `(?<![A-Z\\d<])[IAC][A-Z\\d<]([A-Z<]{3})(${line(25)})${between}(${line(30)})${between}([A-Z<]{30})(?![A-Z\\d<])`,
  'g',
)

/**
 * Finds the machine-readable zones of passports and identity cards (ICAO 9303, TD3 and TD1). A zone with a wrong check digit is ignored.
 */
export function zonesIn({ text }: Pasted, today: string): PersonFound[] {
  const passports = matchesIn(text, passport).flatMap(match => {
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
  const cards = matchesIn(text, card).flatMap(match => {
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
  return [...passports, ...cards].toSorted((a, b) => a.at[0] - b.at[0])
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
