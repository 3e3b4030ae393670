import { daysOf, monthsOf, periods } from '#common/accounting/period.ts'
import type { Way } from '#common/accounting/book.ts'
import { addDays, startOfDay, today } from '#common/kit/dates.ts'
import { momentOn } from '#common/kit/moment-on.ts'

/** `sales`: the sold policies, at their sale's price. `earnings`: the same sums as the page of earnings. `deeds`: a row for each movement. */
export const reportKinds = ['sales', 'earnings', 'deeds'] as const
export type ReportKind = (typeof reportKinds)[number]

/** The columns by which the sums of a report are grouped: month, product, agent, way of payment, or several of these. */
export const reportGroups = ['month', 'product', 'seller', 'way'] as const
export type ReportGroup = (typeof reportGroups)[number]

export const reportFormats = ['xlsx', 'csv'] as const
export type ReportFormat = (typeof reportFormats)[number]

export type ReportFilters = { productUuid?: string | undefined; sellerUuid?: string | undefined; way?: Way | undefined }

/** The days of a scheduled report, before or around the day on which it is made. */
export const reportPeriods = ['week', ...periods] as const
export type ReportPeriod = (typeof reportPeriods)[number]

/** Returns the days of a period. A week is the seven days before today. */
export const reportDays = (period: ReportPeriod, today: string): { from: string; to: string } =>
  period === 'week' ? { from: addDays(today, -7), to: addDays(today, -1) } : daysOf(monthsOf(period, today))

/** The limits: schedules of an agency, schedules of a user, and recipients of a schedule. */
export const mostSchedules = 20
export const mostOwnSchedules = 10
export const mostRecipients = 20

/** The days for which a report's file is kept. */
export const daysKept = 7

/** The time of a report, at an hour of the agency's clock: a day of each month, or a day of each week (1 is Monday). */
export type When = { monthDay?: number | null | undefined; weekday?: number | null | undefined; hour: number }

/** Returns the first moment of a schedule after an instant. */
export function firstDue(when: When, after: Date, timeZone: string): Date {
  for (let day = today(after, timeZone); ; day = addDays(day, 1)) {
    const due = isDay(when, day) ? momentOn(day, when.hour, timeZone) : undefined
    if (due && due > after) return due
  }
}

/** Returns the next moment of a schedule, on a later day even if the agency's time zone has changed. */
export const dueAfter = (when: When, due: Date, timeZone: string): Date =>
  firstDue(when, new Date(startOfDay(addDays(today(due, timeZone), 1), timeZone) - 1), timeZone)

function isDay({ monthDay, weekday }: When, day: string): boolean {
  if (monthDay) return Number(day.slice(8)) === monthDay
  return (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) === weekday
}
