import { anyOf, languages, wholeWord } from '../paste-words/patterns.ts'
import type { PersonFound } from '../paste-people/person.ts'
import { before, lineEnd, matchesIn, type Pasted, type Span } from './text.ts'

type NumberAt = { value: number; at: Span }
export type PeopleFields = { travelers: (NumberAt & { isSure: boolean }) | undefined; ages: NumberAt[] }

const most = 99
const numberWords = new Map(
  Object.values(languages).flatMap(({ numbers }) =>
    numbers.split(', ').flatMap((names, index) => names.split(' ').map((name): [string, number] => [name, index + 1])),
  ),
)
const anyNumber = [...numberWords.keys()].join('|')
const number = `(\\d{1,2}|${anyNumber})`
const ageGroup = anyOf('ageGroup')
const traveller = anyOf('traveller')

/** Returns how many travel, and their ages. What is stated counts, unless a list of travellers or a flight's seats has more. */
export function findPeople(pasted: Pasted, people: readonly PersonFound[], seats: NumberAt | undefined): PeopleFields {
  const totals = [...totalsIn(pasted), ...partiesIn(pasted.plain)]
  const stated = agreed(pasted.plain, totals, sumsIn(pasted.plain))
  return { travelers: countOf(stated, people, seats) ?? numbered(pasted.plain), ages: agesIn(pasted) }
}

/** Without a list, the people found may be all: that is not sure. */
function countOf(stated: NumberAt | undefined, people: readonly PersonFound[], seats: NumberAt | undefined): PeopleFields['travelers'] {
  const listed = people.filter(({ travels }) => travels)
  const [first, last] = [listed[0] ?? people[0], listed.at(-1) ?? people.at(-1)]
  if (seats) {
    const at = first && last && listed.length > 0 ? ([first.at[0], last.at[1]] as const) : seats.at
    return { value: Math.max(seats.value, listed.length), at, isSure: true }
  }
  if (stated && stated.value >= listed.length) return { ...stated, isSure: true }
  if (!first || !last) return undefined
  const at: Span = [first.at[0], Math.max(first.at[1], last.at[1])]
  return listed.length > 0
    ? { value: listed.length, at, isSure: true }
    : people.length > 1
      ? { value: people.length, at, isSure: false }
      : undefined
}

/** Returns the count that all totals share; the parts of a total may stand beside it. The people of several rooms are not added up. */
function agreed(plain: string, totals: NumberAt[], sums: NumberAt[]): NumberAt | undefined {
  const counts = totals.length > 0 ? totals : sums
  const values = new Set(counts.map(({ value }) => value))
  const [first] = counts
  if (!first || values.size > 1 || first.value < 1 || first.value > most) return undefined
  if (sums.some(({ value }) => value > first.value)) return undefined
  if (totals.length === 0 && sums.length > 1 && severalRooms.test(plain)) return undefined
  return first
}

const severalRooms = new RegExp(`(?<!\\w)${anyOf('room')}s? ?(?:n?[ºo°.] ?)?[2-9](?!\\w)|(?<!\\w)[2-9] ${anyOf('rooms')}(?!\\w)`)

const valueOf = (text: string | undefined): number => (text === undefined ? 0 : (numberWords.get(text) ?? Number(text)))

const notTheCount = new RegExp(`(?:${anyOf('notTheCount')}\\.?|\\d (?:${anyOf('orMore')}|-)) ?:? ?$`)
const counted = new RegExp(`(?<![\\w.,/:-])${number} ?${traveller}(?!\\w)`, 'g')
const labelled = new RegExp(
  `(?<!\\w)(?:n[ºo°.]{0,2} (?:de |di )?|${anyOf('countOf')} )?${anyOf('traveller', 'participant')} ?: ?(\\d{1,2})(?![\\w.)/-]|[,:]\\d| ?x? ${ageGroup})`,
  'g',
)
const partySize = new RegExp(`(?<!\\w)${anyOf('partyOf')} ${number}(?![\\w:/%€]|[.,]\\d| ${ageGroup})`, 'g')

const totalsIn = ({ plain }: Pasted): NumberAt[] =>
  [...matchesIn(plain, counted), ...matchesIn(plain, labelled)]
    .filter(match => !notTheCount.test(plain.slice(Math.max(0, match.index - 14), match.index).replace(/.*\n/, '')))
    .map(match => numberAt(match, valueOf(match[1])))

