import { useState } from 'react'
import { createPortal } from 'react-dom'
import { byPrice, firstCompared, type Standing, type Standings } from '#common/quotes/comparison.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { maxCompared, type Product, useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { tripToCompare } from '../sale.ts'
import type { TripForm } from '../store.ts'
import { CompareTable } from './compare-table.tsx'
import { TripFields } from './trip-fields.tsx'
import { hasCost, type Prices, useStandings } from './use-standings.ts'

export type CompareProps = {
  /** The products to compare, by default those that suit the trip best. */
  products?: readonly Product[] | undefined
  /** The product of the sale in progress. */
  current?: Product | undefined
  trip: TripForm | undefined
  /** Receives the trip as it was typed. */
  onClose: (trip: TripForm) => void
  /** Chooses a product for the sale in progress. By default, each product has a link to a sale. */
  onChoose?: ((uuid: string, trip: TripForm) => void) | undefined
}

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

type Choice = { products: readonly Product[]; chosen: readonly Product[] | undefined; current: Product | undefined }

const none: Standings = new Map()

/** Keeps the shown products and their order. `shown` is undefined while prices still decide which these are. */
function useShown({ products, chosen, current }: Choice, { standings, areCurrent, isComplete, error }: Prices) {
  const [picked, setPicked] = useState(() => chosen?.map(({ uuid }) => uuid))
  const [seen, setSeen] = useState(none)
  const [sortedBy, setSortedBy] = useState(none)
  const [isHeld, hold] = useState(false)
  const all = products.map(({ uuid }) => uuid)
  const first = (by: Standings) => firstCompared(current?.uuid ?? all[0] ?? '', all, by, maxCompared)
  if (areCurrent && seen !== standings) {
    setSeen(standings)
    if (!isHeld) setSortedBy(standings)
    setPicked(picked ?? first(standings))
  }
  const shown = picked ? byPrice(picked, sortedBy) : first(none)
  return {
    shown: picked || !isComplete || error ? shown : undefined,
    toggle: (uuid: string) => {
      setPicked(shown.includes(uuid) ? shown.filter(each => each !== uuid) : [...shown, uuid])
      setSortedBy(standings)
    },
    /** Keeps the order while the focus is in a column, so that its fields do not move while the user types. */
    hold,
  }
}

type ProductChoiceProps = {
  products: readonly Product[]
  shown: readonly string[]
  trip: TripForm
  prices: Prices
  onToggle: (uuid: string) => void
}

const fewest = 2

/** Chooses the products to compare. Each shows its price, or why it does not insure this trip. */
function ProductChoice({ products, shown, trip, prices: { standings, areCurrent }, onToggle }: ProductChoiceProps) {
  const { words } = useWords()
  const { money } = useFormat()
  const all = byPrice(
    products.map(({ uuid }) => uuid),
    standings,
  )
  const stateOf = (standing: Standing | undefined): string | undefined => {
    if (!standing || !areCurrent) return undefined
    if (standing.state === 'priced') return money(standing.quote.total, standing.quote.currency)
    if (standing.state === 'refused') return standing.reasons[0]
    return hasCost(trip) ? standing.problems[0]?.message : words('compare.lacks_cost')
  }
  /** A tick beyond the limits changes nothing, and a toast names the limits. */
  function toggle(uuid: string, isShown: boolean) {
    if (isShown ? shown.length > fewest : shown.length < maxCompared) onToggle(uuid)
    else showToast({ severity: 'info', summary: words('compare.choose_hint', { fewest, most: maxCompared }) })
  }
  return (
    <Disclosure
      className="rounded-lg border border-line px-3"
      summary={words('compare.choose', { count: shown.length, all: products.length })}
    >
      <fieldset className="grid items-start gap-2 pb-3 sm:grid-cols-2 xl:grid-cols-3">
        <legend className="mb-2 text-sm text-quiet">{words('compare.choose_hint', { fewest, most: maxCompared })}</legend>
        {all.map(uuid => {
          const isShown = shown.includes(uuid)
          return (
            <Checkbox
              key={uuid}
              name="compared"
              label={products.find(product => product.uuid === uuid)?.name}
              hint={stateOf(standings.get(uuid))}
              checked={isShown}
              onChange={() => toggle(uuid, isShown)}
            />
          )
        })}
      </fieldset>
    </Disclosure>
  )
}
