import { isDeepStrictEqual } from 'node:util'
import type { UnitFacts } from '#common/administration/schemas/unit.ts'
import { unitProblems } from '#common/administration/unit.ts'
import { isCountry } from '#common/geography/countries.ts'
import type { Problem } from '#common/kit/problems.ts'
import { readDate } from '#common/kit/dates.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'

/** Makes each value one line, as it is shown and printed, and the IBAN as banks exchange it. */
export function normalised(entered: UnitFacts): UnitFacts {
  const facts = linesOf(entered)
  return {
    ...facts,
    earliestBirthDate: readDate(facts.earliestBirthDate) ?? facts.earliestBirthDate,
    billingInfo: { ...facts.billingInfo, iban: facts.billingInfo.iban.replaceAll(' ', '').toUpperCase() },
  }
}

const linesOf = <Part extends object>(part: Part): Part =>
  // Safe: each entry keeps its name, and each value its type.
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === 'string' ? oneLine(value, 300) : isPart(value) ? linesOf(value) : value,
    ]),
  ) as Part

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Throws with the problems of each field unless the facts can be a unit's. */
export function validate(facts: UnitFacts & { key?: string }): void {
  const problems = [
    ...unitProblems(facts),
    ...countryProblem('country', facts.country),
    ...countryProblem('address.country', facts.address.country),
  ]
  if (problems.length > 0) throw refuseFields(problems)
}

const countryProblem = (path: string, id: number): Problem[] =>
  isCountry(id) ? [] : [{ path, rule: 'country', key: 'administration.fault.country' }]

/** Returns the settings as the catalogue stores them: without the defaults. */
export function settingsOf({
  sessionIdleHours,
  sessionDays,
  earliestBirthDate,
  quoteHours,
  copiesOfChanges,
  distributionRole,
  twoFactorRequired,
  ...facts
}: UnitFacts): Omit<UnitSettings, 'logo'> {
  return {
    ...facts,
    ...(sessionIdleHours === null ? {} : { sessionIdleHours }),
    ...(sessionDays === null ? {} : { sessionDays }),
    ...(earliestBirthDate ? { earliestBirthDate } : {}),
    ...(quoteHours === null ? {} : { quoteHours }),
    ...(distributionRole === 'agent' ? {} : { distributionRole }),
    ...(copiesOfChanges ? { copiesOfChanges } : {}),
    ...(twoFactorRequired ? { twoFactorRequired } : {}),
  }
}

/** Returns the settings with new facts. Keeps the logo, which the administration does not decide. */
export const changedSettings = ({ logo }: UnitSettings, facts: UnitFacts): UnitSettings => ({ logo, ...settingsOf(facts) })

/** Returns the changed values, before and after, by name. */
export function differences<Facts extends Record<string, unknown>>(
  before: Facts,
  after: Facts,
): Record<string, { before: unknown; after: unknown }> {
  const changed = Object.keys(after).filter(name => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map(name => [name, { before: before[name], after: after[name] }]))
}
