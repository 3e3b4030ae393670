import { addDays, addMonths, isDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'

/** A request may be recorded this many days after it came. */
export const receivedDays = 60

/** Returns what is wrong with the day on which a request came. Such a day may be so early that its answer is overdue. */
export function receivedProblems(receivedOn: string, today: string): Problem[] {
  const path = 'receivedOn'
  if (!isDate(receivedOn)) return [{ path, rule: 'validDate', key: 'validation.invalidDate' }]
  if (receivedOn > today) return [{ path, rule: 'future', key: 'privacy.received_future' }]
  if (receivedOn < addDays(today, -receivedDays))
    return [{ path, rule: 'past', key: 'privacy.received_early', params: { days: receivedDays } }]
  return []
}

/**
 * Returns the last day for the answer: one month after the request came, and as many more as it was extended by. Counted from the day it came, so that
 * a request of 31 January which is extended by two months is due on 30 April.
 */
export const answerDue = (receivedOn: string, extendedBy = 0): string => addMonths(receivedOn, 1 + extendedBy)
