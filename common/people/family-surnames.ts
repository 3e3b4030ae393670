import { searchable } from '../kit/text.ts'

/** A traveller with both surnames, empty while unknown. */
export type Relative = { middleName: string; lastName: string; age: number | null }
/** A first and a second surname. */
export type Surnames = readonly [first: string, second: string]

/** The least years between a parent and a child. */
const generation = 15

/**
 * Returns the surnames to offer the traveller at an index, from 0: for a child of the first two travellers one of each, by the custom of their
 * country; else the first traveller's. The order that the first child's surnames were typed in holds for the other children.
 */
export function familySurnames(travellers: readonly Relative[], place: number, country: string): Surnames {
  const [one, two] = travellers
  const own = travellers[place]
  if (!one || !own || place === 0) return ['', '']
  const ofOne: Surnames = [one.middleName, one.lastName]
  if (!isChildOf(own, one)) return ofOne
  // An elder child, a grandparent or a brother is no second parent.
  const isCouple = two && !isChildOf(two, one) && !isChildOf(one, two) && surnamesOf(two).join() !== surnamesOf(one).join()
  const other = isCouple && isChildOf(own, two) ? two : undefined
  const parents = other ? [one, other] : [one]
  const familyNames = new Set(parents.flatMap(surnamesOf).map(searchable))
  const sibling = travellers.find(
    (each, index) => index !== place && isChildOf(each, one) && surnamesOf(each).some(name => familyNames.has(searchable(name))),
  )
  const firstChild: Surnames | undefined = sibling && [sibling.middleName, sibling.lastName]
  const pick = customs[country]
  if (!pick || !other) return firstChild ?? ofOne
  // A first surname that was typed the other way round reverses the pair.
  const [first, second] = [pick(one), pick(other)]
  const typed = searchable(own.middleName || firstChild?.[0] || '')
  if (typed !== '' && typed === searchable(second)) return [second, first]
  return [first, typed === '' || typed === searchable(first) ? second : '']
}

/** The surname that a parent passes on: the first in Spain, the last in Portugal. */
const customs: Record<string, (parent: Relative) => string> = {
  ES: ({ middleName }) => middleName,
  PT: parent => surnamesOf(parent).at(-1) ?? '',
}

const isChildOf = (child: Relative, parent: Relative): boolean =>
  child.age !== null && parent.age !== null && parent.age - child.age >= generation

/** A dash stands for a missing second surname. */
const surnamesOf = ({ middleName, lastName }: Relative): string[] => [middleName, lastName].filter(name => /\p{L}/u.test(name))
