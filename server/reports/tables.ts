import type { ColumnType } from 'kysely'
import type { Locale } from '#common/kit/locales.ts'
import type { ReportFilters, ReportFormat, ReportGroup, ReportKind, ReportPeriod } from '#common/reports/report.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'

/** The choice of a report, for whatever days. */
export type Choice = { report: ReportKind; groupBy: ReportGroup[]; filters: ReportFilters; format: ReportFormat }

type OrNull<T> = ColumnType<T | null, T | null, T | null>

type ReportTables = {
  reports: {
    business_unit_id: UnitId
    id: string
    readers: string[]
    /** The seller to whose sales it is narrowed; null for the whole agency. */
    own_of: OrNull<string>
    schedule_id: OrNull<string>
    choice: Json<Choice>
    from_day: string
    to_day: string
    locale: Locale
    state: 'making' | 'ready' | 'failed'
    /** The attempt of its job whose parts are the file. */
    attempt: OrNull<number>
    created_at: Instant
  }
  report_parts: { business_unit_id: UnitId; report_id: string; attempt: number; position: number; content: Buffer }
  report_schedules: {
    business_unit_id: UnitId
    id: string
    slot: number
    /** The slot among the schedules of its user. */
    own_slot: number
    user_id: string
    choice: Json<Choice>
    period: ReportPeriod
    /** One of `month_day` and `weekday` is null. */
    month_day: OrNull<number>
    weekday: OrNull<number>
    hour: number
    recipients: string[]
    next_at: Instant
    created_at: Instant
  }
}

export type ReportTable = ReportTables['reports']
export type ScheduleTable = ReportTables['report_schedules']

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends ReportTables {}
}
