import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import type { Policy, SoldPolicy, Version } from './state.ts'

/** The phase of a policy at an instant: the day in its time zone, and which parts of its term are over. */
export type Phase = {
  day: string
  /** True in the first minutes after the sale. The trip then counts as not begun, and everything is refunded (rule 6). */
  undo: boolean
  started: boolean
  ended: boolean
}

export function phaseAt(policy: Policy, at: number): Phase {
  return phaseOn(policy, today(at, policy.timeZone), at < undoUntil(policy))
}

export const phaseOn = ({ trip }: Pick<Version, 'trip'>, day: string, undo = false): Phase => ({
  day,
  undo,
  started: !undo && day >= trip.startDate,
  ended: !undo && day > trip.endDate,
})

export const undoUntil = ({ soldAt, edition }: Policy): number => soldAt + edition.afterSale.constants.undoMinutes * 60_000

/** s0 of the rules: the day of the sale, whose tariff sets every later price (rule 1). */
export const dayOfSale = ({ soldAt, timeZone }: SoldPolicy): string => today(soldAt, timeZone)

/** Cancellation is covered from the sale on, all else from the first day of the trip (rules 7, 8). */
export const firstCoveredDay = (policy: SoldPolicy): string =>
  policy.edition.basis.tariff.cancellation ? dayOfSale(policy) : policy.trip.startDate

/** A change can be paid for a day, but not after the old or the new start. */
export const payableUntil = (policy: Policy, startDate: string, at: number): number =>
  Math.min(...[at + 24 * 3_600_000, startOf(policy.trip.startDate, policy), startOf(startDate, policy)].filter(end => end > at))

export const startOf = (day: string, { timeZone }: Policy): number => startOfDay(day, timeZone)

export const endOf = (day: string, policy: Policy): number => startOf(addDays(day, 1), policy)
