import { isDate } from '#common/kit/dates.ts'
import { monthOf } from '../paste-words/calendar.ts'
import { matchesIn, type Pasted, plainly, type Span, spanOf } from '../paste/text.ts'
import { isGiven } from './given-names.ts'
import { isOther, nameOf } from './names.ts'
import { personAt, type PersonFields, type PersonFound } from './person.ts'

/** A passenger with the number that a system's lines have. */
type Named = PersonFound & { index: number | undefined; isInfant: boolean }
/** Facts of a passenger, who has a number or a name. */
type Line = { index: number | undefined; value: PersonFields; at: Span }

/** Returns the people in a reservation system's lines, with birth dates, documents and contact data. Infants come last. */
export function reservationPeople({ text }: Pasted, today: string): PersonFound[] {
  const people = namesIn(inCapitals(text), today)
  for (const { index, value, at } of [...documentLines(text, today), ...childLines(text, today)]) {
    const numbered = people.find(each => index !== undefined && each.index === index && !each.isInfant)
    const isOfNumber = numbered && (!value.middleName || isSameSurname(numbered.value, value))
    const person = people.find(each => isSameName(each.value, value)) ?? (isOfNumber ? numbered : undefined)
    if (person) person.value = { ...value, ...person.value }
    else if (value.name) people.push({ ...personAt(value, at, { travels: true }), index, isInfant: false })
  }
  for (const { index, value } of contactLines(text)) {
    const person = people.find(each => each.index === (index ?? 1)) ?? people[0]
    if (person) person.value = { ...value, ...person.value }
  }
  return people.toSorted((a, b) => Number(a.isInfant) - Number(b.isInfant)).map(({ value, at }) => personAt(value, at, { travels: true }))
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
  `(?<![\\p{L}\\d/.-])(?:(\\d{1,2})\\. ?(?:(I)/|C/)?\\d?)?(${words})((?:/${words}){1,8})(?![\\p{L}\\d/])` +
    `((?:\\([^\\n]{1,60}?\\)){0,2}(?:\\*[A-Z\\d-]{1,10})?)`,
  'gu',
)
const title = /(?: |(?<=\p{Lu}{2}))(?:MRS|MR|MS|MISS|MSTR|MME|MLLE|SRA|SRTA|SR|SIG|DR|PROF|REV|M|CHD|INF|ADT)$/u

const anyWord = "\\p{L}[\\p{L}'’ªº-]{1,24}"
const anyWords = `${anyWord}(?: ${anyWord}){0,4}`
/** `garcía lópez/maría mrs`: a line or an item of a list. */
const itemInSmallLetters = new RegExp(
  `(?<=(?:^|[\\n:;,|•*)-]| {2}|\\d\\.) {0,4})${anyWords}(?:/${anyWords}){1,8} ` +
    `(?:mrs|mr|ms|miss|mstr|mme|mlle|sra|srta|chd|inf|adt)(?= {0,3}(?:$|[\\n\\d,;.()|*+]| {2}))`,
  'giu',
)

const upper = (letter: string): string => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter)

/** Writes names in small letters as reservation systems do, in a text of the same length. */
const inCapitals = (text: string): string =>
  text.replaceAll(itemInSmallLetters, item =>
    (item.split('/')[0] ?? '').split(' ').some(isOther) ? item : item.replaceAll(/\p{Ll}/gu, upper),
  )

/** Reads the infant that Amadeus writes after its adult: `(INFHERRERO/MARTIN/09FEB26)`, `(INF/MARTIN/09FEB26)`. */
const infantItem = new RegExp(`\\(INF ?(${words})?/(${words})(?:/(\\d{2}[A-Z]{3}\\d{2,4}))?\\)`, 'u')

function namesIn(text: string, today: string): Named[] {
  const people: Named[] = []
  const add = (parts: PersonFields, match: RegExpExecArray, birth: string | undefined, isInfant: boolean) => {
    const index = match[1] && !isInfant ? Number(match[1]) : undefined
    people.push({ ...personAt({ ...parts, ...birthOf(birth, today) }, spanOf(match), { travels: true }), index, isInfant })
  }
  for (const match of matchesIn(text, nameItem)) {
    const [, number, infant, surname = '', givens = '', remark = ''] = match
    for (const given of givens.slice(1).split('/')) {
      const { name, isTitled } = withoutTitle(given)
      if (name === '' || !(number || isTitled || (surname.length > 2 && isGiven(name.split(' ')[0] ?? '')))) continue
      const parts = nameOf(name, surname)
      const isKnown = people.some(({ value }) => (['name', 'middleName', 'lastName'] as const).every(part => value[part] === parts[part]))
      const birth = /(?:CHD|DOB|^\*)[/ ]?(\d{2}[A-Z]{3}\d{2}(?:\d{2})?)/.exec(remark)?.[1]
      if (!isKnown) add(parts, match, birth, Boolean(infant) || /\*[A-Z\d-]{0,7}INF/.test(remark))
    }
    const [, own, given, birth] = infantItem.exec(remark) ?? []
    if (given) add(nameOf(withoutTitle(given).name, own ?? surname), match, birth, true)
  }
  return people
}

