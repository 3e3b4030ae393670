import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ways } from '#common/accounting/book.ts'
import { entriesRequest, longestMonths, type Months, monthsOf, periods } from '#common/accounting/period.ts'
import {
  accountingEarnings,
  accountingEntries,
  accountingRates,
  accountingStatement,
  accountingStatements,
} from '#common/accounting/calls.ts'
import { idIn, type ResponseOf } from '#common/kit/call.ts'
import { ask } from '#portal/kit/ask.ts'
import { loadingOf } from '#portal/kit/queries.ts'
import { oneOf, type ListParams, pageIn } from '#portal/kit/list/list-params.ts'
import { useList } from '#portal/kit/list/use-list.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'

export type Earnings = ResponseOf<typeof accountingEarnings>
/** How the amount due of a month comes about. */
export type Calculation = NonNullable<Earnings['month']>['calculation']
export type Rates = ResponseOf<typeof accountingRates>
export type Entry = ResponseOf<typeof accountingEntries>['entries'][number]
export type Statement = ResponseOf<typeof accountingStatements>['statements'][number]

export type OpenStatement = ResponseOf<typeof accountingStatement>
export type Line = OpenStatement['lines'][number]

/**
 * The page's state in its URL. `product`, `agent` and `way` filter the list of entries. `policy` shows those of one policy in all months that a list
 * covers. `statement` is the number of the open one, `lines` the page of its lines, and `as=page` shows it alone. `report` is the id of a report that
 * a link opens.
 */
export type EarningsParam =
  | 'tab'
  | 'period'
  | 'by'
  | 'month'
  | 'policy'
  | 'product'
  | 'agent'
  | 'way'
  | 'page'
  | 'statement'
  | 'lines'
  | 'as'
  | 'report'
export type EarningsParams = ListParams<EarningsParam>

export const periodIn = (params: EarningsParams) => oneOf(periods, params.period) ?? 'month'

export const monthsIn = (params: EarningsParams): Months => monthsOf(periodIn(params), todayInUnit())

export function useEarnings(params: EarningsParams) {
  const request = monthsIn(params)
  return useQuery({
    queryKey: ['accounting', 'earnings', request],
    ...loadingOf(accountingEarnings, request),
    placeholderData: keepPreviousData,
  })
}

/** Loads conversion and refund rates separately, so that the earnings need not wait for them. */
export function useRates(params: EarningsParams) {
  const request = monthsIn(params)
  return useQuery({
    queryKey: ['accounting', 'rates', request],
    queryFn: ({ signal }) => ask(accountingRates, request, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useEntries(params: EarningsParams) {
  const policyUuid = idIn(params.policy)
  const months = policyUuid ? longestMonths(todayInUnit()) : monthsIn(params)
  const month = params.month !== undefined && params.month >= months.from && params.month <= months.to ? params.month : undefined
  const request = entriesRequest(month === undefined ? months : { from: month, to: month }, pageIn(params), {
    policyUuid,
    productUuid: idIn(params.product),
    sellerUuid: idIn(params.agent),
    way: oneOf(ways, params.way),
  })
  return useList(accountingEntries, request, { key: ['accounting', 'entries'], rows: ({ entries }) => entries })
}

export const useStatements = (params: EarningsParams) =>
  useList(accountingStatements, { page: pageIn(params) }, { key: ['accounting', 'statements'], rows: ({ statements }) => statements })

/** Loads a statement with a page of its lines. The previous page stays until the next is loaded, but never that of another statement. */
export function useStatement(number: string, page: number) {
  const request = { number, page }
  return useQuery<OpenStatement>({
    queryKey: ['accounting', 'statement', request],
    queryFn: ({ signal }) => ask(accountingStatement, request, { signal }),
    placeholderData: before => (before?.statement.number === number ? before : undefined),
  })
}
