import { addDays, addMonths, addYears, isDate } from '#common/kit/dates.ts'
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

/** The days within which a received request can be recorded. */
export const receivedDays = 60

/** Returns the problem of the day on which a request came. It may be so early that the answer is overdue. */
export function receivedProblems(receivedOn: string, today: string): Problem[] {
  const path = 'receivedOn'
  if (!isDate(receivedOn)) return [{ path, rule: 'validDate', key: 'validation.invalidDate' }]
  if (receivedOn > today) return [{ path, rule: 'future', key: 'privacy.received_future' }]
  if (receivedOn < addDays(today, -receivedDays))
    return [{ path, rule: 'past', key: 'privacy.received_early', params: { days: receivedDays } }]
  return []
}

/**
 * Returns the last day for the answer: one month after the request came, plus the months of the extension. It always counts from that day, so a
 * request of 31 January extended by two months is due on 30 April.
 */
export const answerDue = (receivedOn: string, extendedBy = 0): string => addMonths(receivedOn, 1 + extendedBy)
