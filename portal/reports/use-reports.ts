import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#common/kit/call.ts'
import { intlTag } from '#common/kit/locales.ts'
import { reports, reportSchedules, reportViews } from '#common/reports/calls.ts'
import type { ReportFormat, ReportGroup, ReportKind, When } from '#common/reports/report.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords, type Words } from '#portal/kit/words.tsx'

export type Report = ResponseOf<typeof reports>['reports'][number]
export type Schedule = ResponseOf<typeof reportSchedules>['schedules'][number]

/** The choice of a report, for any days. */
export type Choice = { report: ReportKind; groupBy: ReportGroup[]; format: ReportFormat; filters?: Schedule['filters'] }

/** The possible filters of a report, with their messages. */
export const narrowings = { productUuid: 'product', sellerUuid: 'agent', way: 'way' } as const

/** Returns the filters by which a report is limited to a part of the agency's sales, in words. */
export function narrowedBy({ productUuid, sellerUuid, way }: Schedule['filters'], words: Words): string[] {
  const by = [...(productUuid ? ['product'] : []), ...(sellerUuid ? ['agent'] : []), ...(way ? ['way'] : [])]
  return by.map(each => words('reports.narrowed', { by: each }))
}

const makingMs = 1000

/** The reports that the user may open, including the one that a link opens. They are reloaded while one is being made. */
export const useReports = (opened: string | undefined) =>
  useQuery({
    queryKey: ['reports', 'list', opened],
    queryFn: ({ signal }) => ask(reports, opened === undefined ? {} : { uuid: opened }, { signal }),
    refetchInterval: ({ state }) => (state.data?.reports.some(({ state }) => state === 'making') ? makingMs : false),
  })

export const useSchedules = () =>
  useQuery({ queryKey: ['reports', 'schedules'], queryFn: ({ signal }) => ask(reportSchedules, {}, { signal }) })

export const useReportViews = () => useQuery({ queryKey: ['reports', 'views'], queryFn: ({ signal }) => ask(reportViews, {}, { signal }) })

export const reload = (what: 'list' | 'schedules' | 'views'): Promise<void> => queries.invalidateQueries({ queryKey: ['reports', what] })

/** Returns the name of a weekday; 1 is Monday. */
export function useWeekdayName(): (weekday: number) => string {
  const { locale } = useWords()
  const format = new Intl.DateTimeFormat(intlTag(locale), { weekday: 'long', timeZone: 'UTC' })
  // 5 January 1970 was a Monday.
  return weekday => format.format(new Date((weekday + 3) * 86_400_000))
}

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`

/** Returns a function that says in words when a schedule is due. */
export function useWhenWords(): (when: When) => string {
  const { words } = useWords()
  const weekdayName = useWeekdayName()
  return ({ monthDay, weekday, hour }) =>
    monthDay
      ? words('reports.monthly_at', { day: monthDay, hour: hourText(hour) })
      : words('reports.weekly_at', { weekday: weekdayName(weekday ?? 1), hour: hourText(hour) })
}
