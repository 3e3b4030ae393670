import { addDays, displayDate, startOfDay, today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'

type Where = { policy: { locale: Locale }; seller: { timeZone: string } }

/** Returns day and time of an instant in the unit's zone, which it names: a movement counts to the second. */
export const momentIn = (at: Date, where: Where): string => written(at, where, { second: '2-digit' })

/** Returns the end of a validity with day, hour and zone, as its reader may be elsewhere. */
export const endIn = (at: Date, where: Where): string => written(at, where, {})

/** Returns the beginning of a covered day. The day may begin after midnight, in the night in which clocks change. */
export const dayStart = (date: string, where: Where): string => endIn(new Date(startOfDay(date, where.seller.timeZone)), where)

/** Returns the end of a covered day as its hour 24. */
export function dayEnd(date: string, where: Where): string {
  const last = new Date(startOfDay(addDays(date, 1), where.seller.timeZone) - 1)
  return endIn(last, where).replace('23:59', '24:00')
}

function written(at: Date, { policy, seller }: Where, more: Intl.DateTimeFormatOptions): string {
  const time = new Intl.DateTimeFormat(intlTag(policy.locale), {
    hour: '2-digit',
    minute: '2-digit',
    ...more,
    hourCycle: 'h23',
    timeZone: seller.timeZone,
    timeZoneName: 'short',
  })
  return `${displayDate(today(at, seller.timeZone)) ?? ''}, ${time.format(at)}`
}
