import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { lineAbove, lineEnd, lineStart, matchesIn, type Pasted, plainly, type Span } from '../paste/text.ts'
import type { NameRun } from './name-runs.ts'
import { isOther, namesInLine, turnedIn } from './name-runs.ts'
import { nameOf } from './names.ts'
import type { PersonFound } from './person.ts'

const listTitle = new RegExp(
  `^[ *#|>-]{0,8}(?:\\d{1,2} )?[¿¡?]? ?(?:(?:${anyOf('listHead', 'others')} )?${anyOf('traveller', 'participant')}(?: list)?(?!\\w)(?:/[a-z()]{1,16})?|${anyOf('listTitle')})[^\\n:\\d(]{0,30}(?:\\([^)\\n]{1,30}\\))?[ ?]{0,3}(:?)[ ?:]{0,3}`,
  'gm',
)
const mostLines = 60
/** The number or character before a name in a list. */
const bullet = new RegExp(
  `^\\s{0,6}(?:${anyOf('ageGroup', 'traveller')} \\d{1,2} ?[:.)-] ?|[-*|>]{1,2} ?|\\(?\\d{1,2} ?[.):-]{1,3} ?|\\d{1,2} {1,2})?`,
)
/** The characters and words after a name in a list. */
const ending = new RegExp(
  `^ {0,3}(?:$|[(,;:|+-]|\\.(?: |$)| {2}|\\t|/|\\d|${wholeWord('ageGroup', 'birth', 'passport')}|y |e |et |and |& )`,
)

/** Returns the people that a list of travellers names, below its title or after it. */
export function listedPeople(pasted: Pasted): PersonFound[] {
  let until = 0
  return matchesIn(pasted.plain, listTitle).flatMap(title => {
    // Skip a title within the list before it.
    if (title.index < until) return []
    const behind = title.index + title[0].length
    const end = lineEnd(pasted.plain, behind)
    if (title[1] && pasted.plain.slice(behind, end).trim()) {
      const named = inline(pasted, [behind, end])
      // `Travellers: 2 adults`, with their names below.
      return named.length === 0 && /^\n {0,6}1 ?[.):-]/.test(pasted.plain.slice(end, end + 12)) ? below(pasted, end + 1) : named
    }
    const people = pasted.plain.slice(behind, end).trim() ? [] : below(pasted, end + 1)
    until = people.at(-1)?.at[1] ?? 0
    return people
  })
}

/** `Adultos: Marta Gil, Óscar Pons`. */
const groupHead = new RegExp(`^${anyOf('ageGroup')} ?: ?`)

/** Reads a list line by line. A blank line directly under its title is skipped, the next one ends the list. */
function below({ text, plain }: Pasted, from: number): PersonFound[] {
  const people: PersonFound[] = []
  let [at, misses] = [from, 0]
  for (let lines = 0; lines < mostLines && at < plain.length && misses < 3; lines++) {
    const end = lineEnd(plain, at)
    const line = plain.slice(at, end)
    // A title on its own line may follow.
    if (!line.trim() && people.length > 0 && !onlyTitles.test(plain.slice(end + 1, lineEnd(plain, end + 1)).trim())) break
    const begin = at + (bullet.exec(line)?.[0].length ?? 0)
    const head = groupHead.exec(plain.slice(begin, end))?.[0].length
    const group = head === undefined ? [] : inline({ text, plain }, [begin + head, end])
    const [name] = namesInLine(text, [begin, end])
    if (group.length > 0) {
      people.push(...group)
      misses = 0
    } else if (name && isWhole(text, plain, name, begin, end)) {
      people.push(personOf(name))
      misses = 0
    } else misses += people.length > 0 || line.trim() ? 1 : 0
    at = end + 1
  }
  return people
}

/** True if a name begins its line and is followed by an ending of names. A title or a word such as `Niña` may precede it. */
function isWhole(text: string, plain: string, { at, words, isTitled }: NameRun, begin: number, end: number): boolean {
  const head = plain.slice(begin, at[0]).trim()
  if (head && !onlyTitles.test(head)) return false
  return (words > 1 || isTitled) && ending.test(plainly(text.slice(at[1], end)))
}

const onlyTitles = new RegExp(`^(?:(?:${wholeWord('nameTitle', 'ageGroup', 'traveller')})[ .:]{0,3}){1,3}$`)