/** Removes the title, even if attached to the name: SAMMR. A name that ends like a title keeps its ending. */
function withoutTitle(given: string): { name: string; isTitled: boolean } {
  const found = title.exec(given)
  const isPart = found && !found[0].startsWith(' ') && (isGiven(given) || !/MRS?|MSTR|MISS|MS/.test(found[0]))
  return found && !isPart ? { name: given.slice(0, found.index).trim(), isTitled: true } : { name: given.trim(), isTitled: false }
}

const day = '(\\d{2}[A-Z]{3}\\d{2}(?:\\d{2})?)'
/** The passport's data for border control: SSR DOCS, SRDOCS, 3DOCS and SI.SSRDOCS, with slashes or dashes between. */
const documentLine = new RegExp(
  `(?:(?<=SI\\.P(\\d{1,2})/)SSR|SSR ?|SR ?|(?<![A-Z])3)DOCS[A-Z\\d ]{0,12}[ /-]([A-Z]{0,2})([/-])[A-Z]{0,3}\\3([A-Z\\d]{0,20})\\3` +
    `[A-Z]{0,3}\\3${day}\\3[MFUX]I?\\3(?:\\d{2}[A-Z]{3}\\d{2,4})?\\3(${words})\\3(${words})(?:\\3(?!P\\d)(${words}))?` +
    `(?:[/-]P?(\\d{1,2})(?:\\.\\d)?)?`,
  'gu',
)

function documentLines(text: string, today: string): Line[] {
  return matchesIn(text, documentLine).map((match): Line => {
    const [, first, type = '', , docNumber = '', birth, surname = '', given = '', second = '', last] = match
    const documentKind = type === 'P' ? 'passport' : /^(?:I|A|C|ID)$/.test(type) ? 'national' : undefined
    const isNumber = /^(?=[A-Z]{0,4}\d)[A-Z\d]{5,20}$/.test(docNumber)
    const document: PersonFields = documentKind && isNumber ? { documentKind, docNumber } : {}
    const value = { ...nameOf(`${withoutTitle(given).name} ${second}`, surname), ...birthOf(birth, today), ...document }
    return { index: Number(first ?? last) || undefined, value, at: spanOf(match) }
  })
}

const childLine = new RegExp(`SSR ?CHLD [A-Z\\d]{2} ?HK\\d ${day}(?:/P(\\d{1,2})|-(\\d{1,2})\\.\\d)`, 'g')

/** `SSR CHLD IB HK1 14MAY18/P3`. */
const childLines = (text: string, today: string): Line[] =>
  matchesIn(text, childLine).map(match => ({
    index: Number(match[2] ?? match[3]),
    value: birthOf(match[1], today),
    at: spanOf(match),
  }))

const mail = '([A-Z\\d._%+-]{1,64}@[A-Z\\d.-]{1,100}\\.[A-Z]{2,24})'
const contactLine = new RegExp(`(?<=\\n {0,4}\\d{1,2} )AP ?(?:E[ -]{1,2}${mail}|M[ -]{1,2}(\\+?[\\d ]{8,20}\\d))(?:/P(\\d{1,2}))?`, 'gi')
const service = '[A-Z\\d]{2} ?HK\\d ([A-Z\\d./_+-]{5,100}?)'
const serviceLine = new RegExp(`SSR ?CTC(?:E ${service}|M ${service})(?:/P(\\d{1,2})|-(\\d{1,2})\\.\\d)?(?=\\s|$)`, 'g')

/** Reads `APE-ANA@MAIL.COM/P1`, `APM-+34600112233` and their forms as services. `//` stands for @. `AP` alone is the agency's. */
const contactLines = (text: string): Line[] =>
  [...matchesIn(text, contactLine), ...matchesIn(text, serviceLine)].flatMap(match => {
    const [, written, figures, one, other] = match
    const email = written?.replace('//', '@').replaceAll('..', '_').replaceAll('./', '-').toLowerCase()
    if (email !== undefined && !/^[^@/]+@[^@/]+\.[a-z]+$/.test(email)) return []
    const phone = figures?.replaceAll(/[^\d+]/g, '').replace(/^00/, '+')
    return [{ index: Number(one ?? other) || undefined, value: { ...(email && { email }), ...(phone && { phone }) }, at: spanOf(match) }]
  })

/** Reads 12MAR85 and 12MAR1985, never in the future. */
function birthOf(text: string | undefined, today: string): { birthDate?: string } {
  const [, dayOfMonth, name = '', year = ''] = /^(\d{2})([A-Z]{3})(\d{2,4})$/.exec(text ?? '') ?? []
  const month = String(monthOf(name.toLowerCase(), 'en', true)).padStart(2, '0')
  const years = year.length === 4 ? [Number(year)] : [2000 + Number(year), 1900 + Number(year)]
  const birthDate = years.map(full => `${full}-${month}-${dayOfMonth}`).find(each => year.length === 4 || each <= today)
  return isDate(birthDate) ? { birthDate } : {}
}
