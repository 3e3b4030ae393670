import { isDate } from '#common/kit/dates.ts'
import { monthOf } from '../paste-words/calendar.ts'
import { matchesIn, type Pasted, plainly, type Span } from '../paste/text.ts'
import { isGiven } from './given-names.ts'
import { isOther } from './name-runs.ts'
import { nameOf } from './names.ts'
import type { PersonFields, PersonFound } from './person.ts'

type Named = PersonFound & { index: number | undefined; isInfant: boolean }

/** Returns the people in a reservation system's lines, with birth dates, documents and contact data. Infants come last. */
export function reservationPeople({ text }: Pasted, today: string): PersonFound[] {
  const people = namesIn(inCapitals(text), today)
  for (const { index, value, at } of [...documentLines(text, today), ...childLines(text, today)]) {
    const numbered = people.find(each => index !== undefined && each.index === index && !each.isInfant)
    const isOfNumber = numbered && (!value.middleName || isSameSurname(numbered.value, value))
    const person = people.find(each => isSameName(each.value, value)) ?? (isOfNumber ? numbered : undefined)
    if (person) person.value = { ...value, ...person.value }
    else if (value.name) people.push({ value, at, isSure: true, doubts: [], travels: true, index, isInfant: false })
  }
  for (const { index, value } of contactLines(text)) {
    const person = people.find(each => each.index === (index ?? 1)) ?? people[0]
    if (person) person.value = { ...value, ...person.value }
  }
  return [...people.filter(({ isInfant }) => !isInfant), ...people.filter(({ isInfant }) => isInfant)].map(
    ({ value, at, isSure, doubts, travels }) => ({ value, at, isSure, doubts, travels }),
  )
}

/** Compares without accents, which documents lack. */
function isSameName(a: PersonFields, b: PersonFields): boolean {
  const [one, other] = [plainly(a.name ?? ''), plainly(b.name ?? '')]
  return isSameSurname(a, b) && one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one))
}

const isSameSurname = (a: PersonFields, b: PersonFields): boolean => plainly(a.middleName ?? '') === plainly(b.middleName ?? '')

const word = "\\p{Lu}[\\p{Lu}'’ªº-]{0,24}"
const words = `${word}(?: ${word}){0,4}`
/** `1.GARCIA LOPEZ/MARIA MRS(CHD/14MAY18)`, `1.2SMITH/JOHN MR/JANE MRS`, `2.I/1SMITH/LEO MSTR*INF`, `TORRES/PILAR MRS`. */
const nameItem = new RegExp(
  `(?<![\\p{L}\\d/.-])(?:(\\d{1,2})\\. ?(?:(I)/|C/)?(\\d)?)?(${words})((?:/${words}){1,8})(?![\\p{L}\\d/])(\\([^\\n]{1,60}?\\)){0,2}(\\*[A-Z\\d-]{1,10})?`,
  'gu',
)
const title = /(?: |(?<=\p{Lu}{2}))(?:MRS|MR|MS|MISS|MSTR|MME|MLLE|SRA|SRTA|SR|SIG|DR|PROF|REV|M|CHD|INF|ADT)$/u

const anyWord = "\\p{L}[\\p{L}'’ªº-]{1,24}"
const anyWords = `${anyWord}(?: ${anyWord}){0,4}`
/** `garcía lópez/maría mrs`: a line or an item of a list. */
const itemInSmallLetters = new RegExp(
  `(?<=(?:^|[\\n:;,|•*)-]| {2}|\\d\\.) {0,4})${anyWords}(?:/${anyWords}){1,8} (?:mrs|mr|ms|miss|mstr|mme|mlle|sra|srta|chd|inf|adt)(?= {0,3}(?:$|[\\n\\d,;.()|*+]| {2}))`,
  'giu',
)

/** Writes names in small letters as reservation systems do, in a text of the same length. */
const inCapitals = (text: string): string =>
  text.replaceAll(itemInSmallLetters, item =>
    (item.split('/')[0] ?? '').split(' ').some(isOther)
      ? item
      : item.replaceAll(/\p{Ll}/gu, letter => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter)),
  )

