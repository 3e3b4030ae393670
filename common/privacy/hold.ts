import { addYears, isDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'

/** The maximum years for which a hold keeps data from erasure. A longer lawsuit needs another hold. */
const holdYears = 10

/** Returns the problem of a hold's last day. */
export function holdProblems(until: string, today: string): Problem[] {
  const path = 'until'
  if (!isDate(until)) return [{ path, rule: 'validDate', key: 'validation.invalidDate' }]
  if (until < today) return [{ path, rule: 'past', key: 'privacy.hold_past' }]
  return until <= addYears(today, holdYears) ? [] : [{ path, rule: 'near', key: 'privacy.hold_far', params: { years: holdYears } }]
}
