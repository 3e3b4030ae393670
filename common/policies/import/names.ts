import { grouped, isCapitals, splitName } from '#common/quotes/paste-people/names.ts'
import { isGiven, mayBeSurname } from '#common/quotes/paste-people/given-names.ts'
import type { NameOrder } from './headers.ts'

/** The fields of a person's name (spec 3). */
export type NameParts = { name: string; middleName: string; lastName: string }

/** How names are read: with one surname or two, and the order of whole names in one column. */
export type NameReading = { second: boolean; order: NameOrder | undefined }

/** Splits the surnames of one column. Three words can be split in several ways, so they stay in the first field for the rule to refuse. */
export function surnamesOf(text: string, second: boolean): Omit<NameParts, 'name'> {
  const groups = second ? grouped(text.split(' ')) : []
  const [middleName = text, lastName = ''] = groups.length <= 2 ? groups : []
  return { middleName, lastName }
}

/** Splits a whole name. An ambiguous one stays whole in the first field, for the rules to refuse its missing surnames. */
export function wholeName(text: string, { second, order }: NameReading): NameParts {
  const parts = text.includes(',') ? atComma(text, order) : byOrder(text, order)
  return parts ? { name: parts.given, ...surnamesOf(parts.surnames, second) } : { name: text, middleName: '', lastName: '' }
}

type Parts = { given: string; surnames: string }

/** The surnames stand before a comma, unless common given names show the contrary. */
function atComma(text: string, order: NameOrder | undefined): Parts | undefined {
  const [before = '', after = '', ...more] = text.split(',').map(part => part.trim())
  if (!before || !after || more.length > 0) return undefined
  const isTurned = isSurelyGiven(before) && !isAllGiven(after)
  if (order === 'givenFirst' && isTurned) return { given: before, surnames: after }
  if (isTurned || (order === 'givenFirst' && !isGiven(firstOf(after)))) return undefined
  return { given: after, surnames: before }
}

/** Reads a name without a comma whose surnames are in capitals. The column's name or the name itself shows the order. */
function byOrder(text: string, order: NameOrder | undefined): Parts | undefined {
  const words = text.split(' ')
  const hasBoth = words.some(isCapitals) && words.some(word => !isCapitals(word))
  const shown = order ?? shownOrder(words)
  if (hasBoth || shown === 'givenFirst') return givenFirst(words, hasBoth)
  return shown === 'surnamesFirst' ? surnamesFirst(grouped(words)) : undefined
}

/** Returns the order of a name that has a common given name at one end only. */
function shownOrder(words: readonly string[]): NameOrder | undefined {
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (isGiven(first) === isGiven(last)) return undefined
  if (isGiven(first)) return mayBeSurname(first) ? undefined : 'givenFirst'
  return mayBeSurname(last) ? undefined : 'surnamesFirst'
}

function givenFirst(words: readonly string[], hasBoth: boolean): Parts | undefined {
  const last = words.at(-1) ?? ''
  // `García López Ana` under `Nombre y apellidos`.
  if (!hasBoth && !isGiven(firstOf(words.join(' '))) && isGiven(last) && !mayBeSurname(last)) return undefined
  const read = splitName(words, true)
  const { name, middleName, lastName } = read?.value ?? {}
  if (!read?.isSure || !name || !middleName) return undefined
  return { given: name, surnames: [middleName, lastName].filter(Boolean).join(' ') }
}

/** Two parts are a surname and a given name. With more, all parts at the end must be common given names. */
function surnamesFirst(groups: readonly string[]): Parts | undefined {
  const known = groups.findIndex(isAllGiven)
  const at = groups.length === 2 && known !== 0 ? 1 : known
  const rest = groups.slice(at)
  if (at < 1 || (groups.length > 2 && !(rest.every(isAllGiven) && !mayBeSurname(firstOf(rest.join(' ')))))) return undefined
  return { given: rest.join(' '), surnames: groups.slice(0, at).join(' ') }
}

const isAllGiven = (text: string): boolean => text.split(' ').every(isGiven)
const isSurelyGiven = (text: string): boolean => text.split(' ').every(word => isGiven(word) && !mayBeSurname(word))
const firstOf = (text: string): string => text.split(' ')[0] ?? ''
