import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { compareQuotes } from '#common/quotes/calls.ts'
import { missingInTrip } from '#common/quotes/trip.ts'
import { ask } from '#portal/kit/ask.ts'
import { useFormat } from '#portal/kit/format.ts'
import { Dialog } from '#portal/kit/overlay/dialog.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { Badge, Callout } from '#portal/kit/ui/card.tsx'
import { Icon, iconOf } from '#portal/kit/ui/icon.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { type Product, useProducts } from '#portal/products/store.ts'
import { tripOf } from '../sale.ts'
import { type TripForm } from '../store.ts'
import { ratedTrip, tripRequest } from '../requests.ts'

type Props = { trip: TripForm; current: Product; onChoose: (uuid: string) => void }

/** Compares all products for this trip, cheapest first. A product that cannot cover it says why. */
export function CompareTrip({ trip, current, onChoose }: Props) {
  const { words } = useWords()
  const [open, setOpen] = useState(false)
  const isReady = missingInTrip(tripOf(trip), {}).length === 0
  return (
    <>
      <Button look="quiet" icon="rows" disabled={!isReady} onClick={() => setOpen(true)}>
        {words('funnel.compare')}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        size="large"
        title={words('funnel.compare_title')}
        description={words('funnel.compare_hint')}
      >
        {open && (
          <Quotes
            trip={trip}
            current={current}
            onChoose={uuid => {
              setOpen(false)
              onChoose(uuid)
            }}
          />
        )}
      </Dialog>
    </>
  )
}

function Quotes({ trip, current, onChoose }: Props) {
  const { words } = useWords()
  const { money } = useFormat()
  const products = useProducts(({ products }) => products)
  const request = tripRequest(ratedTrip(trip, true))
  const { data, error } = useQuery({ queryKey: ['compare', request], queryFn: ({ signal }) => ask(compareQuotes, request, { signal }) })
  if (error) return <Callout tone="danger" title={error.message || words('shell.offline')} />
  if (!data)
    return (
      <Loading className="grid gap-2">
        {products.map(({ uuid }) => (
          <Skeleton key={uuid} className="h-16 w-full" />
        ))}
      </Loading>
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- focusable, so that the keyboard can scroll it even if no product can be chosen
    <ul tabIndex={0} aria-label={words('funnel.compare_title')} className="grid gap-2">
      {data.map(quote => {
        const product = products.find(({ uuid }) => uuid === quote.productUUID)
        if (!product) return null
        return (
          <li key={product.uuid} className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line p-3">
            <Icon name={iconOf(product.icon)} className="size-5 text-quiet" />
            <div className="grid min-w-48 flex-1">
              <p className="font-medium">{product.name}</p>
              <p className="text-sm text-quiet">{'total' in quote ? product.description : quote.errorMessage}</p>
            </div>
            {product.uuid === current.uuid && <Badge tone="accent">{words('funnel.chosen')}</Badge>}
            {'total' in quote ? (
              <>
                <p className="min-w-24 text-right text-lg font-semibold">{money(quote.total, quote.currency)}</p>
                <Button
                  look={product.uuid === current.uuid ? 'main' : 'quiet'}
                  onClick={() => onChoose(product.uuid)}
                  aria-label={words('funnel.choose_named', { product: product.name })}
                >
                  {words('funnel.choose')}
                </Button>
              </>
            ) : (
              <Badge tone="warning">{words('funnel.not_for_this_trip')}</Badge>
            )}
          </li>
        )
      })}
    </ul>
  )
}
