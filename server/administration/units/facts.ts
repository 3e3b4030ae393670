import { isDeepStrictEqual } from 'node:util'
import type { UnitFacts } from '#common/administration/schemas/unit.ts'
import { unitProblems } from '#common/administration/unit.ts'
import { isCountry } from '#common/geography/countries.ts'
import type { Problem } from '#common/kit/problems.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { oneLine } from '#server/mail/public.ts'
import type { UnitSettings } from '#server/business-unit/public.ts'

/** One line each, as they are shown and printed; an account number as banks exchange it. */
export function tidied(given: UnitFacts): UnitFacts {
  const facts = linesOf(given)
  return { ...facts, billingInfo: { ...facts.billingInfo, iban: facts.billingInfo.iban.replaceAll(' ', '').toUpperCase() } }
}

const linesOf = <Part extends object>(part: Part): Part =>
  Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      typeof value === 'string' ? oneLine(value, 300) : isPart(value) ? linesOf(value) : value,
    ]),
  ) as Part

const isPart = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Refuses what cannot be a unit, field by field. */
export function judge(given: UnitFacts & { key?: string }): void {
  const problems = [
    ...unitProblems(given),
    ...countryProblem('country', given.country),
    ...countryProblem('address.country', given.address.country),
  ]
  if (problems.length > 0) throw refuseFields(problems)
}

const countryProblem = (path: string, id: number): Problem[] =>
  isCountry(id) ? [] : [{ path, rule: 'country', key: 'administration.fault.country' }]

/** As it is stored, as the catalogue has it too: what is not asked for is left out. */
export function settingsOf({ sessionIdleHours, sessionDays, twoFactorRequired, ...facts }: UnitFacts): Omit<UnitSettings, 'logo'> {
  return {
    ...facts,
    ...(sessionIdleHours === null ? {} : { sessionIdleHours }),
    ...(sessionDays === null ? {} : { sessionDays }),
    ...(twoFactorRequired ? { twoFactorRequired } : {}),
  }
}

/** What the administration does not decide stays as it was. */
export function changedSettings(stored: UnitSettings, facts: UnitFacts): UnitSettings {
  const { sessionIdleHours: _, sessionDays: __, twoFactorRequired: ___, ...kept } = stored
  return { ...kept, ...settingsOf(facts) }
}

/** What differs, from what to what, by name. */
export function differences<Facts extends Record<string, unknown>>(
  before: Facts,
  after: Facts,
): Record<string, { before: unknown; after: unknown }> {
  const changed = Object.keys(after).filter(name => !isDeepStrictEqual(before[name], after[name]))
  return Object.fromEntries(changed.map(name => [name, { before: before[name], after: after[name] }]))
}
