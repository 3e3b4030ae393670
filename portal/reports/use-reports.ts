import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#common/kit/call.ts'
import { reports, reportSchedules, reportViews } from '#common/reports/calls.ts'
import type { ReportFormat, ReportGroup, ReportKind } from '#common/reports/report.ts'
import { ask } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import type { Words } from '#portal/kit/words.tsx'

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
