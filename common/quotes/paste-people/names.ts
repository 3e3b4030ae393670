import { plainly } from '../paste/text.ts'
import { isGiven, mayBeSurname } from './given-names.ts'

/** The parts of a name (spec 3), and whether they are certain. */
export type NameRead = { name?: string; middleName?: string; lastName?: string; isSure: boolean }

const particles = new Set(
  'de del la las los da das do dos di du des van von der den ter le el y e i san santa o mac mc al bin ben dal della dello degli d'.split(
    ' ',
  ),
)
/** Such words begin a surname only if another word follows: `Leroy Y` has none. */
export const isParticle = (word: string): boolean => particles.has(plainly(word).replaceAll(/[.']/g, ''))

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
export function nameOf(given: string, surnames: string): NameRead {
  const [middleName, ...others] = grouped(tidyName(surnames).split(' ').filter(Boolean))
  const lastName = others.join(' ')
  return {
    ...(given.trim() ? { name: tidyName(given) } : {}),
    ...(middleName ? { middleName } : {}),
    ...(lastName ? { lastName } : {}),
    isSure: true,
  }
}

/** Returns the parts of a name in one line. Capitals are the surnames; else given names come first unless the words show otherwise. */
export function splitName(words: readonly string[], isTitled: boolean): NameRead | undefined {
  if (words.length === 0) return undefined
  const inCapitals = words.filter(isCapitals)
  if (inCapitals.length > 0 && inCapitals.length < words.length) {
    const rest = words.filter(word => !isCapitals(word) && !isParticle(word))
    if (rest.length > 0)
      return nameOf(rest.join(' '), words.filter(word => isCapitals(word) || (isParticle(word) && !rest.includes(word))).join(' '))
  }
  const groups = grouped(words)
  const [first = '', second = '', ...others] = groups
  if (groups.length === 1) return isGiven(first) ? { name: tidyName(first), isSure: true } : undefined
  const isTurned = !isGiven(first) && isGiven(groups.at(-1) ?? '')
  // `Sig. ROSSI MARCO`, but `MR RAVI JAMES`.
  if (isTurned && (!isTitled || inCapitals.length > 0)) {
    const cut = groups.length > 2 && isGiven(groups.at(-2) ?? '') && !mayBeSurname(groups.at(-2) ?? '') ? -2 : -1
    return {
      ...nameOf(groups.slice(cut).join(' '), groups.slice(0, cut).join(' ')),
      isSure: !isTitled && !mayBeSurname(groups.at(-1) ?? '') && inCapitals.length > 0,
    }
  }
  if (others.length === 0) return { ...nameOf(first, second), isSure: !isTurned && (isTitled || lexicon([first], [second]) === 'agrees') }
  const hasTwo = isGiven(second) && (!mayBeSurname(second) || others.length > 1)
  const given = hasTwo ? `${first} ${second}` : first
  const surnames = (hasTwo ? others : [second, ...others]).join(' ')
  const hasOneReading = hasTwo ? !mayBeSurname(second) : others.length === 1 && !(isGiven(second) && mayBeSurname(second))
  const agrees = lexicon(hasTwo ? [first, second] : [first], hasTwo ? others : [second, ...others]) === 'agrees'
  return { ...nameOf(given, surnames), isSure: hasOneReading && (isTitled || agrees) }
}

/** Says whether the words of a name agree with its cut into given names and surnames, or say that the surnames come first. */
function lexicon(given: readonly string[], surnames: readonly string[]): 'agrees' | 'order' | 'silent' {
  const known = (word: string) => isGiven(word) || mayBeSurname(word)
  if (given.every(isGiven) && !given.every(mayBeSurname) && !surnames.every(known)) return 'agrees'
  return surnames.every(known) && !given.every(known) ? 'order' : 'silent'
}
