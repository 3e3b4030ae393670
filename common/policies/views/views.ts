import { addDays, isDate } from '#common/kit/dates.ts'
import { idIn, type RequestSentOf } from '#common/kit/call.ts'
import { policyListDates } from '#common/kit/validators/periods.ts'
import type { policyTotals } from '../calls.ts'
import type { PolicyStatus } from '../states.ts'

/** The lists of policies: the sold ones, and the saved quotes with the unpaid registrations. */
export const listKinds = ['purchased', 'budgeted'] as const
export type ListKind = (typeof listKinds)[number]

/** The URL parameters of a list that a saved view keeps. The search text is not kept, as it is often a person's name. */
export const viewParams = ['from', 'to', 'returnFrom', 'returnTo', 'status', 'agent', 'product', 'sort', 'order'] as const
export type ViewParam = (typeof viewParams)[number]
export type ViewParams = { [name in ViewParam]?: string | undefined }

export type BuiltInView = 'all' | 'leaving' | 'returning' | 'mine' | 'cancelled' | 'unpaid'

/** The views that every list offers. Their days are relative to today. */
export const builtInViews: { [kind in ListKind]: { id: BuiltInView; params: ViewParams }[] } = {
  purchased: [
    { id: 'all', params: {} },
    { id: 'leaving', params: { from: '0d', to: '13d', sort: 'startDate' } },
    { id: 'returning', params: { returnFrom: '0d', returnTo: '6d', sort: 'endDate' } },
    { id: 'mine', params: { agent: 'me' } },
    { id: 'cancelled', params: { status: 'cancelled' } },
  ],
  budgeted: [
    { id: 'all', params: {} },
    { id: 'leaving', params: { from: '0d', to: '13d', sort: 'startDate' } },
    { id: 'unpaid', params: { status: 'pending' } },
    { id: 'mine', params: { agent: 'me' } },
  ],
}

/** Reads a day of a URL: a date, or a number of days from today such as `6d`, which keeps a link current. */
export function dayIn(param: string | undefined, today: string): string | undefined {
  const [, days] = /^(-?\d{1,3})d$/.exec(param ?? '') ?? []
  if (days !== undefined) return addDays(today, Number(days))
  return isDate(param) ? param : undefined
}

export type Days = { from: string | null; to: string | null; ignored: string[] }

/** The last day that can be chosen (spec 5). The past is not limited. */
export const latestDay = (today: string): string => policyListDates(today).to

/** Returns the days by which a URL filters. Invalid ones are `ignored`, and the page says so. */
export function daysIn(from: string | undefined, to: string | undefined, today: string): Days {
  const read = (param: string | undefined): string | null => {
    const day = dayIn(param, today)
    return day !== undefined && day <= latestDay(today) ? day : null
  }
  const ignored = [from, to].filter(param => param !== undefined && read(param) === null)
  const days = { from: read(from), to: read(to), ignored: ignored.map(String) }
  if (days.from === null || days.to === null || days.from <= days.to) return days
  return { from: days.from, to: null, ignored: [days.to] }
}

/** The day, the user and the status types that give filters their meaning. */
export type ListContext = { today: string; userUuid: string; statusTypes: { [kind in ListKind | 'cancelled']: { uuid: string } } }

/** Returns the filters that these parameters name, within the limits of the call. */
export function conditionsOf(
  kind: ListKind,
  params: ViewParams,
  { today, userUuid, statusTypes }: ListContext,
): Omit<RequestSentOf<typeof policyTotals>, 'searchData'> {
  const departures = daysIn(params.from, params.to, today)
  const returns = daysIn(params.returnFrom, params.returnTo, today)
  const isCancelled = kind === 'purchased' && params.status === 'cancelled'
  return {
    statusTypeUuid: statusTypes[isCancelled ? 'cancelled' : kind].uuid,
    dateFrom: departures.from,
    dateTo: departures.to,
    ...given('status', kind === 'budgeted' ? unsold.find(status => status === params.status) : undefined),
    ...given('returnFrom', returns.from),
    ...given('returnTo', returns.to),
    ...given('sellerUuid', params.agent === 'me' ? userUuid : idIn(params.agent)),
    ...given('productUuid', idIn(params.product)),
  }
}

const unsold = ['budgeted', 'pending'] as const satisfies PolicyStatus[]

/** Leaves out missing filters. A page's first request thus equals the one whose response is in its payload. */
const given = <Name extends string, Value>(name: Name, value: Value | null | undefined): { [each in Name]?: Value } =>
  // Safe: the only name is this one.
  (value ? { [name]: value } : {}) as { [each in Name]?: Value }