function namesIn(text: string, today: string): Named[] {
  const people: Named[] = []
  for (const match of matchesIn(text, nameItem)) {
    const [all, number, infant, , surname = '', givens = '', , remark = ''] = match
    const after = all.slice(all.indexOf(givens) + givens.length)
    for (const given of givens.slice(1).split('/')) {
      const { name, isTitled } = withoutTitle(given)
      if (name.length < 1 || !(number || isTitled || (surname.length > 2 && isGiven(name.split(' ')[0] ?? '')))) continue
      const at: Span = [match.index, match.index + all.length]
      const { isSure, ...parts } = nameOf(name, surname)
      if (
        people.some(({ value }) => value.name === parts.name && value.middleName === parts.middleName && value.lastName === parts.lastName)
      )
        continue
      const birth = /(?:CHD|DOB|^\*)[/ ]?(\d{2}[A-Z]{3}\d{2}(?:\d{2})?)/.exec(after)
      const birthDate = birth?.[1] && dateOf(birth[1], today)
      const isInfant = Boolean(infant) || /INF/.test(remark)
      people.push({
        value: { ...parts, ...(birthDate ? { birthDate } : {}) },
        at,
        isSure,
        doubts: [],
        travels: true,
        index: number ? Number(number) : undefined,
        isInfant,
      })
    }
    people.push(...infantOf(after, surname, match, today))
  }
  return people
}

/** Reads the infant that Amadeus writes after its adult: `(INFHERRERO/MARTIN/09FEB26)`, `(INF/MARTIN/09FEB26)`. */
function infantOf(remark: string, adult: string, { index, 0: all }: RegExpExecArray, today: string): Named[] {
  const [, surname, given, birth] = new RegExp(`\\(INF ?(${words})?/(${words})(?:/(\\d{2}[A-Z]{3}\\d{2,4}))?\\)`, 'u').exec(remark) ?? []
  if (!given) return []
  const { isSure, ...parts } = nameOf(withoutTitle(given).name, surname ?? adult)
  const birthDate = birth && dateOf(birth, today)
  return [
    {
      value: { ...parts, ...(birthDate ? { birthDate } : {}) },
      at: [index, index + all.length],
      isSure,
      doubts: [],
      travels: true,
      index: undefined,
      isInfant: true,
    },
  ]
}

/** Removes the title, even if attached to the name: SAMMR. A name that ends like a title keeps its ending. */
function withoutTitle(given: string): { name: string; isTitled: boolean } {
  const found = title.exec(given)
  if (!found || (!found[0].startsWith(' ') && (isGiven(given) || !/MRS?|MSTR|MISS|MS/.test(found[0]))))
    return { name: given.trim(), isTitled: false }
  return { name: given.slice(0, found.index).trim(), isTitled: true }
}

type Line = { index: number | undefined; value: PersonFields; at: Span }

const day = '(\\d{2}[A-Z]{3}\\d{2}(?:\\d{2})?)'
/** The passport's data for border control: SSR DOCS, SRDOCS, 3DOCS and SI.SSRDOCS, with slashes or dashes between. */
const documentLine = new RegExp(
  `((?<=SI\\.P\\d{1,2}/)SSR|SSR ?|SR ?|(?<![A-Z])3)DOCS[A-Z\\d ]{0,12}[ /-]([A-Z]{0,2})([/-])[A-Z]{0,3}\\3([A-Z\\d]{0,20})\\3[A-Z]{0,3}\\3${day}\\3[MFUX]I?\\3(?:\\d{2}[A-Z]{3}\\d{2,4})?\\3(${words})\\3(${words})(?:\\3(?!P\\d)(${words}))?(?:[/-]P?(\\d{1,2})(?:\\.\\d)?)?`,
  'gu',
)

