import type { QuestionSent, Reply } from '#common/kit/call.ts'
import { addDays, addYears, isDate, isWithin } from '#common/kit/dates.ts'
import type { listPolicies } from '#common/policies/calls.ts'
import { sortKeys } from '#common/policies/search.ts'
import type { Sort } from '#portal/kit/ui/table.tsx'

export type Row = Reply<typeof listPolicies>['policies'][number]

/** What the address says of a list: reload, back and a shared link give the same view. */
export type Look = {
  page?: string
  perPage?: string
  sort?: string
  order?: string
  search?: string
  from?: string
  to?: string
  policy?: string
}
export type LookChange = { [name in keyof Look]?: string | undefined }

export const clean = (look: LookChange): Look => Object.fromEntries(Object.entries(look).filter(([, value]) => value)) as Look

/** spec 9: 10 a page, the first one. What an address says otherwise is kept to what the call takes. */
export const pageSizes = [10, 25, 50, 100]
const size = ({ perPage }: Look): number => pageSizes.find(many => String(many) === perPage) ?? 10
const page = ({ page }: Look): number => (page && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1)

const newest = { key: 'createdAt', order: 'desc' } as const satisfies Sort

export function sortOf({ sort, order }: Look): Sort & { key: (typeof sortKeys)[number] } {
  const key = sortKeys.find(name => name === sort)
  return key ? { key, order: order === 'desc' ? 'desc' : 'asc' } : newest
}

/** spec 5: departures from today to one year ahead. Another day in the address counts for nothing. */
export const boundsFrom = (today: string): { min: string; max: string } => ({ min: today, max: addYears(today, 1) })

export function questionOf(statusTypeUuid: string, look: Look, today: string): QuestionSent<typeof listPolicies> {
  const { min, max } = boundsFrom(today)
  const day = (date: string | undefined) => (isDate(date) && isWithin(date, min, max) ? date : null)
  const { key, order } = sortOf(look)
  return {
    statusTypeUuid,
    page: page(look),
    perPage: size(look),
    searchData: look.search?.slice(0, 200) ?? null,
    sortCriteria: [{ key, order }],
    dateFrom: day(look.from),
    dateTo: day(look.to),
  }
}

/** The stretches of time that agents ask for, in days from today. */
export const presets = [7, 30, 90] as const

export type Span = `${(typeof presets)[number]}` | 'any' | 'chosen'

export function spanOf({ from, to }: Look, today: string): Span {
  if (!from && !to) return 'any'
  const days = presets.find(days => from === today && to === addDays(today, days - 1))
  return days ? `${days}` : 'chosen'
}

/** The days of a span; the chosen ones begin with the next month, to be changed. */
export function daysOf(span: Span, today: string): { from: string | undefined; to: string | undefined } {
  if (span === 'any') return { from: undefined, to: undefined }
  return { from: today, to: addDays(today, (span === 'chosen' ? 31 : Number(span)) - 1) }
}
