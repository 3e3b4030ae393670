import type { Taxes } from '#common/products/tariff.ts'
import type { RatedPrice } from '#common/quotes/rating/price.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import { taxName } from '#common/quotes/price-lines.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useWords } from '#portal/kit/words.tsx'

type Props = { price: RatedPrice; taxes: Taxes; currency: string; percent: number | null | undefined }

/** The parts of a price, as a bar and as amounts. */
export function PriceParts({ price, taxes: named, currency, percent }: Props) {
  const { words, locale } = useWords()
  const { cents, number } = useFormat()
  const taxes = price.taxes.reduce((sum, { amount }) => sum + amount, 0)
  const parts = [
    { label: words('funnel.travel_premium'), amount: price.travelPremium, look: 'bg-ink' },
    { label: words('funnel.cancellation_premium'), amount: price.cancellationPremium, look: 'bg-faint' },
    { label: words('funnel.taxes'), amount: taxes, look: 'bg-line' },
  ].filter(({ amount }) => amount > 0)
  return (
    <div className="grid w-72 max-w-full gap-3">
      <div aria-hidden="true" className="flex h-2.5 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ label, amount, look }) => (
          <span key={label} className={look} style={{ flexGrow: amount }} />
        ))}
      </div>
      <dl className="grid gap-1 text-sm">
        {parts.map(({ label, amount, look }) => (
          <Line key={label} label={label} amount={cents(amount, currency)} look={look} />
        ))}
        {price.taxes.length > 1 &&
          price.taxes.map(({ code, label, amount }) => (
            <Line key={code} label={taxName(named, code, locale) ?? label} amount={cents(amount, currency)} look={undefined} />
          ))}
        <div className="mt-1 grid border-t border-line pt-2">
          <Line label={words('funnel.total')} amount={cents(price.total, currency)} look={undefined} />
          {typeof percent === 'number' && (
            <Line
              label={words('funnel.commission', { percent: number(percent) })}
              amount={cents(commissionOf(price.premium, percent), currency)}
              look={undefined}
            />
          )}
        </div>
      </dl>
    </div>
  )
}

const Line = ({ label, amount, look }: { label: string; amount: string; look: string | undefined }) => (
  <div className="flex items-center gap-2">
    <dt className="flex flex-1 items-center gap-2 text-quiet">
      <span aria-hidden="true" className={`size-2 rounded-full ${look ?? ''}`} />
      {label}
    </dt>
    <dd className="font-semibold whitespace-nowrap">{amount}</dd>
  </div>
)
