import { lazy, Suspense } from 'react'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { CardFormProps } from './card-form.tsx'

export type { CardSecret } from './card-form.tsx'

/** Loaded with the card network's own script. If it cannot be loaded, another way of payment can be used. */
const CardForm = lazy(() =>
  import('./card-form.tsx').then(({ CardForm }) => ({ default: CardForm })).catch(() => ({ default: CardFormLost })),
)

/** The card form, for a sale or a change. */
export const CardPayment = (props: CardFormProps) => (
  <Suspense fallback={<Skeleton className="h-24 w-full" />}>
    <CardForm {...props} />
  </Suspense>
)

function CardFormLost() {
  const { words } = useWords()
  return <Callout tone="danger" title={words('payments.card_not_loaded')} />
}
