import { fromCents } from '#common/kit/money.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import { type Product, productOf, useProducts } from '#portal/products/store.ts'
import { QuoteFirst } from '../quote/quote-first.tsx'
import { type Tariff, useRating } from '../rating.ts'
import { type StepFrame, StepPage } from '../step-page.tsx'
import type { TripForm } from '../store.ts'

type Props = { frame: StepFrame; product: Product; tariff: Tariff | undefined }

/** Step 1: the trip, and the price of every product. A resumed quote has its own price for its trip. */
export function TripStep({ frame, product, tariff }: Props) {
  const products = useProducts(({ products }) => products)
  // The one that was saved, whichever is chosen now.
  const saved = productOf(tariff?.kept?.saved.productUuid) ?? product
  const rate = useRating(saved, tariff)
  const keptPrice = (trip: TripForm) => {
    const { price, kept } = rate(trip)
    if (!price || !kept) return undefined
    const commission = fromCents(commissionOf(price.premium, saved.productBuCommission ?? 0))
    return { productUuid: saved.uuid, total: fromCents(price.total), commission }
  }
  return (
    <StepPage step={1} frame={frame}>
      <QuoteFirst
        isStep
        products={products}
        keptPrice={keptPrice}
        renderPage={({ line, results }) => (
          <>
            {line}
            {results}
          </>
        )}
      />
    </StepPage>
  )
}
