import { anyNumber, numberOf } from '../paste-words/calendar.ts'
import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { otherTravellers } from '../paste-people/lists.ts'
import type { PersonFound } from '../paste-people/person.ts'
import { labelOf, lineEnd, matchesIn, type Pasted, type Span, spanOf } from './text.ts'

export type NumberAt = { value: number; at: Span }
/** A number of travellers. `isSure` is false if it may leave some out. */
type Count = NumberAt & { isSure: boolean }

/** Returns the number of travellers: the stated one, unless a list or seats have more; without a list, that of the people, doubtful. */
export function travellersIn(pasted: Pasted, people: readonly PersonFound[], seats: NumberAt | undefined): Count | undefined {
  const listed = people.filter(({ travels }) => travels)
  if (seats) return { value: Math.max(seats.value, listed.length), at: listed.length > 0 ? around(listed) : seats.at, isSure: true }
  const stated = statedCount(pasted)
  if (stated && stated.value > listed.length) return stated
  if (listed.length > 0) {
    const at = stated?.value === listed.length ? stated.at : around(listed)
    return { value: listed.length, at, isSure: !goesOn(pasted, listed) }
  }
  return people.length > 1 ? { value: people.length, at: around(people), isSure: false } : undefined
}

/** Returns the part of the text with all these people, in any order. */
const around = (people: readonly PersonFound[]): Span => [
  Math.min(...people.map(({ at }) => at[0])),
  Math.max(...people.map(({ at }) => at[1])),
]

const most = 99
const number = `(\\d{1,2}|${anyNumber})`
const ageGroup = anyOf('ageGroup')
const and = anyOf('and', 'plus')
const ageList = `((?:\\d{1,2} ?(?:,|&|/|${anyOf('and')}) ?){0,8}\\d{1,2})`

/** The words right behind a number or a name that add people: `y los niños`, `+ 1 bebé`, `, dos niños`. */
const remark = '^(?: ?\\([^)\\n]{0,40}\\))?'
const someone = `(?:(?:${number}|[a-z']{1,9}) ){0,2}${anyOf('child', 'relative', 'ageGroup')}(?!\\w)`
const more = new RegExp(`${remark}\\s{0,2}(?:[+&]|${and} )\\s{0,2}${someone}|^ ?\\+ ?\\d(?!\\d)`)
const moreListed = new RegExp(`${remark}, ?${someone}`)
const ownParty = new RegExp(`^ ?${anyOf('including')} `)
/** The words right before a number that add people: `mi mujer y 2 niños`. */
const relativeBefore = new RegExp(`${wholeWord('relative')},? ?(?:[+&]|${and} )\\s?(?:[a-z']{1,9} )?$`)
const joinedBefore = new RegExp(`(?:[+&]|(?<!\\w)${and} )\\s?(?:[a-z']{1,9} )?$`)
const relatives = new RegExp(wholeWord('relative'))
const young = new RegExp(`${wholeWord('child')}|(?<!\\w)(?:chd|inf)(?!\\w)`)

/** The sum of adjacent age groups, and which of them it includes. */
type Sum = NumberAt & { hasAdults: boolean; hasChildren: boolean }

/** Returns the number of travellers stated in a text: a total, else the sum of its age groups. None if more people are named beside it. */
function statedCount({ plain }: Pasted): Count | undefined {
  const [counted, parties, sums] = [totalsIn(plain), partiesIn(plain), sumsIn(plain)]
  const totals = [...counted, ...parties]
  const counts = totals.length > 0 ? totals.map(total => ({ ...total, hasAdults: true, hasChildren: true })) : sums
  const [first] = counts
  if (!first || !isAgreed(plain, counts, sums) || first.value < 1 || first.value > most) return undefined
  const behind = ({ at }: NumberAt) => plain.slice(at[1], at[1] + 80)
  if (counted.some(total => more.test(behind(total)))) return undefined
  if (parties.some(party => more.test(behind(party)) && !ownParty.test(behind(party)))) return undefined
  const { value, at, hasAdults, hasChildren } = first
  if (totals.length > 0) return { value, at, isSure: true }
  return sums.some(sum => isPart(plain, sum)) ? undefined : { value, at, isSure: hasAdults && (hasChildren || !young.test(plain)) }
}

