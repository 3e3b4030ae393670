import { anyNumber, numberOf } from '../paste-words/calendar.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { matchesIn, type Pasted, type Span } from './text.ts'

export type NumberAt = { value: number; at: Span }
/** A number of travellers. `isSure` is false if it may leave some out. */
export type Count = NumberAt & { isSure: boolean }

export const most = 99
const number = `(\\d{1,2}|${anyNumber})`
const ageGroup = anyOf('ageGroup')
const traveller = anyOf('traveller')
export const ageList = `((?:\\d{1,2} ?(?:,|&|/|${anyOf('and')}) ?){0,8}\\d{1,2})`

/** Returns the number of travellers stated in a text: a total, else the sum of its age groups. Undefined if more people are named beside it. */
export function statedCount(pasted: Pasted): Count | undefined {
  const { plain } = pasted
  const [counted, parties, sums] = [totalsIn(pasted), partiesIn(plain), sumsIn(plain)]
  const totals = [...counted, ...parties]
  const stated = agreed(plain, totals, sums)
  const behind = ({ at }: NumberAt) => plain.slice(at[1], at[1] + 80)
  if (!stated || counted.some(total => more.test(behind(total)))) return undefined
  if (parties.some(party => more.test(behind(party)) && !ownParty.test(behind(party)))) return undefined
  if (totals.length > 0) return { ...stated, isSure: true }
  const { value, at, hasAdults, hasChildren } = stated
  if (sums.some(sum => isPart(plain, sum))) return undefined
  return { value, at, isSure: hasAdults && (hasChildren || !young.test(plain)) }
}

/** The sum of adjacent age groups, and which of them it includes. */
type Sum = NumberAt & { hasAdults: boolean; hasChildren: boolean }

/** Returns the number that all totals agree on; the parts of a total may stand beside it. The people of several rooms are not added up. */
function agreed(plain: string, totals: NumberAt[], sums: Sum[]): Sum | undefined {
  const counts = totals.length > 0 ? totals.map(total => ({ ...total, hasAdults: true, hasChildren: true })) : sums
  const values = new Set(counts.map(({ value }) => value))
  const [first] = counts
  if (!first || values.size > 1 || first.value < 1 || first.value > most) return undefined
  if (sums.some(({ value }) => value > first.value)) return undefined
  if (totals.length === 0 && sums.length > 1) {
    if (severalRooms.test(plain)) return undefined
    // `Adults: 2 - Children: 2` makes four.
    if (sums.some(({ hasAdults, hasChildren }) => hasAdults !== first.hasAdults || hasChildren !== first.hasChildren)) return undefined
  }
  return first
}

const young = new RegExp(`${wholeWord('child')}|(?<!\\w)(?:chd|inf)(?!\\w)`)
const anyone = anyOf('child', 'relative', 'ageGroup')
const some = `(?:(?:${number}|[a-z']{1,9}) ){0,2}`
/** `y los niños`, `+ 1 bebé` after a number of people. */
export const more = new RegExp(
  `^(?: ?\\([^)\\n]{0,40}\\))?\\s{0,2}(?:[+&]|${anyOf('and', 'plus')} )\\s{0,2}${some}${anyone}(?!\\w)|^ ?\\+ ?\\d(?!\\d)`,
)
const ownParty = new RegExp(`^ ?${anyOf('including')} `)
const moreListed = new RegExp(`^(?: ?\\([^)\\n]{0,40}\\))?, ?${some}${anyone}(?!\\w)`)
const relativeBefore = new RegExp(`${wholeWord('relative')},? ?(?:[+&]|${anyOf('and', 'plus')} )\\s?(?:[a-z']{1,9} )?$`)
const joinedBefore = new RegExp(`(?:[+&]|(?<!\\w)${anyOf('and', 'plus')} )\\s?(?:[a-z']{1,9} )?$`)

/** True if more people are named right beside a sum: `2 adultos y los niños`, `my wife and I plus our 3 kids`. */
function isPart(plain: string, { at, hasAdults }: Sum): boolean {
  const [before, behind] = [plain.slice(Math.max(0, at[0] - 40), at[0]), plain.slice(at[1], at[1] + 80)]
  if (more.test(behind) || moreListed.test(behind) || relativeBefore.test(before)) return true
  return !hasAdults && (joinedBefore.test(before) || wholeRelative.test(plain))
}

const wholeRelative = new RegExp(wholeWord('relative'))

const severalRooms = new RegExp(`(?<!\\w)${anyOf('room')}s? ?(?:n?[ºo°.] ?)?[2-9](?!\\w)|(?<!\\w)[2-9] ${anyOf('rooms')}(?!\\w)`)

const valueOf = (text: string | undefined): number => (text === undefined ? 0 : numberOf(text))

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

/** `2 adultos`, and English `and a baby`. */
const countBefore = new RegExp(
  `(?:(?<![\\w.,/:€-])${number}|(?<=(?:${anyOf('and', 'plus')} |[,+&/] ?)|\\d )an?) ?x? ?${ageGroup}(?!\\w)`,
  'g',
)
const countBehind = new RegExp(
  `(?<!(?:\\d|${anyNumber}) ?x? ?)(?<!\\w)${ageGroup} ?(?:\\(\\d{1,2}-\\d{1,2}\\) ?)?:? ?(\\d{1,2})(?![\\w.:/%€-]| ?(?:[,&/]|${anyOf('and')}) ?\\d{1,2}(?! ?x? ?${ageGroup})| ${anyOf('years', 'ageGroup')})`,
  'g',
)
/** Matches `Adultos: 2  Niños: 1`, but not `Niños: 4 y 7 años`. */
const countLabelled = new RegExp(
  `(?<!\\w)${ageGroup} ?(?:\\([^)\\n]{1,20}\\) ?)?: ?(\\d{1,2})(?![\\w.:/%-]| ?(?:[€$£,&/]|eur|${anyOf('and')}) ?\\d| ?[€$£]| ${anyOf('years')}(?!\\w))`,
  'g',
)

/** Adds up adjacent counts: `2 adultos y 2 niños (4 y 7 años)`. */
function sumsIn(plain: string): Sum[] {
  const before = matchesIn(plain, countBefore)
  const behind = matchesIn(plain, countBehind)
  const labels = matchesIn(plain, countLabelled)
  const matches = labels.length > 0 ? labels : before.length >= behind.length ? before : behind
  const sums: Sum[] = []
  for (const match of matches) {
    const hasChildren = young.test(match[0])
    const part = { ...numberAt(match, valueOf(match[1] ?? '1')), hasChildren, hasAdults: !hasChildren }
    const last = sums.at(-1)
    const gap = last && plain.slice(last.at[1], part.at[0])
    if (last && gap !== undefined && gap.length <= 60 && gapBetween.test(gap)) {
      last.value += part.value
      last.at = [last.at[0], part.at[1]]
      last.hasAdults ||= part.hasAdults
      last.hasChildren ||= part.hasChildren
    } else sums.push(part)
  }
  return sums
}

const gapBetween = new RegExp(
  `^[\\s,+/&|]*(?:\\([^)\\n]*\\)|(?:d[ei] )?${ageList} ?${anyOf('years')}|${anyOf('age')} ${ageList})?[\\s,+/&|]*${anyOf('and', 'plus')}?\\s*$`,
)
