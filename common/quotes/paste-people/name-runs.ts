import { cityNames } from '#common/geography/cities.ts'
import { wholeWord } from '../paste-words/patterns.ts'
import { matchesIn, plainly, type Span } from '../paste/text.ts'
import { isGiven, mayBeSurname } from './given-names.ts'
import { isCapitals, isParticle, nameOf, splitName } from './names.ts'
import type { PersonFields } from './person.ts'

/** A name in a line: its parts, and whether a title stands before it. */
export type NameRun = { value: PersonFields; at: Span; isSure: boolean; isTitled: boolean; words: number }

const capitalWord = "(?:M\\.ª|\\p{Lu}[\\p{L}'’-]{1,24})"
const particle = "(?:de|del|da|do|dos|das|di|du|van|von|der|den|ter|la|las|los|le|dal|della|degli|y|e|d['’])"
const run = new RegExp(
  `(?<![\\p{L}\\d@.'’/-])(?:\\p{Lu}\\.? )?${capitalWord}(?: (?:${particle} ){0,2}(?:${capitalWord}|\\p{Lu}\\.?(?= ))){0,5}(?![\\p{L}\\d@])`,
  'gu',
)
const titles = new RegExp(`^(?:${wholeWord('nameTitle')}\\.? ){1,2}`)
const titleBefore = new RegExp(`${wholeWord('nameTitle')}\\.? {1,2}$`)
const groupWords = new RegExp(`^(?:${wholeWord('ageGroup', 'traveller')} ){1,2}`)
const groupBehind = new RegExp(` (?:${wholeWord('ageGroup', 'nameTitle')}|yth|ins|cnn)$`)
const notName = new RegExp(wholeWord('notName', 'ageGroup', 'passport', 'mobile', 'mailbox'))

/** Returns the names in a part of a text: capitalised words that are not labels, towns or common words of emails. */
export function namesInLine(text: string, [from, to]: Span): NameRun[] {
  const line = text.slice(from, to)
  const turned = turnedIn(text, [from, to])
  const others = inColumns(
    text,
    matchesIn(line, run).flatMap(match => partsOf(text, match[0], from + match.index)),
  )
  return [...turned, ...others.filter(({ at }) => !turned.some(name => at[0] < name.at[1] && at[1] > name.at[0]))].toSorted(
    (a, b) => a.at[0] - b.at[0],
  )
}

/** Joins given names and surnames in two columns: `Lorena   Cano Vidal`. */
function inColumns(text: string, runs: readonly NameRun[]): NameRun[] {
  const all: NameRun[] = []
  for (const each of runs) {
    const last = all.at(-1)
    const [one, other] = [last && text.slice(...last.at), text.slice(...each.at)]
    const [isFirst, isSecond] = [one !== undefined && areGiven(one), areGiven(other)]
    if (!last || one === undefined || isFirst === isSecond || !/^(?: {2,40}| ?\t ?)$/.test(text.slice(last.at[1], each.at[0]))) {
      all.push(each)
      continue
    }
    const { isSure, ...value } = isFirst ? nameOf(one, other) : nameOf(other, one)
    all[all.length - 1] = { value, at: [last.at[0], each.at[1]], isSure, isTitled: last.isTitled, words: last.words + each.words }
  }
  return all
}

const areGiven = (words: string): boolean => words.split(' ').every(isGiven)

/** Surnames, a comma or a slash between blanks, given names. */
const surnamesFirst = new RegExp(
  `(?<![\\p{L}\\d])(${capitalWord}(?: (?:${particle} ){0,2}${capitalWord}){0,4})(?:, ?| {1,2}/ {1,2})((?:\\p{Lu}\\. ?)?${capitalWord}(?: ${capitalWord}){0,2})(?![\\p{L}\\d@])`,
  'gu',
)

/** Returns the names whose surnames stand first: `GARCÍA LÓPEZ / ANA MARÍA`, and `García López, Ana María` if the words agree. */
export function turnedIn(text: string, [from, to]: Span): NameRun[] {
  return matchesIn(text.slice(from, to), surnamesFirst).flatMap((match): NameRun[] => {
    const [all, written = '', given = ''] = match
    const title = titles.exec(`${plainly(written)} `)?.[0] ?? groupWords.exec(`${plainly(written)} `)?.[0] ?? ''
    const surnames = written.slice(title.length)
    const [before, behind] = [surnames.split(' ').filter(Boolean), given.split(/[ .]{1,2}/).filter(Boolean)]
    if (before.length === 0 || [...before, ...behind].some(word => !isParticle(word) && isOther(word)) || cityNames.has(plainly(surnames)))
      return []
    const areGivenNames = behind.every(word => word.length === 1 || isGiven(word))
    const isOwn = (word: string) => isGiven(word) && !mayBeSurname(word)
    // `Ana Vega, Luis Vega` are two people, so are ROSSI MARIO, ROSSI CARLA.
    if (areGivenNames ? isOwn(before[0] ?? '') : !before.every(isCapitals) || [...before, ...behind].some(isOwn)) return []
    const { isSure: _, ...value } = nameOf(given, surnames)
    const isSure = title !== '' || (areGivenNames && !behind.every(mayBeSurname))
    const at: Span = [from + match.index + title.length, from + match.index + all.length]
    return [{ value, at, isSure, isTitled: title !== '', words: before.length + behind.length }]
  })
}

/** Reads a run of words, which a label or a town divides. */
function partsOf(text: string, written: string, from: number): NameRun[] {
  const words: { word: string; at: number }[] = matchesIn(written, /[^ ]{1,60}/g).map(({ 0: word, index }) => ({ word, at: from + index }))
  const plain = plainly(written)
  const title = titles.exec(`${plain} `)?.[0] ?? groupWords.exec(`${plain} `)?.[0] ?? ''
  const isTitled = titles.test(`${plain} `) || titleBefore.test(plainly(text.slice(Math.max(0, from - 12), from)))
  const skipped = title.trim() ? title.trim().split(' ').length : 0
  const behind = groupBehind.exec(plain) ? 1 : 0
  const rest = words.slice(skipped, words.length - behind)
  const runs: (typeof words)[] = [[]]
  for (const each of rest) {
    // `de la Torre`: a small word within a name belongs to a surname.
    if (/^\p{Lu}/u.test(each.word) && isOther(each.word)) runs.push([])
    else runs.at(-1)?.push(each)
  }
  return runs.flatMap((list, index) => {
    const [first, last] = [list[0], list.at(-1)]
    const hasTitle = isTitled && index === 0
    const read = splitName(
      list.map(({ word }) => word),
      hasTitle,
    )
    if (!first || !last || !read || cityNames.has(plainly(list.map(({ word }) => word).join(' ')))) return []
    const { isSure, ...value } = read
    return [{ value, at: [first.at, last.at + last.word.length], isSure, isTitled: hasTitle, words: list.length }]
  })
}

/** True for a label, a month or another word that is not part of a name. */
export function isOther(word: string): boolean {
  const plain = plainly(word).replace(/[.']{1,3}$/, '')
  return notName.exec(plain)?.[0] === plain
}
