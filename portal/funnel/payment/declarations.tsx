import type { ReactNode, Ref } from 'react'
import { toCents } from '#common/kit/money.ts'
import { needsParams } from '#common/quotes/needs.ts'
import type { ManyTrips } from '#common/quotes/rating/many-trips.ts'
import { useCountryName, useUnit } from '#portal/business-unit/settings.ts'
import { Checkbox } from '#portal/kit/field/choices.tsx'
import { Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { FileLink } from '#portal/kit/file/file-link.tsx'
import type { Product } from '#portal/products/store.ts'
import type { TripForm } from '../store.ts'

type Props = {
  files: readonly { name: string; file: string; label: string }[]
  demandsAndNeeds: string
  declared: boolean
  onDeclare: (declared: boolean) => void
  checkbox: Ref<HTMLInputElement>
  error: string | undefined
  /** The emails that carry these documents. */
  children: ReactNode
}

type Rated = { many: ManyTrips | undefined; currency: string | undefined }

/** Returns the client's demands and needs as a sentence, which is shown and stored with the policy. */
export function useDemandsAndNeeds(product: Product, trip: TripForm, { many, currency: rated }: Rated): string {
  const { words, locale } = useWords()
  const countryName = useCountryName()
  const { currency } = useUnit().configuration
  const { mainDestination, travelers, startDate, endDate, priceTravel } = trip
  return words(
    'funnel.before.needs',
    needsParams(
      {
        travellers: Number(travelers),
        destinations: mainDestination.map(countryName),
        startDate,
        endDate,
        many,
        amountCents: product.settings.hasAmountCancellation ? toCents(priceTravel) : undefined,
        currency: rated ?? currency,
        product: product.name,
      },
      locale,
    ),
  )
}

/** The documents, and the demands and needs that the client must confirm before the purchase. */
export function Declarations({ files, demandsAndNeeds, declared, onDeclare, checkbox, error, children }: Props) {
  const { words } = useWords()
  return (
    <Card title={words('funnel.before.title')}>
      <p>{demandsAndNeeds}</p>
      <ul className="flex flex-wrap gap-x-6 gap-y-1 empty:hidden">
        {files.map(file => (
          <li key={file.file}>
            <FileLink {...file} />
          </li>
        ))}
      </ul>
      {children}
      <Checkbox
        ref={checkbox}
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
