import { displayDate } from '#common/kit/dates.ts'
import type { Standing, Standings } from '#common/quotes/comparison.ts'
import { useUnit } from '#portal/business-unit/settings.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'

type Refusal = Extract<Standing, { state: 'refused' }>
/** Changes the trip's dates to those with which a product prices it. */
export type OnCure = (product: Product, dates: NonNullable<Refusal['dates']>) => void

type Props = { products: readonly Product[]; standings: Standings; trip: TripForm; onCure: OnCure }

/** The products that refuse this trip, each with all its reasons. */
export function RefusedList({ products, standings, trip, onCure }: Props) {
  const { words } = useWords()
  const sentence = useSentence()
  const refused = products.flatMap(product => {
    const standing = standings.get(product.uuid)
    return standing?.state === 'refused' ? [{ product, standing }] : []
  })
  if (refused.length === 0) return null
  return (
    <section className="grid gap-1.5" aria-label={words('compare.not_for_trip')}>
      <h3 className="pl-0.5 text-sm text-faint">{words('compare.not_for_trip')}</h3>
      <ul className="rounded-lg border border-line bg-sheet shadow-low">
        {refused.map(({ product, standing }) => (
          <li key={product.uuid} className="refused-row">
            <span className="font-semibold text-quiet">{product.name}</span>
            <span className="text-quiet">{sentence(standing.reasons)}</span>
            <Cure {...{ product, standing, trip, onCure }} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type CureProps = { product: Product; standing: Refusal; trip: TripForm; onCure: OnCure }

/** The button that changes one date, where that is enough. */
export function Cure({ product, standing: { dates }, trip, onCure }: CureProps) {
  const { words } = useWords()
  if (!dates) return null
  const [start, end] = [displayDate(dates.startDate) ?? '', displayDate(dates.endDate) ?? '']
  return (
    <button type="button" onClick={() => onCure(product, dates)}>
      {start === trip.startDate ? words('quote.return_on', { date: end }) : words('quote.depart_on', { date: start })}
      <span className="sr-only"> ({product.name})</span>
    </button>
  )
}

/** Returns a function that joins reasons to one sentence. */
export function useSentence(): (reasons: readonly string[]) => string {
  const { words } = useWords()
  const countries = useUnit().configuration.countriesList
  /** Without the full stop, and within a sentence with a small letter, unless it begins with a country. */
  const part = (reason: string, index: number): string => {
    const text = reason.replace(/\.$/, '')
    return index === 0 || countries.some(({ name }) => text.startsWith(name)) ? text : text.charAt(0).toLocaleLowerCase() + text.slice(1)
  }
  return reasons => {
    const [first = '', ...others] = reasons.map(part)
    return `${others.reduce((reason, also) => words('quote.and_also', { reason, also }), first)}.`
  }
}
