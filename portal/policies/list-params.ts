import type { RequestSentOf, ResponseOf } from '#common/kit/call.ts'
import type { listPolicies } from '#common/policies/calls.ts'
import { sortKeys } from '#common/policies/search.ts'
import {
  conditionsOf,
  dayIn,
  type ListContext,
  type ListKind,
  type ViewParam,
  viewParams,
  type ViewParams,
} from '#common/policies/views/views.ts'
import { type ListParams, pageIn } from '#portal/kit/list/list-params.ts'
import type { Sort } from '#portal/kit/list/table-parts.tsx'

export type Row = ResponseOf<typeof listPolicies>['policies'][number]

/** Names a policy or a saved quote for the user: by its policyholder, else by the agency's reference or its product. */
export const policyTitle = ({ policyTaker, buReference, productName }: Pick<Row, 'policyTaker' | 'buReference' | 'productName'>): string =>
  policyTaker || buReference || productName

/**
 * `as=page` shows the open policy as a page of its own; `desk` opens the desk that changes it, ends it, or shows its versions, or with `send` the
 * dialog that sends a saved quote.
 */
export type PolicyParam = ViewParam | 'page' | 'perPage' | 'search' | 'policy' | 'as' | 'desk' | 'next' | 'version' | 'with'
export type PolicyParams = ListParams<PolicyParam>

/** The first is the default (spec 9). */
export const pageSizes = [10, 25, 50, 100]
const sizeIn = ({ perPage }: PolicyParams): number => pageSizes.find(size => String(size) === perPage) ?? 10

const newest = { key: 'createdAt', order: 'desc' } as const satisfies Sort

export function sortIn({ sort, order }: PolicyParams): Sort & { key: (typeof sortKeys)[number] } {
  const key = sortKeys.find(name => name === sort)
  return key ? { key, order: order === 'desc' ? 'desc' : 'asc' } : newest
}

/** Returns the request for the page in the URL, within the limits of the call. */
export function listRequest(kind: ListKind, params: PolicyParams, context: ListContext): RequestSentOf<typeof listPolicies> {
  const { statusTypeUuid, dateFrom, dateTo, ...conditions } = conditionsOf(kind, params, context)
  const { key, order } = sortIn(params)
  return {
    statusTypeUuid,
    page: pageIn(params),
    perPage: sizeIn(params),
    searchData: params.search?.slice(0, 200) ?? null,
    sortCriteria: [{ key, order }],
    dateFrom,
    dateTo,
    ...conditions,
  }
}

/** The offered periods, in days from today. */
export const presets = [7, 14, 30, 90] as const
type Preset = (typeof presets)[number]

/** Returns the period with these days; undefined for other days. */
export const presetOf = (from: string | undefined, to: string | undefined, today: string): Preset | undefined =>
  presets.find(days => dayIn(from, today) === today && dayIn(to, today) === dayIn(lastOf(days), today))

/** Returns the days of a period, which are relative to today. */
export const daysOf = (days: Preset): { from: string; to: string } => ({ from: '0d', to: lastOf(days) })

const lastOf = (days: Preset): string => `${days - 1}d`

/** The parameters that only sort: with other values, a list finds the same. */
export const orderParams = ['sort', 'order'] as const satisfies ViewParam[]

/** True if a URL has no filters. */
export const isUnfiltered = (params: ViewParams): boolean =>
  viewParams.every(name => orderParams.some(order => order === name) || params[name] === undefined)
