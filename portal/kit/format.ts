import { displayDate } from '#common/kit/dates.ts'
import { type Locale, intlTag } from '#common/kit/locales.ts'
import { formatMoney, toCents } from '#common/kit/money.ts'
import { useWords } from './words.tsx'

/** Formats money, dates and times in the current language. `money` takes major units, as calls do. */
export function useFormat() {
  const { locale } = useWords()
  return {
    money: (amount: number, currency: string) => formatMoney(toCents(amount) ?? 0, locale, currency),
    cents: (cents: number, currency: string) => formatMoney(cents, locale, currency),
    date: (date: string) => displayDate(date) ?? date,
    moment: (instant: string) => momentIn(locale).format(new Date(instant)),
    number: (value: number) => new Intl.NumberFormat(intlTag(locale)).format(value),
    list: (items: readonly string[]) => new Intl.ListFormat(intlTag(locale)).format(items),
  }
}

const momentIn = (locale: Locale) => new Intl.DateTimeFormat(intlTag(locale), { dateStyle: 'short', timeStyle: 'short' })
