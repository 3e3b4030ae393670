import { daysOf, monthsOf, periods } from '#common/accounting/period.ts'
import type { Way } from '#common/accounting/deeds.ts'
import { addDays } from '#common/kit/dates.ts'

/** `sales`: what was sold, at the price of its sale. `earnings`: the same sums as the page of earnings. `deeds`: each movement in a row. */
export const reportKinds = ['sales', 'earnings', 'deeds'] as const
export type ReportKind = (typeof reportKinds)[number]

/** The sums of a report have a row for each month, product, agent and way of payment, or for several of these at once. */
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

/** An agency has at most so many schedules, a user so many of them, and a schedule so many recipients. */
export const mostSchedules = 20
export const mostOwnSchedules = 10
export const mostRecipients = 20

/** The days for which the file of a report is kept. */
export const daysKept = 7
