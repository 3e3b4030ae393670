import type { Standings } from '#common/quotes/comparison.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { MessageId } from '../../../common/locales/ids'
import type { TripForm } from '../store.ts'
import { lineField } from './use-line.ts'

type Props = { products: readonly Product[]; standings: Standings; onMend: (name: keyof TripForm) => void }

/** The products that refuse this trip, each with the service's reason and the field to correct. */
export function RefusedList({ products, standings, onMend }: Props) {
  const { words } = useWords()
  const refused = products.flatMap(product => {
    const standing = standings.get(product.uuid)
    return standing?.state === 'refused' ? [{ product, standing }] : []
  })
  if (refused.length === 0) return null
  return (
    <section className="grid gap-1.5" aria-label={words('compare.not_for_trip')}>
      <h3 className="pl-0.5 text-sm text-faint">{words('compare.not_for_trip')}</h3>
      <ul className="rounded-lg border border-line bg-sheet shadow-low">
        {refused.map(({ product: { uuid, name }, standing: { reasons, path } }) => {
          const field = path === undefined ? undefined : lineField(path)
          const mend = field === undefined ? undefined : mends[field]
          return (
            <li key={uuid} className="refused-row">
              <span className="font-semibold text-quiet">{name}</span>
              <span className="text-quiet">{reasons[0]}</span>
              {field && mend && (
                <button type="button" onClick={() => onMend(field)}>
                  {words(mend)}
                  <span className="sr-only"> ({name})</span>
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const mends: Partial<Record<keyof TripForm, MessageId & `quote.mend_${'dates' | 'from' | 'to' | 'travellers'}`>> = {
  startDate: 'quote.mend_dates',
  endDate: 'quote.mend_dates',
  coverageScope: 'quote.mend_from',
  mainDestination: 'quote.mend_to',
  ages: 'quote.mend_travellers',
}
