import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { askQuote } from '#common/quotes/calls.ts'
import type { Price, Rating } from '#common/quotes/rating/price.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Badge, Callout } from '#portal/kit/ui/card.tsx'
import { Icon, iconOf } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from './store.ts'
import type { Tariff } from './rating.ts'
import { quoteRequest } from './requests.ts'

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; rating: Rating; children: ReactNode }

/** The price and its parts beside the funnel, or at the bottom of a phone screen. */
export function PriceSummary({ product, tariff, trip, rating, children }: Props) {
  const { words } = useWords()
  const format = useFormat()
  const { price } = rating
  const currency = tariff?.basis.currency ?? 'EUR'
  const confirmed = useConfirmedPrice(product, trip, price)
  return (
    <aside
      data-foot
      aria-label={words('funnel.summary')}
      className="sticky bottom-0 z-10 grid content-start gap-3 self-start border border-line bg-sheet p-4 max-lg:-mx-4 max-lg:-mb-5 max-lg:border-x-0 max-lg:border-b-0 max-lg:shadow-raised sm:max-lg:-mx-6 lg:top-6 lg:bottom-auto lg:rounded-lg lg:p-(--card)"
    >
      <p className="hidden items-center gap-2 font-semibold lg:flex">
        <Icon name={iconOf(product.icon)} className="size-5 text-accent-ink" /> {product.name}
      </p>
      <div className="flex items-baseline justify-between gap-3">
        <p className="text-quiet">{words('funnel.total')}</p>
        <output aria-live="polite" name="total" className="text-2xl font-semibold tracking-tight">
          {price ? format.cents(price.total, currency) : '–'}
        </output>
      </div>
      <div className="flex flex-wrap gap-1.5 empty:hidden">
        {price?.provisional && <Badge tone="warning">{words('funnel.provisional')}</Badge>}
        {confirmed === 'same' && (
          <Badge tone="success" icon="check">
            {words('funnel.confirmed')}
          </Badge>
        )}
      </div>
      {typeof confirmed === 'object' && <Callout tone="warning" title={confirmed.message} />}
      {price ? (
        <PriceLines price={price} tariff={tariff} />
      ) : (
        <p className="hidden text-sm text-quiet lg:block">{words('funnel.no_price_yet')}</p>
      )}
      {children}
    </aside>
  )
}

function PriceLines({ price, tariff }: { price: Price; tariff: Tariff | undefined }) {
  const { words } = useWords()
  const { cents, number } = useFormat()
  const currency = tariff?.basis.currency ?? 'EUR'
  const commission = tariff?.commissionPercent
  const lines: [label: string, amount: number][] = [
    [words('funnel.travel_premium'), price.travelPremium],
    ...(price.cancellationPremium > 0 ? [[words('funnel.cancellation_premium'), price.cancellationPremium] as [string, number]] : []),
    ...price.taxes.map(({ label, amount }): [string, number] => [label, amount]),
  ]
  return (
    <dl className="hidden gap-1 border-t border-line pt-3 text-sm lg:grid">
      {lines.map(([label, amount]) => (
        <Line key={label} label={label} amount={cents(amount, currency)} />
      ))}
      {typeof commission === 'number' && (
        <Line
          label={words('funnel.commission', { percent: number(commission) })}
          amount={cents(commissionOf(price.premium, commission), currency)}
          className="mt-2 border-t border-line pt-2"
        />
      )}
    </dl>
  )
}

const Line = ({ label, amount, className = '' }: { label: string; amount: string; className?: string }) => (
  <div className={`flex justify-between gap-3 ${className}`}>
    <dt className="text-quiet">{label}</dt>
    <dd className="font-medium whitespace-nowrap">{amount}</dd>
  </div>
)

const debounceMs = 400

/** Asks the service for the price once typing pauses. Returns 'same', or the message about the difference. */
function useConfirmedPrice(product: Product, trip: TripForm, price: Price | undefined): 'same' | { message: string } | undefined {
  const { words } = useWords()
  const format = useFormat()
  const request = useDebounced(price ? quoteRequest(product, trip) : undefined)
  const { data, error } = useQuery({
    queryKey: ['quote', request],
    queryFn: ({ signal }) => ask(askQuote, request ?? quoteRequest(product, trip), { signal }),
    enabled: request !== undefined,
  })
  if (!price || !request) return undefined
  if (error) return error instanceof Refused ? { message: error.message } : undefined
  if (!data) return undefined
  return Math.round(data.total * 100) === price.total
    ? 'same'
    : { message: words('funnel.price_differs', { total: format.money(data.total, data.currency) }) }
}

/** Returns the value once it has not changed for 400 ms. */
function useDebounced<Value>(value: Value): Value | undefined {
  const text = JSON.stringify(value)
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled === text ? value : undefined
}
