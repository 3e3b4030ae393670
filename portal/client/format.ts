import type { ClientPolicy } from '#common/client/calls.ts'
import { daysBetween, lastDayBefore } from '#common/kit/dates.ts'
import { intlTag } from '#common/kit/locales.ts'
import { useWords } from '#portal/kit/words.tsx'

type Page = Pick<ClientPolicy, 'timeZone' | 'today'> & { price: { currency: string } }

/** Returns the formats of a client's page: days with the month in words, in the client's language and the agency's time zone. */
export function useClientFormat({ timeZone, today, price }: Page) {
  const { locale } = useWords()
  const tag = intlTag(locale)
  const days = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const long = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' })
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone: 'UTC' })
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency: price.currency })
  return {
    // A minus is as wide as a digit, while browsers write a hyphen.
    money: (amount: number) => money.format(amount).replace('-', '−'),
    list: (items: readonly string[]) => new Intl.ListFormat(tag).format(items),
    day: (date: string) => long.format(new Date(date)),
    daysUntil: (date: string) => daysBetween(today, date),
    /** Returns the day that ends at an instant, if that is midnight. */
    endedDay: (instant: string) => {
      const day = lastDayBefore(new Date(instant), timeZone)
      return day && full.format(new Date(day))
    },
    period: (from: string, to: string) => days.formatRange(new Date(from), new Date(to)),
    dayTime: (instant: string) =>
      new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(instant)),
    moment: (instant: string) => ({
      date: new Intl.DateTimeFormat(tag, { dateStyle: 'full', timeZone }).format(new Date(instant)),
      time: new Intl.DateTimeFormat(tag, { timeStyle: 'long', timeZone }).format(new Date(instant)),
      short: new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone }).format(new Date(instant)),
    }),
  }
}
