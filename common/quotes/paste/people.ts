import { anyOf, wholeWord } from '../paste-words/patterns.ts'
import { otherTravellers } from '../paste-people/lists.ts'
import type { PersonFound } from '../paste-people/person.ts'
import { ageList, type Count, more, most, type NumberAt, statedCount } from './counts.ts'
import { before, lineEnd, matchesIn, type Pasted, type Span } from './text.ts'

export type PeopleFields = { travelers: Count | undefined; ages: NumberAt[] }

/** Returns the number of travellers and their ages. The stated number counts, unless a list of travellers or a flight's seats has more. */
export const findPeople = (pasted: Pasted, people: readonly PersonFound[], seats: NumberAt | undefined): PeopleFields => ({
  travelers: countOf(pasted, { stated: statedCount(pasted), people, seats }) ?? numbered(pasted.plain),
  ages: agesIn(pasted),
})

type Counted = { stated: Count | undefined; people: readonly PersonFound[]; seats: NumberAt | undefined }

/** Without a list, the people found may be all, but that is not certain. */
function countOf(pasted: Pasted, { stated, people, seats }: Counted): Count | undefined {
  const listed = people.filter(({ travels }) => travels)
  if (seats) return { value: Math.max(seats.value, listed.length), at: listed.length > 0 ? around(listed) : seats.at, isSure: true }
  if (stated && stated.value > listed.length) return stated
  if (people.length === 0) return undefined
  const at = around(listed.length > 0 ? listed : people)
  if (listed.length > 0)
    return { value: listed.length, at: stated?.value === listed.length ? stated.at : at, isSure: !goesOn(pasted, listed) }
  return people.length > 1 ? { value: people.length, at, isSure: false } : undefined
}

/** Returns the part of the text with all these people, in any order. */
const around = (people: readonly PersonFound[]): Span => [
  Math.min(...people.map(({ at }) => at[0])),
  Math.max(...people.map(({ at }) => at[1])),
]

const another = new RegExp(`^(?: ?\\([^)\\n]{0,40}\\))? ?(?:[+&]|${anyOf('and')} )`)
const counted = new RegExp(`^(?: ?\\([^)\\n]{0,40}\\))?, ?(?:\\d|un[aeo]?) ${anyOf('child', 'ageGroup')}(?!\\w)`)
const fullName = /^(?: ?\([^)\n]{0,40}\))?, ?\p{Lu}\p{L}{1,20} \p{Lu}\p{Ll}/u

/** A line of a list without a name: `3. Bebé`, `Niño 2`. */
const unreadItem = new RegExp(
  `^\\s{0,6}(?:(?:\\d{1,2} ?[.):-]{1,3}|[-*|]) ?(?:${anyOf('ageGroup')}|\\?)|${anyOf('ageGroup')} ?\\d{1,2})[ .?]{0,3}$`,
)

/** True if a list mentions people without names: `Sr. Pérez y Sra. García + 2 niños`, or only the other travellers. */
function goesOn({ plain, text, cells }: Pasted, listed: readonly PersonFound[]): boolean {
  if (cells.some(({ column, at }) => column && !listed.some(person => person.at[0] <= at[0] && at[1] <= person.at[1]))) return true
  const others = plain.search(otherTravellers)
  if (others >= 0 && listed.every(({ at }) => at[0] > others)) return true
  const last = lineEnd(plain, Math.max(...listed.map(({ at }) => at[1])))
  if (unreadItem.test(plain.slice(last + 1, lineEnd(plain, last + 1)))) return true
  return listed.some(({ at }) => {
    const behind = plain.slice(at[1], at[1] + 80)
    if (more.test(behind) || counted.test(behind)) return true
    const isUnread = another.test(behind) || fullName.test(text.slice(at[1], at[1] + 80))
    return isUnread && !listed.some(other => other.at[0] >= at[1] && other.at[0] < at[1] + 60)
  })
}

const listTitle = new RegExp(`^[ *#|-]{0,8}(?:${anyOf('listHead')} )?${anyOf('traveller', 'participant')}(?!\\w)[^\\n\\d]{0,60}$`, 'gm')
const listItem = new RegExp(`^\\s{0,4}(?:${anyOf('traveller', 'ageGroup')} )?(\\d{1,2}) ?[.):-]{1,3} ?[a-z]`)

/** Counts a numbered list of travellers below its title. */
function numbered(plain: string): PeopleFields['travelers'] {
  for (const title of matchesIn(plain, listTitle)) {
    const from = title.index + title[0].length + 1
    let [at, count, inGroup] = [from, 0, 0]
    while (at < plain.length && count < most) {
      const item = listItem.exec(plain.slice(at, at + 40))
      // `Adulto 2: …` and below `Niño 1: …`
      const place = Number(item?.[1])
      if (place !== inGroup + 1 && place !== 1) break
      inGroup = place
      count++
      at = lineEnd(plain, at) + 1
    }
    if (count > 0) return { value: count, at: [from, Math.min(at - 1, plain.length)], isSure: true }
  }
  return undefined
}

const aboutPeople = new RegExp(wholeWord('ageGroup', 'traveller', 'relative', 'age'))
const agesInYears = new RegExp(`(?<![\\w.,/:-])${ageList} ?${anyOf('years')}(?!\\w)`, 'g')
const ageHead = new RegExp(`^${anyOf('age')}$`)
const labelledAges = new RegExp(`(?<!\\w)${anyOf('age')} ?:? ?${ageList}(?![\\d.:/])`, 'g')

/** Returns the ages in a text. `4 y 7 años` counts in a clause about people. */
function agesIn(pasted: Pasted): NumberAt[] {
  const { plain } = pasted
  const spoken = matchesIn(plain, agesInYears).filter(match => aboutPeople.test(before(pasted, match.index)))
  const all = [...spoken, ...matchesIn(plain, labelledAges)].toSorted((a, b) => a.index - b.index)
  const ages = all.flatMap(match =>
    [...match[0].matchAll(/\d{1,2}/g)].map(
      ({ 0: digits, index }): NumberAt => ({ value: Number(digits), at: [match.index + index, match.index + index + digits.length] }),
    ),
  )
  const inColumn = pasted.cells
    .filter(({ at, head }) => ageHead.test(head) && /^\d{1,2}$/.test(plain.slice(...at)))
    .map(({ at }): NumberAt => ({ value: Number(plain.slice(...at)), at }))
  return [...ages, ...inColumn].filter(({ at }, index, all) => all.findIndex(other => other.at[0] === at[0]) === index)
}
