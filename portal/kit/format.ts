import { displayDate, displayMoment, lastDayBefore } from '#common/kit/dates.ts'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { formatMoney, toCents, withMinus } from '#common/kit/money.ts'
import { shownTimeZone } from './time.ts'
import { useWords } from './words.tsx'

/** Formats money, dates and times in the current language. `money` takes major units, as calls do. */
export const useFormat = () => formatsIn(useWords().locale)

export function formatsIn(locale: Locale) {
  return {
    money: (amount: number, currency: string) => formatMoney(toCents(amount) ?? 0, locale, currency),
    cents: (cents: number, currency: string) => formatMoney(cents, locale, currency),
    date: (date: string) => displayDate(date) ?? date,
    moment: (instant: string) => displayMoment(new Date(instant), shownTimeZone()),
    number: (value: number) => withMinus(new Intl.NumberFormat(intlTag(locale), { useGrouping: 'always' }).format(value)),
    /** Formats a ratio as a percentage; a dash if there is none. */
    share: (part: number | null) =>
      part === null ? '–' : withMinus(new Intl.NumberFormat(intlTag(locale), { style: 'percent', maximumFractionDigits: 1 }).format(part)),
    list: (items: readonly string[]) => new Intl.ListFormat(intlTag(locale)).format(items),
  }
}

/** Returns until when something is valid: its last day if it ends with that, else the moment. */
export function shownEnd(instant: string): string {
  const at = new Date(instant)
  const timeZone = shownTimeZone()
  return displayDate(lastDayBefore(at, timeZone)) ?? displayMoment(at, timeZone)
}

/** Returns a function that formats a difference in cents with its sign. */
export function useSigned(currency: string): (cents: number) => string {
  const { cents } = useFormat()
  return amount => `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${cents(Math.abs(amount), currency)}`
}

/** Returns the time of day in the format of `useFormat`, for something that ends today. */
export const timeOfDay = (moment: string): string => moment.slice(-5)
