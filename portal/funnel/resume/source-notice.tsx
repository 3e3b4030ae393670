import { readDate } from '#common/kit/dates.ts'
import { todayInUnit } from '#portal/business-unit/today.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Callout } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { birthDatesOf, peopleSoFar, policyholderName } from '../people-form.ts'
import { type SaleSource, type Step, type TripForm, useFunnel } from '../store.ts'
import { type Tariff, useRating } from '../rating.ts'

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; takenUp: SaleSource; step: Step }

/**
 * Names the source of the sale, and warns if its dates have passed or its price or product changed. In step 3, the button that accepts a changed
 * price has the warning beside it.
 */
export function SourceNotice({ product, tariff, trip, takenUp, step }: Props) {
  const { words } = useWords()
  const { cents, date } = useFormat()
  const { agreedTotal, people, bought } = useFunnel()
  const rating = useRating(product, tariff)({ ...trip, birthDates: birthDatesOf(peopleSoFar(people, trip)) })
  if (bought) return null
  const { mode, taker, productGone } = takenUp
  const startDate = readDate(trip.startDate)
  const hasPassed = mode === 'resume' && startDate !== undefined && startDate < todayInUnit()
  const total = rating.price?.total
  const currency = tariff?.basis.currency ?? 'EUR'
  // A resumed quote may get its name here, and without one is known by its reference. A copy is named after the original policyholder.
  const reference = mode === 'resume' ? peopleSoFar(people, trip).insuranceData?.trim() : ''
  const policyholder = (mode === 'resume' && policyholderName(people, trip)) || taker || reference || words('funnel.take_up.unnamed')
  return (
    <div role="status" className="grid gap-2">
      {mode === 'resume' ? (
        <Callout tone="info" title={words('funnel.take_up.resumed', { policyholder })} />
      ) : (
        <Callout tone="info" title={words('funnel.take_up.copied', { policyholder })} />
      )}
      {productGone && <Callout tone="warning" title={words('funnel.take_up.product_gone', { product: productGone })} />}
      {hasPassed && (
        <Callout tone="warning" title={words('funnel.take_up.passed', { from: date(takenUp.startDate), to: date(takenUp.endDate) })} />
      )}
      {mode === 'resume' && step !== 3 && total !== undefined && agreedTotal !== undefined && total !== agreedTotal && (
        <Callout
          tone="warning"
          title={words('funnel.take_up.price_changed', { before: cents(agreedTotal, currency), now: cents(total, currency) })}
        />
      )}
    </div>
  )
}
