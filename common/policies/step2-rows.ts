import type { Problem } from '#common/kit/problems.ts'
import { duplicateProblems, type PeopleSettings, policyholderProblems, travellerProblems, type User } from './people.ts'
import { type ExtraTraveller, rowFields, userOf } from './step2.ts'

/** Applies the rules of step 2 to a single row, such as one to import. */
export const extraTravellerProblems = (row: ExtraTraveller, settings: PeopleSettings, residence?: number | null): Problem[] =>
  travellerProblems(userOf(row, rowFields), settings, residence)

/** Returns the problems of a row that is the policyholder. Address and contact data are in the form. */
export const policyholderRowProblems = (row: ExtraTraveller, settings: PeopleSettings, residence?: number | null): Problem[] =>
  policyholderProblems(userOf(row, rowFields), settings, residence).filter(({ path }) => Object.hasOwn(rowFields, path))

/** Returns the problems of rows that occur twice in a list, or are already in the form. */
export const duplicateRowProblems = (rows: readonly ExtraTraveller[], others: readonly User[]): Problem[][] =>
  duplicateProblems([...others, ...rows.map(row => userOf(row, rowFields))]).slice(others.length)
