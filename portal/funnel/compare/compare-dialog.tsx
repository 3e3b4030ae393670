import { useState } from 'react'
import { createPortal } from 'react-dom'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { tripToCompare } from '../sale.ts'
import type { TripForm } from '../store.ts'
import { CompareTable } from './compare-table.tsx'
import { ProductChoice } from './product-choice.tsx'
import type { CompareProps } from './types.ts'
import { TripFields } from './trip-fields.tsx'
import { useShown } from './use-shown.ts'
import { useStandings } from './use-standings.ts'

/** Compares up to four products by their covers, and by their prices for one trip. It asks for the data that prices lack. */
export function CompareDialog({ products: chosen, current, trip: known, onClose, onChoose }: CompareProps) {
  const { words } = useWords()
  const products = useProducts(({ products }) => products)
  const access = useMay('b2b-access')
  const sells = useMay('b2b-products-sell')
  const maySell = access && sells
  const [trip, setTrip] = useState(() => known ?? tripToCompare(products))
  const [onlyDifferences, setOnlyDifferences] = useState(false)
  const prices = useStandings(products, trip, maySell)
  const { shown, toggle, hold } = useShown({ products, chosen, current }, prices)
  const pricedCount = [...prices.standings.values()].filter(({ state }) => state === 'priced').length
  const choose = (uuid: string) => {
    onClose(trip)
    onChoose?.(uuid, trip)
  }
  const update = (change: Partial<TripForm>) => setTrip(before => ({ ...before, ...change }))
  // Outside the form around the button, which Enter in a field of the comparison would send.
  return createPortal(
    <Dialog open onClose={() => onClose(trip)} size="wide" title={words('compare.title')}>
      <div
        role="group"
        aria-label={words('compare.title')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll it
        tabIndex={0}
        className="@container grid max-h-[calc(100dvh-10rem)] scroll-pt-16 content-start gap-3 overflow-auto"
      >
        <div className="sticky left-0 grid w-[100cqw] gap-3">
          {maySell && <TripFields trip={trip} products={products} prices={prices} onChange={update} />}
          {products.length > 2 && <ProductChoice products={products} shown={shown ?? []} trip={trip} prices={prices} onToggle={toggle} />}
          {prices.error && <LoadError small error={prices.error} retry={prices.retry} />}
          <output className="sr-only">{prices.areCurrent && words('compare.priced', { count: pricedCount, all: products.length })}</output>
          <Checkbox
            name="onlyDifferences"
            label={words('compare.only_differences')}
            checked={onlyDifferences}
            onChange={setOnlyDifferences}
          />
        </div>
        {shown ? (
          <CompareTable
            hold={hold}
            products={shown.flatMap(uuid => products.find(product => product.uuid === uuid) ?? [])}
            onlyDifferences={onlyDifferences}
            pricing={maySell ? { trip, prices, onChange: update, current, onChoose: onChoose && choose } : undefined}
          />
        ) : (
          <Loading>
            <Skeleton className="h-72 w-full" />
          </Loading>
        )}
      </div>
    </Dialog>,
    document.body,
  )
}
