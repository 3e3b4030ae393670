import { cityNames } from '#common/geography/cities.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { inOrder, matchesIn, plainly, type Span, spanOf } from '../paste/text.ts'
import { isGiven, mayBeSurname } from './given-names.ts'
import type { PersonFields } from './person.ts'

/** The parts of a name (spec 3), and whether they have no other reading. */
export type NameRead = { value: PersonFields; isSure: boolean }

const particles = new Set(
  'de del la las los le da das do dos di du des van von der den ter el y e i san santa o mac mc al bin ben dal della dello degli d'.split(
    ' ',
  ),
)
/** Such words begin a surname only if another word follows: `Leroy Y` has none. */
const isParticle = (word: string): boolean => particles.has(plainly(word).replaceAll(/[.']/g, ''))

/** Joins the words of one surname: `de la Cruz`, `van der Berg`. */
export function grouped(words: readonly string[]): string[] {
  const groups: string[] = []
  let head: string[] = []
  for (const word of words) {
    head.push(word)
    if (isParticle(word) && words.at(-1) !== word) continue
    groups.push(head.join(' '))
    head = []
  }
  // `García y Vega`: a particle after a surname does not join it with the next.
  return head.length > 0 ? [...groups, head.join(' ')] : groups
}

/** Writes GARCÍA LÓPEZ as García López; other spellings are kept. */
function tidyName(text: string): string {
  const words = text.trim().replaceAll(/ {2,}/g, ' ').split(' ')
  return words.map((word, index) => (isCapitals(word) || isParticle(word) ? cased(word, index > 0 && isParticle(word)) : word)).join(' ')
}

const cased = (word: string, isSmall: boolean): string =>
  isSmall ? word.toLowerCase() : word.toLowerCase().replaceAll(/(?:^|[-'’])\p{L}/gu, letter => letter.toUpperCase())

/** `Mª` does not count as a name in capitals. */
export const isCapitals = (word: string): boolean =>
  word.replaceAll(/[ªº.]/g, '').length > 1 && word === word.toUpperCase() && word !== word.toLowerCase()

/** Returns a name whose surnames are given separately: `GARCIA LOPEZ` and `MARIA`. */
export function nameOf(given: string, surnames: string): PersonFields {
  const [middleName, ...others] = grouped(tidyName(surnames).split(' ').filter(Boolean))
  const lastName = others.join(' ')
  return { ...(given.trim() && { name: tidyName(given) }), ...(middleName && { middleName }), ...(lastName && { lastName }) }
}

/** Returns the parts of a name in one line. Capitals are the surnames; else given names come first unless the words show otherwise. */
export function splitName(words: readonly string[], isTitled: boolean): NameRead | undefined {
  const hasCapitals = words.some(isCapitals)
  const small = words.filter(word => !isCapitals(word) && !isParticle(word))
  if (hasCapitals && small.length > 0) {
    return { value: nameOf(small.join(' '), words.filter(word => !small.includes(word)).join(' ')), isSure: true }
  }
  const groups = grouped(words)
  const [first = '', second = ''] = groups
  if (groups.length < 2) return isGiven(first) ? { value: nameOf(first, ''), isSure: true } : undefined
  const isTurned = !isGiven(first) && isGiven(groups.at(-1) ?? '')
  // `Sig. ROSSI MARCO`, but `MR RAVI JAMES`.
  if (isTurned && (!isTitled || hasCapitals)) {
    const cut = groups.length > 2 && isGiven(groups.at(-2) ?? '') && !mayBeSurname(groups.at(-2) ?? '') ? -2 : -1
    const isSure = !isTitled && !mayBeSurname(groups.at(-1) ?? '') && hasCapitals
    return { value: nameOf(groups.slice(cut).join(' '), groups.slice(0, cut).join(' ')), isSure }
  }
  const hasTwo = groups.length > 2 && isGiven(second) && (!mayBeSurname(second) || groups.length > 3)
  const [given, surnames] = [groups.slice(0, hasTwo ? 2 : 1), groups.slice(hasTwo ? 2 : 1)]
  const hasOneReading = hasTwo
    ? !mayBeSurname(second)
    : groups.length === 2
      ? !isTurned
      : groups.length === 3 && !(isGiven(second) && mayBeSurname(second))
  return { value: nameOf(given.join(' '), surnames.join(' ')), isSure: hasOneReading && (isTitled || agrees(given, surnames)) }
}

/** True if the words of a name agree with its cut into given names and surnames. */
function agrees(given: readonly string[], surnames: readonly string[]): boolean {
  const known = (word: string) => isGiven(word) || mayBeSurname(word)
  return given.every(isGiven) && !given.every(mayBeSurname) && !surnames.every(known)
}

/** A name in a line, whether a title stands before it, and its number of words. */
export type NameRun = NameRead & { at: Span; isTitled: boolean; words: number }

const capitalWord = "(?:M\\.ª|\\p{Lu}[\\p{L}'’-]{1,24})"
const particle = "(?:de|del|da|do|dos|das|di|du|van|von|der|den|ter|la|las|los|le|dal|della|degli|y|e|d['’])"
const run = new RegExp(
  `(?<![\\p{L}\\d@.'’/-])(?:\\p{Lu}\\.? )?${capitalWord}` +
    `(?: (?:${particle} ){0,2}(?:${capitalWord}|\\p{Lu}\\.?(?= ))){0,5}(?![\\p{L}\\d@])`,
  'gu',
)
const titles = new RegExp(`^(?:${wholeWord('nameTitle')}\\.? ){1,2}`)
const titleBefore = new RegExp(`${wholeWord('nameTitle')}\\.? {1,2}$`)
const groupWords = new RegExp(`^(?:${wholeWord('ageGroup', 'traveller')} ){1,2}`)
const groupBehind = new RegExp(` (?:${wholeWord('ageGroup', 'nameTitle')}|yth|ins|cnn)$`)
const notName = new RegExp(wholeWord('notName', 'ageGroup', 'passport', 'mobile', 'mailbox'))

/** True for a label, a month or another word that is not part of a name. */
export function isOther(word: string): boolean {
  const plain = plainly(word).replace(/[.']{1,3}$/, '')
  return notName.exec(plain)?.[0] === plain
}

/** Returns the titles and words such as `Adulto` before a name. */
const titleOf = (plain: string): string => titles.exec(`${plain} `)?.[0] ?? groupWords.exec(`${plain} `)?.[0] ?? ''

/** Returns the names in a part of a text: capitalised words that are not labels, towns or common words of emails. */
export function namesInLine(text: string, part: Span): NameRun[] {
  const turned = turnedIn(text, part)
  const runs = matchesIn(text, run, part).flatMap(match => partsOf(text, spanOf(match)))
  const others = inColumns(text, runs).filter(({ at }) => !turned.some(name => at[0] < name.at[1] && at[1] > name.at[0]))
  return inOrder([...turned, ...others])
}

/** Joins given names and surnames in two columns: `Lorena   Cano Vidal`. */
function inColumns(text: string, runs: readonly NameRun[]): NameRun[] {
  const all: NameRun[] = []
  for (const each of runs) {
    const last = all.at(-1)
    const [one, other] = [last ? text.slice(...last.at) : '', text.slice(...each.at)]
    if (!last || areGiven(one) === areGiven(other) || !/^(?: {2,40}| ?\t ?)$/.test(text.slice(last.at[1], each.at[0]))) {
      all.push(each)
      continue
    }
    const value = areGiven(one) ? nameOf(one, other) : nameOf(other, one)
    all[all.length - 1] = { ...last, value, at: [last.at[0], each.at[1]], isSure: true, words: last.words + each.words }
  }
  return all
}

const areGiven = (words: string): boolean => words.split(' ').every(isGiven)

/** Surnames, a comma or a slash between blanks, given names. */
const surnamesFirst = new RegExp(
  `(?<![\\p{L}\\d])(${capitalWord}(?: (?:${particle} ){0,2}${capitalWord}){0,4})(?:, ?| {1,2}/ {1,2})` +
    `((?:\\p{Lu}\\. ?)?${capitalWord}(?: ${capitalWord}){0,2})(?![\\p{L}\\d@])`,
  'gu',
)

/** Returns the names whose surnames stand first: `GARCÍA LÓPEZ / ANA MARÍA`, and `García López, Ana María` if the words agree. */
export function turnedIn(text: string, part: Span): NameRun[] {
  return matchesIn(text, surnamesFirst, part).flatMap((match): NameRun[] => {
    const [, written = '', given = ''] = match
    const title = titleOf(plainly(written))
    const surnames = written.slice(title.length)
    const [before, behind] = [surnames.split(' ').filter(Boolean), given.split(/[ .]{1,2}/).filter(Boolean)]
    const words = [...before, ...behind]
    if (before.length === 0 || words.some(word => !isParticle(word) && isOther(word)) || cityNames.has(plainly(surnames))) return []
    const areGivenNames = behind.every(word => word.length === 1 || isGiven(word))
    const isOwn = (word: string) => isGiven(word) && !mayBeSurname(word)
    // `Ana Vega, Luis Vega` are two people, so are ROSSI MARIO, ROSSI CARLA.
    if (areGivenNames ? isOwn(before[0] ?? '') : !before.every(isCapitals) || words.some(isOwn)) return []
    const isSure = title !== '' || (areGivenNames && !behind.every(mayBeSurname))
    const at: Span = [match.index + title.length, spanOf(match)[1]]
    return [{ value: nameOf(given, surnames), at, isSure, isTitled: title !== '', words: words.length }]
  })
}

/** Reads a run of words, which a label or a town divides. */
function partsOf(text: string, [from, to]: Span): NameRun[] {
  const plain = plainly(text.slice(from, to))
  const isTitled = titles.test(`${plain} `) || titleBefore.test(plainly(text.slice(Math.max(0, from - 12), from)))
  const words = matchesIn(text, /[^ ]{1,60}/g, [from, to]).slice(
    titleOf(plain).split(' ').length - 1,
    groupBehind.test(plain) ? -1 : undefined,
  )
  const runs: RegExpExecArray[][] = [[]]
  for (const word of words) {
    // `de la Torre`: a small word within a name belongs to a surname.
    if (/^\p{Lu}/u.test(word[0]) && isOther(word[0])) runs.push([])
    else runs.at(-1)?.push(word)
  }
  return runs.flatMap((list, index): NameRun[] => {
    const [first, last] = [list[0], list.at(-1)]
    const hasTitle = isTitled && index === 0
    const name = list.map(([word]) => word)
    const read = splitName(name, hasTitle)
    if (!first || !last || !read || cityNames.has(plainly(name.join(' ')))) return []
    return [{ ...read, at: [first.index, spanOf(last)[1]], isTitled: hasTitle, words: list.length }]
  })
}
