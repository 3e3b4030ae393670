import type { Ref } from 'react'
import { useUnit } from '#portal/business-unit/settings.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Card } from '#portal/kit/ui/card.tsx'
import { Icon } from '#portal/kit/ui/icon.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'

type Props = {
  product: Product
  demandsAndNeeds: string
  declared: boolean
  onDeclare: (declared: boolean) => void
  tick: Ref<HTMLInputElement>
  error: string | undefined
}

/** The client's demands and needs as a sentence: shown to him, and kept with what he buys. */
export function useDemandsAndNeeds(product: Product, trip: TripForm): string {
  const { words } = useWords()
  const { date, list } = useFormat()
  const { configuration } = useUnit()
  const names = trip.mainDestination.map(id => configuration.countriesList.find(country => country.id === id)?.name ?? String(id))
  return words('funnel.before.needs', {
    travelers: Number(trip.travelers),
    destination: list(names),
    from: date(trip.startDate),
    to: date(trip.endDate),
    product: product.name,
  })
}

/** What the client must have been offered and told before the purchase: the documents, and that the product meets his demands and needs. */
export function Declarations({ product, demandsAndNeeds, declared, onDeclare, tick, error }: Props) {
  const { words } = useWords()
  return (
    <Card title={words('funnel.before.title')}>
      <p>{demandsAndNeeds}</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 empty:hidden">
        {product.files.map(({ name, file, label }) => (
          <li key={file}>
            <a
              href={file}
              download={name}
              className="inline-flex min-h-(--control) items-center gap-2 text-accent-ink underline underline-offset-4"
            >
              <Icon name="download" /> {label}
            </a>
          </li>
        ))}
      </ul>
      <Checkbox
        ref={tick}
        name="demandsAndNeeds"
        label={words('funnel.before.declare')}
        required
        checked={declared}
        onChange={onDeclare}
        error={error}
      />
    </Card>
  )
}
