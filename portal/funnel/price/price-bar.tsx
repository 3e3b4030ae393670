import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { askQuote } from '#common/quotes/calls.ts'
import type { RatedPrice } from '#common/quotes/rating/price.ts'
import { missingInTrip } from '#common/quotes/trip.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { later } from '#portal/kit/page/later.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { useIsNarrow } from '#portal/kit/ui/narrow.ts'
import { Popover } from '#portal/kit/overlay/popover.tsx'
import { Callout, State } from '#portal/kit/ui/card.tsx'
import { IconButton } from '#portal/kit/ui/icon-button.tsx'
import { useDebounced } from '#portal/kit/use-debounced.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { FormRating, Tariff } from '../use-rating.ts'
import { type TripForm, useFunnel } from '../store.ts'
import { quoteRequest, tripOf } from '../trip-request.ts'
import './price-bar.css'

const [PriceParts, loadParts] = later(async () => (await import('./price-parts.tsx')).PriceParts)

type Props = {
  product: Product
  tariff: Tariff | undefined
  trip: TripForm
  rating: FormRating
  /** Shown above the line: a changed price. */
  notice?: ReactNode
  /** The number of problems to be corrected. */
  mend?: ReactNode
  /** True if the sale can be saved as a quote. */
  savable: boolean
  /** The button to the next step. */
  children: ReactNode
}

/** The footer of steps 2 and 3: the price, the commission, the number of problems, and the one button to continue. */
export function PriceBar({ product, tariff, trip, rating, notice, mend, savable, children }: Props) {
  const { words } = useWords()
  const format = useFormat()
  const isNarrow = useIsNarrow()
  const { price } = rating
  const currency = tariff?.basis.currency ?? 'EUR'
  const showsCommission = useShowsCommission()
  const percent = showsCommission ? tariff?.commissionPercent : null
  // A kept price differs from that of a quote made today.
  const confirmed = useConfirmedPrice(product, trip, rating.kept ? undefined : price)
  const state = priceState(price, confirmed)
  // Without a price, a birth date may be wrong, too.
  const isIncomplete = missingInTrip(tripOf(trip), product.settings).length > 0
  const save = savable && <SaveBudget product={product} inLine={!isNarrow} />
  const status = (
    <div className="price-sure min-h-4.5 text-sm text-quiet">
      {!price && isIncomplete && words('funnel.no_price_yet')}
      {typeof confirmed !== 'object' && state === 'provisional' && <State tone="warning">{words('funnel.provisional')}</State>}
      {typeof confirmed !== 'object' && state === 'confirmed' && <State tone="success">{words('funnel.confirmed')}</State>}
    </div>
  )
  return (
    <>
      {isNarrow && save}
      <aside
        data-foot
        aria-label={words('funnel.summary')}
        className="price-bar sticky bottom-3 z-10 grid gap-2 rounded-lg bg-raised px-4 py-2.5 shadow-raised"
      >
        {notice}
        {typeof confirmed === 'object' && <Callout tone="warning" title={confirmed.message} />}
        <div className="price-line flex items-center gap-x-6 gap-y-2">
          <div className="grid min-w-0 justify-items-start">
            <div className="flex items-center gap-1">
              <output aria-live="polite" name="total" className="text-2xl font-bold tracking-tight">
                {price ? format.cents(price.total, currency) : '–'}
              </output>
              {price && (
                <Popover
                  label={words('funnel.price_parts')}
                  content={<PriceParts price={price} taxes={tariff?.basis.taxes ?? {}} currency={currency} percent={percent} />}
                >
                  {trigger => (
                    <IconButton
                      {...trigger}
                      icon="info"
                      label={words('funnel.price_parts')}
                      className="min-h-7 min-w-7"
                      onPointerEnter={loadParts}
                    />
                  )}
                </Popover>
              )}
            </div>
            {isNarrow ? (
              <div className="price-under">
                {status}
                {mend}
              </div>
            ) : (
              status
            )}
          </div>
          {price && typeof percent === 'number' && (
            <dl className="grid max-md:hidden">
              <dt className="order-last text-sm text-quiet">{words('funnel.your_commission')}</dt>
              <dd className="font-semibold">{format.cents(commissionOf(price.premium, percent), currency)}</dd>
            </dl>
          )}
          <div className="ml-auto flex items-center gap-3">
            {!isNarrow && mend}
            {!isNarrow && save}
            {children}
          </div>
        </div>
      </aside>
    </>
  )
}

/** Asks the service for the price once typing pauses. */
function useConfirmedPrice(product: Product, trip: TripForm, price: RatedPrice | undefined): Confirmation {
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

/** The service's result for a price: the same total, or a message why not. Undefined while it is requested, or cannot be. */
export type Confirmation = 'same' | { message: string } | undefined

/**
 * Returns the one statement to show about a price. A price that unknown ages may change is provisional, even if the service returned the same. For a
 * price that the service refuses or changes, it is the message. Any other price is confirmed only after the service has returned the same.
 */
export function priceState(
  price: { provisional: boolean } | undefined,
  confirmation: Confirmation,
): 'provisional' | 'confirmed' | undefined {
  if (!price || typeof confirmation === 'object') return undefined
  if (price.provisional) return 'provisional'
  return confirmation === 'same' ? 'confirmed' : undefined
}

// Loaded on demand, as it needs the service anyway.
const [SaveDialog, loadSaveDialog] = later(async () => (await import('../save/save-dialog.tsx')).SaveDialog)

/** Saves the sale as a quote, however incomplete. Among other buttons, its name is visible on wide screens only. */
function SaveBudget({ product, inLine }: { product: Product; inLine: boolean }) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button
        {...shortcut('save')}
        look="quiet"
        icon="bookmark"
        className="flex-1"
        aria-label={words('funnel.save_budget')}
        onPointerEnter={loadSaveDialog}
        onFocus={loadSaveDialog}
        onClick={() => setOpen(true)}
      >
        <span className={inLine ? 'max-lg:hidden' : ''}>{words('funnel.save_budget')}</span>
      </Button>
      {open && <SaveDialog product={product} onClose={() => setOpen(false)} />}
    </>
  )
}

/**
 * Says that a price differs from the accepted one, and why: the number of travellers, else their ages, as nothing else of the trip changes after
 * step 1. The tariff of a resumed quote may have changed. Step 3 asks for consent.
 */
export function PriceChange({ total, currency }: { total: number | undefined; currency: string }) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { agreedTotal, agreedFor, takenUp, trip } = useFunnel()
  if (total === undefined || agreedTotal === undefined || total === agreedTotal) return null
  const prices = { before: cents(agreedTotal, currency), now: cents(total, currency) }
  const travellers = Number(trip?.travelers)
  const more = agreedFor?.total === agreedTotal ? travellers - agreedFor.travellers : 0
  function title(): string {
    if (takenUp?.mode === 'resume') return words('funnel.take_up.price_changed', prices)
    if (more < 0) return words('funnel.price_fewer', { ...prices, count: -more })
    return more > 0 ? words('funnel.price_more', { ...prices, count: more }) : words('funnel.price_changed', prices)
  }
  return <Callout tone="warning" title={title()} />
}

/** Notes how many travellers have the accepted price, before step 2 can change their number. */
export function useAgreedTravellers(): void {
  const agreedTotal = useFunnel(({ agreedTotal }) => agreedTotal)
  useEffect(() => {
    const { agreedFor, trip } = useFunnel.getState()
    if (agreedTotal === undefined || agreedFor?.total === agreedTotal) return
    useFunnel.setState({ agreedFor: { total: agreedTotal, travellers: Number(trip?.travelers) } })
  }, [agreedTotal])
}
