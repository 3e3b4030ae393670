import { ageOn, readDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import { birthDates as birthDatesAllowed, outside } from '#common/kit/validators/periods.ts'
import { figureAt } from './base.ts'
import type { TripDraft } from '../trip.ts'
import type { Basis, Traveller } from './basis.ts'

const adultAge = 18

/** Returns a problem for too few or too many travellers (docs/rating.md, step 2). */
export function paxProblems({ settings: { minPax, maxPax } }: Basis, pax: number): Problem[] {
  if (pax >= minPax && pax <= maxPax) return []
  return [{ path: 'paxNumber', rule: 'quote.pax', key: 'refusal.quote.pax', params: { min: minPax, max: maxPax, given: pax } }]
}

/** Requires one birth date per traveller, within the unit's limit and with a price (docs/rating.md, step 4). */
export function birthDateProblems(
  basis: Basis,
  birthDates: readonly (string | null)[],
  { pax, startDate, today }: { pax: number; startDate: string; today: string },
): Problem[] {
  if (birthDates.length !== pax) return [countProblem('birthDates', pax, birthDates.length)]
  return birthDates.flatMap((birthDate, index) => oneBirthDate(basis, birthDate, index, startDate, today))
}

function oneBirthDate(basis: Basis, birthDate: string | null, index: number, startDate: string, today: string): Problem[] {
  if (birthDate === null) return []
  const path = `birthDates[${index}]`
  const date = readDate(birthDate)
  if (date === undefined) return [{ path, rule: 'parseDate', key: 'validation.invalidDate' }]
  const problem = outside(date, birthDatesAllowed(today, basis.earliestBirthDate))
  if (problem) return [{ path, rule: 'birthDateRange', ...problem }]
  return oneAge(basis, ageOn(date, startDate), index, { path })
}

/** Requires one age per traveller, with a price and a possible birth date. An age is ignored if there is a birth date. */
export function ageProblems(
  basis: Basis,
  { ages, birthDates }: Pick<TripDraft, 'ages' | 'birthDates'>,
  { pax, startDate }: { pax: number; startDate: string },
): Problem[] {
  if (!ages) return []
  if (ages.length !== pax) return [countProblem('ages', pax, ages.length)]
  const oldest = ageOn(basis.earliestBirthDate, startDate)
  return ages.flatMap((age, index) =>
    age === null || birthDates?.[index] ? [] : oneAge(basis, age, index, { path: `ages[${index}]`, oldest }),
  )
}

function oneAge(basis: Basis, age: number, index: number, { path, oldest = age }: { path: string; oldest?: number }): Problem[] {
  if (isInsurable(basis, age) && age <= oldest) return []
  const [from, until] = agesOf(basis)
  const to = age <= oldest ? until : Math.min(until, oldest)
  return [{ path, rule: 'quote.age', key: 'refusal.quote.age', params: { traveller: index + 1, age, from, to } }]
}

const countProblem = (path: string, expected: number, given: number): Problem => ({
  path,
  rule: 'peopleCount',
  key: 'validation.peopleCount',
  params: { expected, given },
})

export function isInsurable({ settings, tariff }: Basis, age: number): boolean {
  if (age < settings.minAge || age > settings.maxAge) return false
  return figureAt(tariff.ages, age) !== undefined && (!tariff.cancellation || figureAt(tariff.cancellation.ages, age) !== undefined)
}

function agesOf({ settings, tariff }: Basis): [from: number, to: number] {
  const lists = [tariff.ages, ...(tariff.cancellation ? [tariff.cancellation.ages] : [])]
  return [
    Math.max(settings.minAge, ...lists.map(rows => rows[0]?.[0] ?? 0)),
    Math.min(settings.maxAge, ...lists.map(rows => rows.at(-1)?.[1] ?? 0)),
  ]
}

/** Returns the percentage for an age, 100 for an unknown age. */
export const agePercent = (rows: Parameters<typeof figureAt>[0], age: number | undefined): number =>
  age === undefined ? 100 : (figureAt(rows, age) ?? 100)

/** Returns the travellers with their ages, if known: by birth date, else as given. */
export function travellersOf({ birthDates, ages }: Pick<TripDraft, 'ages' | 'birthDates'>, pax: number, startDate: string): Traveller[] {
  return Array.from({ length: pax }, (_, index) => {
    const birthDate = readDate(birthDates?.[index]) ?? null
    return { birthDate, age: birthDate === null ? (ages?.[index] ?? undefined) : ageOn(birthDate, startDate) }
  })
}

/** Returns the indexes of the infants who travel free (docs/rating.md, step 4): a number per adult, the youngest first. */
export function freeInfants({ tariff: { infantsFree } }: Basis, travellers: readonly Traveller[]): Set<number> {
  if (!infantsFree) return new Set()
  const adults = travellers.filter(({ age }) => age !== undefined && age >= adultAge).length
  const infants = travellers
    .map((traveller, index) => ({ ...traveller, index }))
    .filter(({ age }) => age !== undefined && age < infantsFree.underAge)
    .toSorted((a, b) => (a.age ?? 0) - (b.age ?? 0) || ((a.birthDate ?? '') < (b.birthDate ?? '') ? 1 : -1))
  return new Set(infants.slice(0, adults * infantsFree.perAdult).map(({ index }) => index))
}

/** Returns one age for each price group: the ends of all rows, an adult's and an infant's. */
export function decisiveAges(basis: Basis): number[] {
  const { ages, cancellation, infantsFree } = basis.tariff
  const ends = [...ages, ...(cancellation?.ages ?? [])].flatMap(([from, to]) => [from, to])
  const wanted = [...ends, basis.settings.minAge, basis.settings.maxAge, adultAge, ...(infantsFree ? [0, infantsFree.underAge - 1] : [])]
  return [...new Set(wanted)].filter(age => age >= 0 && isInsurable(basis, age)).toSorted((a, b) => a - b)
}
