import { daysOf, monthsOf, periods } from '#common/accounting/period.ts'
import type { Way } from '#common/accounting/book.ts'
import { addDays } from '#common/kit/dates.ts'

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