/** True if all totals agree; the parts of a total may stand beside it. The people of several rooms are not added up. */
function isAgreed(plain: string, counts: readonly Sum[], sums: readonly Sum[]): boolean {
  const [first] = counts
  if (!first || counts.some(({ value }) => value !== first.value) || sums.some(({ value }) => value > first.value)) return false
  if (counts !== sums || sums.length < 2) return true
  // `Adults: 2 - Children: 2` makes four.
  const isAlike = sums.every(({ hasAdults, hasChildren }) => hasAdults === first.hasAdults && hasChildren === first.hasChildren)
  return isAlike && !severalRooms.test(plain)
}

const severalRooms = new RegExp(`(?<!\\w)${anyOf('room')} ?(?:n?[ºo°.] ?)?[2-9](?!\\w)|(?<!\\w)[2-9] ${anyOf('room')}(?!\\w)`)

/** True if more people are named right beside a sum: `2 adultos y los niños`, `my wife and I plus our 3 kids`. */
function isPart(plain: string, { at, hasAdults }: Sum): boolean {
  const [before, behind] = [plain.slice(Math.max(0, at[0] - 40), at[0]), plain.slice(at[1], at[1] + 80)]
  if (more.test(behind) || moreListed.test(behind) || relativeBefore.test(before)) return true
  return !hasAdults && (joinedBefore.test(before) || relatives.test(plain))
}

const notTheCount = new RegExp(`(?:${anyOf('notTheCount')}\\.?|\\d (?:${anyOf('orMore')}|-)) ?:? ?$`)
const counted = new RegExp(`(?<![\\w.,/:-])${number} ?${anyOf('traveller')}(?!\\w)`, 'g')
const labelled = new RegExp(
  `(?<!\\w)(?:n[ºo°.]{0,2} (?:de |di )?|${anyOf('countOf')} )?${anyOf('traveller', 'participant')} ?: ?` +
    `(\\d{1,2})(?![\\w.)/-]|[,:]\\d| ?x? ${ageGroup})`,
  'g',
)
const partySize = new RegExp(`(?<!\\w)${anyOf('partyOf')} ${number}(?![\\w:/%€]|[.,]\\d| ${ageGroup})`, 'g')

const numberAt = (match: RegExpExecArray): NumberAt => ({ value: numberOf(match[1] ?? '1'), at: spanOf(match) })

const totalsIn = (plain: string): NumberAt[] =>
  [...matchesIn(plain, counted), ...matchesIn(plain, labelled)]
    .filter(match => !notTheCount.test(plain.slice(Math.max(0, match.index - 14), match.index).replace(/.*\n/, '')))
    .map(numberAt)

/** Reads `somos 4`, `familia de cinco`. `nous sommes une famille` is not a count. */
const partiesIn = (plain: string): NumberAt[] =>
  matchesIn(plain, partySize)
    .map(numberAt)
    .filter(({ value }) => value > 1)

/** `2 adultos`, and English `and a baby`. */
const countBefore = new RegExp(`(?:(?<![\\w.,/:€-])${number}|(?<=(?:${and} |[,+&/] ?)|\\d )an?) ?x? ?${ageGroup}(?!\\w)`, 'g')
const countBehind = new RegExp(
  `(?<!(?:\\d|${anyNumber}) ?x? ?)(?<!\\w)${ageGroup} ?(?:\\(\\d{1,2}-\\d{1,2}\\) ?)?:? ?(\\d{1,2})` +
    `(?![\\w.:/%€-]| ?(?:[,&/]|${anyOf('and')}) ?\\d{1,2}(?! ?x? ?${ageGroup})| ${anyOf('years', 'ageGroup')})`,
  'g',
)
/** Matches `Adultos: 2  Niños: 1`, but not `Niños: 4 y 7 años`. */
const countLabelled = new RegExp(
  `(?<!\\w)${ageGroup} ?(?:\\([^)\\n]{1,20}\\) ?)?: ?(\\d{1,2})` +
    `(?![\\w.:/%-]| ?(?:[€$£,&/]|eur|${anyOf('and')}) ?\\d| ?[€$£]| ${anyOf('years')}(?!\\w))`,
  'g',
)
const gapBetween = new RegExp(
  `^[\\s,+/&|]*(?:\\([^)\\n]*\\)|(?:d[ei] )?${ageList} ?${anyOf('years')}|${anyOf('age')} ${ageList})?[\\s,+/&|]*${and}?\\s*$`,
)

