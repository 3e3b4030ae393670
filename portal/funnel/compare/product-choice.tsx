import { byPrice, type Standing } from '#common/quotes/comparison.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { useWords } from '#portal/kit/words.tsx'
import { Disclosure } from '#portal/kit/page/disclosure.tsx'
import { maxCompared, type Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'
import { hasCost, type Prices } from './use-standings.ts'

type Props = {
  products: readonly Product[]
  shown: readonly string[]
  trip: TripForm
  prices: Prices
  onToggle: (uuid: string) => void
}

const fewest = 2

/** Chooses the products to compare. Each shows its price, or why it does not insure this trip. */
export function ProductChoice({ products, shown, trip, prices: { standings, areCurrent }, onToggle }: Props) {
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
