import { displayDate, today } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'

type Where = { policy: { locale: Locale }; seller: { timeZone: string } }

/** Returns day and time of an instant in the unit's zone, which it names: a movement counts to the second. */
export const momentIn = (at: Date, where: Where): string => written(at, where, { second: '2-digit' })

/** Returns the end of a validity with day, hour and zone, as its reader may be elsewhere. */
export const endIn = (at: Date, where: Where): string => written(at, where, {})

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
