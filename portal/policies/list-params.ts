import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import { addDays, isDate } from '#common/kit/dates.ts'
import { policyListDates } from '#common/kit/validators/periods.ts'
import type { listPolicies } from '#common/policies/calls.ts'
import { sortKeys } from '#common/policies/search.ts'
import { type ListParams, pageIn } from '#portal/kit/list/list-params.ts'
import type { Sort } from '#portal/kit/list/table.tsx'

export type Row = ResponseOf<typeof listPolicies>['policies'][number]

export type PolicyParam = 'page' | 'perPage' | 'sort' | 'order' | 'search' | 'from' | 'to' | 'policy' | 'status'
export type PolicyParams = ListParams<PolicyParam>

/** The first is the default (spec 9). */
export const pageSizes = [10, 25, 50, 100]
const sizeIn = ({ perPage }: PolicyParams): number => pageSizes.find(size => String(size) === perPage) ?? 10

const newest = { key: 'createdAt', order: 'desc' } as const satisfies Sort

export function sortIn({ sort, order }: PolicyParams): Sort & { key: (typeof sortKeys)[number] } {
  const key = sortKeys.find(name => name === sort)
  return key ? { key, order: order === 'desc' ? 'desc' : 'asc' } : newest
}

/** The last day that can be chosen (spec 5). Any day of the past can be chosen, too. */
export const latestFrom = (today: string): string => policyListDates(today).to

type Days = { from: string | null; to: string | null; ignored: string[] }

/** Returns the days that the URL filters by. What cannot be honoured is `ignored`, and the page says so. */
export function departuresIn({ from, to }: PolicyParams, today: string): Days {
  const isPossible = (day: string | undefined): day is string => isDate(day) && day <= latestFrom(today)
  const ignored = [from, to].flatMap(day => (day === undefined || isPossible(day) ? [] : [day]))
  const days = { from: isPossible(from) ? from : null, to: isPossible(to) ? to : null, ignored }
  if (days.from === null || days.to === null || days.from <= days.to) return days
  return { from: days.from, to: null, ignored: [days.to] }
}

/** Sold policies can be filtered to the cancelled ones. */
export const isCancelledOnly = ({ status }: PolicyParams): boolean => status === 'cancelled'

/** Returns the request for the page that the URL names, within what the call takes. */
export function listRequest(statusTypeUuid: string, params: PolicyParams, today: string): RequestSentOf<typeof listPolicies> {
  const days = departuresIn(params, today)
  const { key, order } = sortIn(params)
  return {
    statusTypeUuid,
    page: pageIn(params),
    perPage: sizeIn(params),
    searchData: params.search?.slice(0, 200) ?? null,
    sortCriteria: [{ key, order }],
    dateFrom: days.from,
    dateTo: days.to,
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

/** Returns the days of a span; chosen days begin with the default bounds, to be changed. */
export function daysOf(span: Span, today: string): { from: string | undefined; to: string | undefined } {
  if (span === 'any') return { from: undefined, to: undefined }
  return span === 'chosen' ? policyListDates(today) : { from: today, to: addDays(today, Number(span) - 1) }
}