/** Reads `somos 4`, `familia de cinco`. */
const partiesIn = (plain: string): NumberAt[] =>
  matchesIn(plain, partySize)
    .map(match => numberAt(match, valueOf(match[1])))
    // `nous sommes une famille` is not a count.
    .filter(({ value }) => value > 1)

const numberAt = (match: RegExpExecArray, value: number): NumberAt => ({ value, at: [match.index, match.index + match[0].length] })

const countBefore = new RegExp(`(?<![\\w.,/:€-])${number} ?x? ?${ageGroup}(?!\\w)`, 'g')
const countBehind = new RegExp(
  `(?<!(?:\\d|${anyNumber}) ?x? ?)(?<!\\w)${ageGroup} ?(?:\\(\\d{1,2}-\\d{1,2}\\) ?)?:? ?(\\d{1,2})(?![\\w.:/%€-]|,\\d| ${anyOf('years', 'ageGroup')})`,
  'g',
)

/** Adds up the counts that stand together: `2 adultos y 2 niños (4 y 7 años)`. */
function sumsIn(plain: string): NumberAt[] {
  const before = matchesIn(plain, countBefore)
  const behind = matchesIn(plain, countBehind)
  const parts = (before.length >= behind.length ? before : behind).map(match => numberAt(match, valueOf(match[1])))
  const sums: NumberAt[] = []
  for (const part of parts) {
    const last = sums.at(-1)
    const gap = last && plain.slice(last.at[1], part.at[0])
    if (last && gap !== undefined && gap.length <= 60 && gapBetween.test(gap)) {
      last.value += part.value
      last.at = [last.at[0], part.at[1]]
    } else sums.push({ ...part })
  }
  return sums
}

const listTitle = new RegExp(`^[ *#|-]{0,8}(?:${anyOf('listHead')} )?${anyOf('traveller', 'participant')}(?!\\w)[^\\n\\d]{0,60}$`, 'gm')
const listItem = new RegExp(`^\\s{0,4}(?:${anyOf('traveller', 'ageGroup')} )?(\\d{1,2}) ?[.):-]{1,3} ?[a-z]`)

/** Counts a list of travellers that is numbered under its title. */
function numbered(plain: string): PeopleFields['travelers'] {
  for (const title of matchesIn(plain, listTitle)) {
    const from = title.index + title[0].length + 1
    let [at, count] = [from, 0]
    while (at < plain.length && count < most) {
      const item = listItem.exec(plain.slice(at, at + 40))
      if (Number(item?.[1]) !== count + 1) break
      count++
      at = lineEnd(plain, at) + 1
    }
    if (count > 0) return { value: count, at: [from, Math.min(at - 1, plain.length)], isSure: true }
  }
  return undefined
}

const aboutPeople = new RegExp(wholeWord('ageGroup', 'traveller', 'relative', 'age'))
const ageList = `((?:\\d{1,2} ?(?:,|&|/|${anyOf('and')}) ?){0,8}\\d{1,2})`
const gapBetween = new RegExp(
  `^[\\s,+/&|]*(?:\\([^)\\n]*\\)|(?:d[ei] )?${ageList} ?${anyOf('years')}|${anyOf('age')} ${ageList})?[\\s,+/&|]*${anyOf('and', 'plus')}?\\s*$`,
)
const agesInYears = new RegExp(`(?<![\\w.,/:-])${ageList} ?${anyOf('years')}(?!\\w)`, 'g')
const labelledAges = new RegExp(`(?<!\\w)${anyOf('age')} ?:? ?${ageList}(?![\\d.:/])`, 'g')

/** Returns the ages in a text: `4 y 7 años` counts in a clause about people. */
function agesIn(pasted: Pasted): NumberAt[] {
  const { plain } = pasted
  const spoken = matchesIn(plain, agesInYears).filter(match => aboutPeople.test(before(pasted, match.index)))
  const all = [...spoken, ...matchesIn(plain, labelledAges)].toSorted((a, b) => a.index - b.index)
  const ages = all.flatMap(match =>
    [...match[0].matchAll(/\d{1,2}/g)].map(
      ({ 0: digits, index }): NumberAt => ({ value: Number(digits), at: [match.index + index, match.index + index + digits.length] }),
    ),
  )
  return ages.filter(({ at }, index) => ages.findIndex(other => other.at[0] === at[0]) === index)
}
