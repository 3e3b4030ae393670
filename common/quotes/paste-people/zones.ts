import { isDate } from '#common/kit/dates.ts'
import { matchesIn, type Pasted } from '../paste/text.ts'
import { isSpanish } from './documents.ts'
import { nameOf } from './names.ts'
import type { PersonFound } from './person.ts'

/** Finds the machine-readable zones of passports and identity cards (ICAO 9303, TD3 and TD1). A zone with a wrong check digit is ignored. */
export function zonesIn({ text }: Pasted, today: string): PersonFound[] {
  return [...passports(text, today), ...cards(text, today)].toSorted((a, b) => a.at[0] - b.at[0])
}

const line = (length: number): string => `[A-Z\\d<]{${length}}`
const between = ' {0,8}\\n\\s{0,8}'
const passport = new RegExp(`(?<![A-Z\\d<])P[A-Z<]([A-Z<]{3})([A-Z<]{39})${between}(${line(44)})(?![A-Z\\d<])`, 'g')
const card = new RegExp(
  `(?<![A-Z\\d<])[IAC][A-Z\\d<]([A-Z<]{3})(${line(25)})${between}(${line(30)})${between}([A-Z<]{30})(?![A-Z\\d<])`,
  'g',
)

function passports(text: string, today: string): PersonFound[] {
  return matchesIn(text, passport).flatMap(match => {
    const [all, , names = '', zone = ''] = match
    const parts = [
      zone.slice(0, 9),
      zone.slice(13, 19),
      zone.slice(21, 27),
      `${zone.slice(0, 10)}${zone.slice(13, 20)}${zone.slice(21, 43)}`,
    ]
    const controls = [zone[9], zone[19], zone[27], zone[43]]
    const optional = zone.slice(28, 42)
    const isFilled = /[^<]/.test(optional)
    if (!parts.every((part, index) => controls[index] === checkDigit(part))) return []
    if (isFilled ? zone[42] !== checkDigit(optional) : !/[0<]/.test(zone[42] ?? '')) return []
    return personOf(names, zone.slice(13, 19), today, { documentKind: 'passport', docNumber: filled(zone.slice(0, 9)) }, [
      match.index,
      match.index + all.length,
    ])
  })
}

function cards(text: string, today: string): PersonFound[] {
  return matchesIn(text, card).flatMap(match => {
    const [all, state = '', first = '', zone = '', names = ''] = match
    const number = first.slice(0, 9)
    const parts = [number, zone.slice(0, 6), zone.slice(8, 14), `${first}${zone.slice(0, 7)}${zone.slice(8, 15)}${zone.slice(18, 29)}`]
    const controls = [first[9], zone[6], zone[14], zone[29]]
    if (!parts.every((part, index) => controls[index] === checkDigit(part))) return []
    // Spain writes the holder's own number after that of the card.
    const own = filled(first.slice(10))
    const docNumber = state === 'ESP' && isSpanish(own) ? own : filled(number)
    return personOf(names, zone.slice(0, 6), today, { documentKind: 'national', docNumber }, [match.index, match.index + all.length])
  })
}

type Document = { documentKind: 'national' | 'passport'; docNumber: string }

function personOf(names: string, birth: string, today: string, document: Document, at: PersonFound['at']): PersonFound[] {
  const [surnames = '', given = ''] = names.split('<<').map(part => part.replaceAll('<', ' ').trim())
  const year = 2000 + Number(birth.slice(0, 2))
  const [thisCentury, last] = [year, year - 100].map(full => `${full}-${birth.slice(2, 4)}-${birth.slice(4)}`)
  const birthDate = thisCentury && thisCentury <= today ? thisCentury : last
  const { isSure, ...parts } = nameOf(given, surnames)
  if (!parts.name && !parts.middleName) return []
  return [{ value: { ...parts, ...(isDate(birthDate) ? { birthDate } : {}), ...document }, at, isSure, doubts: [], travels: false }]
}

const filled = (part: string): string => part.replaceAll('<', '')

const weights = [7, 3, 1]

/** The check digit of a part of the zone: digits count as themselves, letters from 10 up, multiplied by 7, 3 and 1 in turn. */
function checkDigit(part: string): string {
  let sum = 0
  for (let index = 0; index < part.length; index++) {
    const sign = part.charAt(index)
    const value = sign === '<' ? 0 : sign <= '9' ? Number(sign) : sign.charCodeAt(0) - 55
    sum += value * (weights[index % 3] ?? 0)
  }
  return String(sum % 10)
}
