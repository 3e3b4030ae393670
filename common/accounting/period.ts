import type { Way } from './book.ts'
import { addDays, addMonths } from '#common/kit/dates.ts'

/** The periods that the page offers. Each ends with a whole month. */
export const periods = ['month', 'previous', 'quarter', 'year', 'twelve'] as const
export type Period = (typeof periods)[number]

/** The first and the last month (YYYY-MM). */
export type Months = { from: string; to: string }

const before: Record<Exclude<Period, 'year'>, [from: number, to: number]> = {
  month: [0, 0],
  previous: [-1, -1],
  quarter: [-2, 0],
  twelve: [-11, 0],
}

export function monthsOf(period: Period, today: string): Months {
  const first = `${today.slice(0, 7)}-01`
  const month = (months: number) => addMonths(first, months).slice(0, 7)
  if (period === 'year') return { from: `${today.slice(0, 4)}-01`, to: today.slice(0, 7) }
  const [from, to] = before[period]
  return { from: month(from), to: month(to) }
}

/** The maximum number of months in a list or a chart of the earnings. */
export const maxMonths = 36

export const longestMonths = (today: string): Months => ({
  from: addMonths(`${today.slice(0, 7)}-01`, 1 - maxMonths).slice(0, 7),
  to: today.slice(0, 7),
})

/** Returns the first and the last day of months. */
export const daysOf = ({ from, to }: Months): { from: string; to: string } => ({
  from: `${from}-01`,
  to: addDays(addMonths(`${to}-01`, 1), -1),
})

/** The maximum number of products and agents in a chart of the earnings. */
export const mostRows = 50

export type EntryConditions = {
  policyUuid?: string | undefined
  productUuid?: string | undefined
  sellerUuid?: string | undefined
  way?: Way | undefined
}

/** The request for a page of entries. Without filters it is the one whose response the page's payload contains. */
export const entriesRequest = (months: Months, page = 1, { policyUuid, productUuid, sellerUuid, way }: EntryConditions = {}) => ({
  ...daysOf(months),
  page,
  policyUuid: policyUuid ?? null,
  productUuid: productUuid ?? null,
  sellerUuid: sellerUuid ?? null,
  way: way ?? null,
})