const personOf = ({ value, at, isSure }: NameRun): PersonFound => ({ value, at, isSure, doubts: [], travels: true })

/** Reads `Pasajeros: Sra. Ana Vega y Sr. Luis Vega`, where each part must begin with a name. */
function inline({ text, plain }: Pick<Pasted, 'text' | 'plain'>, [from, to]: Span): PersonFound[] {
  const turned = turnedIn(text, [from, to]).filter(name => {
    const head = /^(?:.{0,300}(?:[,;|]| (?:y|e|et|and|ed|&) ))?/.exec(plain.slice(from, name.at[0]))?.[0] ?? ''
    return isWhole(text, plain, name, from + head.length, to)
  })
  const people = turned.map(personOf)
  for (const { index, 0: part } of matchesIn(plain.slice(from, to), parts)) {
    const begin = from + index + (/^ {0,4}(?:(?:y|e|et|and|ed|&) )?/.exec(part)?.[0].length ?? 0)
    if (turned.some(({ at }) => at[0] < from + index + part.length && at[1] > from + index)) continue
    const [name] = namesInLine(text, [begin, from + index + part.length])
    if (name && isWhole(text, plain, name, begin, from + index + part.length)) people.push(personOf(name))
  }
  return people.toSorted((a, b) => a.at[0] - b.at[0])
}

const parts = /(?:\([^)\n]{0,80}\)|(?! (?:y|e|et|and|ed|&) )[^,;|(\n]){1,200}/g

const label = new RegExp(
  `(?<!\\w)(?:${anyOf('personLabel')}|${anyOf('traveller', 'participant')} \\d{1,2})(?: ?\\([a-z ]{1,20}\\))? ?:? {1,3}`,
  'g',
)
const travelLabel = new RegExp(wholeWord('traveller'))
export const otherTravellers = new RegExp(`(?<!\\w)${anyOf('others')} ${anyOf('traveller')}(?!\\w)`)
const stayWords = new RegExp(wholeWord('stay', 'night'))

/** Returns the people after a label: `Titular: `, `Reserved for `. */
export function labelledPeople({ text, plain }: Pasted): PersonFound[] {
  return matchesIn(plain, label).flatMap(match => {
    const from = match.index + match[0].length
    const end = lineEnd(plain, from)
    const isColon = match[0].includes(':')
    const [name] = namesInLine(text, [from, Math.min(end, from + 80)])
    if (!name || plain.slice(from, name.at[0]).trim().replace(/\.$/, '').length > (name.isTitled ? 8 : 0)) return []
    if (!isColon && lineStart(plain, match.index) !== match.index && name.words < 2) return []
    if (name.words < 2 && !name.isTitled) return []
    return [{ ...personOf(name), travels: travelLabel.test(match[0]) && (!stayWords.test(plain) || otherTravellers.test(plain)) }]
  })
}

const nameLine = `[ *-]{0,4}(?:(${anyOf('givenHead')})|${anyOf('surnameHead')}) ?: ?([^\\n:]{1,40})`
const nameLines = new RegExp(`^${nameLine}\\n${nameLine}$`, 'gm')
const numberedTraveller = new RegExp(`${wholeWord('traveller', 'participant', 'ageGroup')} ?\\d{1,2}`)

/** Returns the people of forms: given names on one line, surnames on the next, or the other way round. */
export function formPeople({ text, plain }: Pasted): PersonFound[] {
  return matchesIn(plain, nameLines).flatMap(match => {
    const [all, isGivenFirst, first = '', isGivenSecond, second = ''] = match
    if ((isGivenFirst === undefined) === (isGivenSecond === undefined)) return []
    const from = match.index + all.indexOf('\n') - first.length
    const to = match.index + all.length
    const [one, other] = [text.slice(from, from + first.length).trim(), text.slice(to - second.length, to).trim()]
    if (![one, other].every(words => /^\p{Lu}[\p{L}'’. ªº-]{1,40}$/u.test(words) && !words.split(' ').some(isOther))) return []
    const { isSure, ...value } = isGivenFirst ? nameOf(one, other) : nameOf(other, one)
    const above = lineAbove(plain, match.index)
    return [{ value, at: [from, to], isSure, doubts: [], travels: above !== undefined && numberedTraveller.test(plain.slice(...above)) }]
  })
}
