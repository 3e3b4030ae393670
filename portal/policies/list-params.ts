import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { addDays, addYears, isDate, isWithin } from '#common/kit/dates.ts'
import type { listPolicies } from '#common/policies/calls.ts'
import { sortKeys } from '#common/policies/search.ts'
import { type ListParams, pageIn } from '#portal/kit/list/list-params.ts'
import type { Sort } from '#portal/kit/list/table.tsx'

export type Row = ResponseOf<typeof listPolicies>['policies'][number]

export type PolicyParam = 'page' | 'perPage' | 'sort' | 'order' | 'search' | 'from' | 'to' | 'policy'
export type PolicyParams = ListParams<PolicyParam>

/** The first is the default (spec 9). */
export const pageSizes = [10, 25, 50, 100]
const sizeIn = ({ perPage }: PolicyParams): number => pageSizes.find(size => String(size) === perPage) ?? 10

const newest = { key: 'createdAt', order: 'desc' } as const satisfies Sort

export function sortIn({ sort, order }: PolicyParams): Sort & { key: (typeof sortKeys)[number] } {
  const key = sortKeys.find(name => name === sort)
  return key ? { key, order: order === 'desc' ? 'desc' : 'asc' } : newest
}

/** spec 5: departures from today to one year ahead. Any other day in the URL is ignored. */
export const boundsFrom = (today: string): { min: string; max: string } => ({ min: today, max: addYears(today, 1) })

/** Returns the request for the page that the URL names, within what the call takes. */
export function listRequest(statusTypeUuid: string, params: PolicyParams, today: string): RequestSentOf<typeof listPolicies> {
  const { min, max } = boundsFrom(today)
  const day = (date: string | undefined) => (isDate(date) && isWithin(date, min, max) ? date : null)
  const { key, order } = sortIn(params)
  return {
    statusTypeUuid,
    page: pageIn(params),
    perPage: sizeIn(params),
    searchData: params.search?.slice(0, 200) ?? null,
    sortCriteria: [{ key, order }],
    dateFrom: day(params.from),
    dateTo: day(params.to),
  }
}

/** The periods on offer, in days from today. */
export const presets = [7, 30, 90] as const

export type Span = `${(typeof presets)[number]}` | 'any' | 'chosen'

export function spanIn({ from, to }: PolicyParams, today: string): Span {
  if (!from && !to) return 'any'
  const days = presets.find(days => from === today && to === addDays(today, days - 1))
  return days ? `${days}` : 'chosen'
}

/** Returns the days of a span; chosen days begin as the next month, to be changed. */
export function daysOf(span: Span, today: string): { from: string | undefined; to: string | undefined } {
  if (span === 'any') return { from: undefined, to: undefined }
  return { from: today, to: addDays(today, (span === 'chosen' ? 31 : Number(span)) - 1) }
}