/** Adds up adjacent counts: `2 adultos y 2 niños (4 y 7 años)`. */
function sumsIn(plain: string): Sum[] {
  const [before, behind, labels] = [matchesIn(plain, countBefore), matchesIn(plain, countBehind), matchesIn(plain, countLabelled)]
  const sums: Sum[] = []
  for (const match of labels.length > 0 ? labels : before.length >= behind.length ? before : behind) {
    const hasChildren = young.test(match[0])
    const part = { ...numberAt(match), hasChildren, hasAdults: !hasChildren }
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

const another = new RegExp(`${remark} ?(?:[+&]|${anyOf('and')} )`)
const child = new RegExp(`${remark}, ?(?:\\d|un[aeo]?) ${anyOf('child', 'ageGroup')}(?!\\w)`)
const fullName = /^(?: ?\([^)\n]{0,40}\))?, ?\p{Lu}\p{L}{1,20} \p{Lu}\p{Ll}/u
/** A line of a list without a name: `3. Bebé`, `Niño 2`. */
const unreadItem = new RegExp(`^\\s{0,6}(?:(?:\\d{1,2} ?[.):-]{1,3}|[-*|]) ?(?:${ageGroup}|\\?)|${ageGroup} ?\\d{1,2})[ .?]{0,3}$`)

/** True if a list mentions people without names: `Sr. Pérez y Sra. García + 2 niños`, or only the other travellers. */
function goesOn({ plain, text, cells }: Pasted, listed: readonly PersonFound[]): boolean {
  if (cells.some(({ column, at }) => column && !listed.some(person => person.at[0] <= at[0] && at[1] <= person.at[1]))) return true
  const others = plain.search(otherTravellers)
  if (others >= 0 && listed.every(({ at }) => at[0] > others)) return true
  const next = lineEnd(plain, around(listed)[1]) + 1
  if (unreadItem.test(plain.slice(next, lineEnd(plain, next)))) return true
  return listed.some(({ at: [, end] }) => {
    const behind = plain.slice(end, end + 80)
    const isUnread = another.test(behind) || fullName.test(text.slice(end, end + 80))
    const isNext = listed.some(other => other.at[0] >= end && other.at[0] < end + 60)
    return more.test(behind) || child.test(behind) || (isUnread && !isNext)
  })
}

const aboutPeople = new RegExp(wholeWord('ageGroup', 'traveller', 'relative', 'age'))
const agesInYears = new RegExp(`(?<![\\w.,/:-])${ageList} ?${anyOf('years')}(?!\\w)`, 'g')
const ageHead = new RegExp(`^${anyOf('age')}$`)
const labelledAges = new RegExp(`(?<!\\w)${anyOf('age')} ?:? ?${ageList}(?![\\d.:/])`, 'g')

/** Returns the ages in a text. `4 y 7 años` counts in a clause about people. */
export function agesIn(pasted: Pasted): NumberAt[] {
  const { plain } = pasted
  const spoken = matchesIn(plain, agesInYears).filter(match => aboutPeople.test(labelOf(pasted, match.index)))
  const named = [...spoken, ...matchesIn(plain, labelledAges)].toSorted((a, b) => a.index - b.index).map(match => spanOf(match))
  const cells = pasted.cells.filter(({ at, head }) => ageHead.test(head) && /^\d{1,2}$/.test(plain.slice(...at))).map(({ at }) => at)
  return [...named, ...cells]
    .flatMap(part => matchesIn(plain, /\d{1,2}/g, part).map((match): NumberAt => ({ value: Number(match[0]), at: spanOf(match) })))
    .filter(({ at }, index, all) => all.findIndex(other => other.at[0] === at[0]) === index)
}
