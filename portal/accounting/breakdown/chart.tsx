import { currencySign } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import { MonthBars } from '#portal/kit/page/month-bars.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Earnings, Rates } from '../use-accounting.ts'
import { isOfRates, type View } from './table.ts'

/** Charts the months’ conversion or refund rate if that is the view, else their commission. */
export function Chart({ view, earnings, rates }: { view: View; earnings: Earnings; rates: Rates | undefined }) {
  const { words, locale } = useWords()
  const { money, share } = useFormat()
  const labels = {
    conversion: words('accounting.conversion_picture'),
    refunds: words('accounting.refunds_picture'),
    earned: words('accounting.picture', { currency: currencySign(locale, earnings.currency) }),
  }
  const label = labels[isOfRates(view) ? view : 'earned']
  const rateOf = new Map(rates?.months.map(each => [each.name, view === 'conversion' ? each.conversion : each.refundRate]))
  const months = earnings.months.map(({ name, earned }) => {
    const rate = rateOf.get(name) ?? null
    return isOfRates(view)
      ? { name, amount: rate === null ? null : rate * 100, hint: share(rate) }
      : { name, amount: earned, hint: money(earned, earnings.currency) }
  })
  return (
    <>
      {/* The chart has this text as its name. */}
      <p aria-hidden="true" className="text-sm text-quiet">
        {label}
      </p>
      <MonthBars label={label} months={months} />
    </>
  )
}