function documentLines(text: string, today: string): Line[] {
  return matchesIn(text, documentLine).flatMap(match => {
    const [all, , type = '', , number = '', birth = '', surname = '', given = '', second = '', last] = match
    const index = Number(/SI\.P(\d{1,2})\/$/.exec(text.slice(Math.max(0, match.index - 8), match.index))?.[1] ?? last)
    const { isSure: _, ...parts } = nameOf(`${withoutTitle(given).name} ${second}`, surname)
    const birthDate = dateOf(birth, today)
    const kind = type === 'P' ? 'passport' : /^(?:I|A|C|ID)$/.test(type) ? 'national' : undefined
    const document: PersonFields = kind && /^(?=[A-Z]{0,4}\d)[A-Z\d]{5,20}$/.test(number) ? { documentKind: kind, docNumber: number } : {}
    return [
      {
        index: index > 0 ? index : undefined,
        value: { ...parts, ...(birthDate ? { birthDate } : {}), ...document },
        at: [match.index, match.index + all.length],
      },
    ]
  })
}

/** `SSR CHLD IB HK1 14MAY18/P3`. */
const childLines = (text: string, today: string): Line[] =>
  matchesIn(text, new RegExp(`SSR ?CHLD [A-Z\\d]{2} ?HK\\d ${day}(?:/P(\\d{1,2})|-(\\d{1,2})\\.\\d)`, 'g')).map(match => {
    const [all, birth = '', one, other] = match
    const birthDate = dateOf(birth, today)
    return { index: Number(one ?? other), value: birthDate ? { birthDate } : {}, at: [match.index, match.index + all.length] }
  })

const mail = '([A-Z\\d._%+-]{1,64}@[A-Z\\d.-]{1,100}\\.[A-Z]{2,24})'
const contactLine = new RegExp(`(?<=\\n {0,4}\\d{1,2} )AP ?(?:E[ -]{1,2}${mail}|M[ -]{1,2}(\\+?[\\d ]{8,20}\\d))(?:/P(\\d{1,2}))?`, 'gi')
const serviceLine = /SSR ?CTC([EM]) [A-Z\d]{2} ?HK\d ([A-Z\d./_+-]{5,100}?)(?:\/P(\d{1,2})|-(\d{1,2})\.\d)?(?=\s|$)/g

/** Reads `APE-ANA@MAIL.COM/P1`, `APM-+34600112233` and their forms as services. `//` stands for @. `AP` alone is the agency's. */
function contactLines(text: string): Line[] {
  const lines = matchesIn(text, contactLine).map((match): Line => {
    const [all, email, phone, index] = match
    const value = {
      ...(email ? { email: email.toLowerCase() } : {}),
      ...(phone ? { phone: phone.replaceAll(' ', '').replace(/^00/, '+') } : {}),
    }
    return { index: index ? Number(index) : undefined, value, at: [match.index, match.index + all.length] }
  })
  const services = matchesIn(text, serviceLine).flatMap((match): Line[] => {
    const [all, kind, written = '', one, other] = match
    const email = written.replace('//', '@').replaceAll('..', '_').replaceAll('./', '-').toLowerCase()
    const value = kind === 'M' ? { phone: written.replaceAll(/[^\d+]/g, '') } : { email }
    if (kind === 'E' && !/^[^@/]+@[^@/]+\.[a-z]+$/.test(email)) return []
    return [{ index: Number(one ?? other) || undefined, value, at: [match.index, match.index + all.length] }]
  })
  return [...lines, ...services]
}

/** Reads 12MAR85 and 12MAR1985, never in the future. */
function dateOf(text: string, today: string): string | undefined {
  const [, dayOfMonth, name = '', year = ''] = /^(\d{2})([A-Z]{3})(\d{2,4})$/.exec(text) ?? []
  const month = monthOf(name.toLowerCase(), 'en', true)
  if (!dayOfMonth || month === undefined) return undefined
  const inYear = (full: number) => `${full}-${String(month).padStart(2, '0')}-${dayOfMonth}`
  if (year.length === 4) return isDate(inYear(Number(year))) ? inYear(Number(year)) : undefined
  const date = [2000 + Number(year), 1900 + Number(year)].map(inYear).find(each => each <= today)
  return isDate(date) ? date : undefined
}
