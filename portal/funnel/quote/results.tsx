import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { CostFields } from '../compare/cost-fields.tsx'
import { groupNames } from '../compare/group-names.ts'
import type { Prices } from '../compare/use-standings.ts'
import { StartOver } from '../start-over.tsx'
import type { TripForm } from '../store.ts'
import { Row } from './row.tsx'
import { RefusedList } from './refused-list.tsx'
import { ResultsBar } from './results-bar.tsx'
import { useRanked } from './use-ranked.ts'
import { ChosenFoot, KeyButton, KeysFoot } from './results-foot.tsx'
import { useResultKeys } from './use-result-keys.ts'
import '#portal/style/results.css'

type Props = {
  products: readonly Product[]
  trip: TripForm
  prices: Prices
  /** The product that the user has chosen in this sale. It stays chosen if it refuses the trip. */
  picked: string | undefined
  onPick: (uuid: string) => void
  busy: boolean
  onSell: (product: Product) => void
  onCovers: (product: Product) => void
  onSave: (product: Product) => void
  onChange: (change: Partial<TripForm>) => void
  onMend: (name: keyof TripForm) => void
  /** Counts the requests to focus the results. */
  focusAsked: number
  actions: ReactNode
}

/** The price of every product for the trip, ranked, and below them the products that refuse it. */
export function Results({
  products,
  trip,
  prices,
  picked,
  onPick,
  busy,
  onSell,
  onCovers,
  onSave,
  onChange,
  onMend,
  focusAsked,
  actions,
}: Props) {
  const { words } = useWords()
  const showsCommission = useShowsCommission()
  const { seen, groups, order: suiting, hold } = useRanked(products, prices)
  const isRefused = seen !== undefined && picked !== undefined && products.some(({ uuid }) => uuid === picked) && !suiting.includes(picked)
  const order = isRefused ? [...suiting, picked] : suiting
  const grid = useRef<HTMLDivElement>(null)
  const chosen = products.find(({ uuid }) => uuid === (picked !== undefined && order.includes(picked) ? picked : order[0]))
  const standingOf = (uuid: string) => prices.standings.get(uuid)
  const chosenStanding = chosen && standingOf(chosen.uuid)
  /** Sells the product, or focuses the missing field of its price. */
  function act() {
    if (!chosen || isRefused) return
    if (chosenStanding?.state === 'asks')
      grid.current?.querySelector<HTMLElement>(`[name=${trip.priceTravel ? 'reservationDate' : 'priceTravel'}]`)?.focus()
    else onSell(chosen)
  }
  /** Counts how often Enter was pressed in a field of a row. */
  const [entered, setEntered] = useState(0)
  const focusChosen = () => grid.current?.querySelector<HTMLElement>('[role=row][aria-selected=true]')?.focus()
  const isReady = chosen !== undefined && prices.areCurrent
  useOnce(focusAsked, isReady, focusChosen)
  useOnce(entered, isReady, () => (chosenStanding?.state === 'asks' ? act() : focusChosen()))
  const save = () => chosen && chosenStanding?.state === 'priced' && onSave(chosen)
  const covers = () => chosen && onCovers(chosen)
  const onKeyDown = useResultKeys({ order, chosen: chosen?.uuid ?? '', choose: onPick, sell: act, covers, save })
  const zone = [...prices.standings.values()].flatMap(each => (each.state === 'priced' ? [each.quote.zone] : []))[0]
  const travellers = usePricedTravellers(Number(trip.travelers) || 1, prices)
  const asking = [...prices.standings.values()].filter(({ state }) => state === 'asks').length

  const action = chosen && !isRefused && (
    <Button
      aria-keyshortcuts="Control+Enter"
      busy={busy}
      onClick={act}
      aria-label={words(chosenStanding?.state === 'asks' ? 'quote.price_named' : 'products.sell_named', { product: chosen.name })}
    >
      {words(chosenStanding?.state === 'asks' ? 'quote.price_it' : 'products.sell')}
      <Keys keys="Enter" />
    </Button>
  )

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3.5">
      <ResultsBar prices={prices}>
        {actions}
        <StartOver onStart={() => undefined} />
      </ResultsBar>
      {prices.error && <LoadError small error={prices.error} retry={prices.retry} />}
      {!seen && !prices.error && prices.isComplete && <ResultsSkeleton />}
      {seen && suiting.length === 0 && (
        <EmptyState icon="search" title={words('quote.none')}>
          {words('quote.none_hint')}
        </EmptyState>
      )}
      {chosen && (
        <div
          ref={grid}
          role="grid"
          tabIndex={-1}
          aria-label={words('quote.results')}
          aria-busy={prices.isComplete && !prices.areCurrent && !prices.error}
          onKeyDown={onKeyDown}
          onFocus={event => hold(event.target.matches('input'))}
          onBlur={() => hold(false)}
          data-earns={showsCommission || undefined}
          className="prices"
        >
          <div role="row" className="prices-head">
            <span role="columnheader">
              <span className="sr-only">{words('quote.key')}</span>
            </span>
            <span role="columnheader">{words('quote.product')}</span>
            {groups.map(group => (
              <span key={group} role="columnheader">
                {words(group === 'medical' && zone ? 'quote.medical' : groupNames[group])}
              </span>
            ))}
            {showsCommission && <span role="columnheader">{words('quote.your_commission')}</span>}
            <span role="columnheader">{words('quote.price_for', { count: travellers })}</span>
            <span role="columnheader">
              <span className="sr-only">{words('quote.action')}</span>
            </span>
          </div>
          {order.map((uuid, index) => {
            const product = products.find(each => each.uuid === uuid)
            const standing = standingOf(uuid)
            return (
              product && (
                <Row
                  key={uuid}
                  {...{ product, standing, trip, groups, zone }}
                  digit={index + 1}
                  isChosen={product === chosen}
                  onChoose={() => onPick(uuid)}
                  action={action}
                >
                  <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
                    {product.settings.hasAmountCancellation && (
                      <div className="grid max-w-lg flex-1 grid-cols-2 gap-3 max-sm:basis-full">
                        <CostFields {...{ trip, prices, standing, onChange }} onEnter={() => setEntered(many => many + 1)} />
                      </div>
                    )}
                    {standing?.state === 'refused' && <p className="text-quiet">{standing.reasons.join(' ')}</p>}
                    {standing?.state === 'asks' && asking > 0 && (
                      <p className="pb-2 text-sm text-quiet">{words('quote.cost_prices', { count: asking })}</p>
                    )}
                    <div className="ml-auto flex flex-wrap gap-1">
                      <KeyButton letter="d" onClick={() => onCovers(product)}>
                        {words('quote.covers')}
                      </KeyButton>
                      {standing?.state === 'priced' && (
                        <KeyButton letter="g" onClick={() => onSave(product)}>
                          {words('quote.save')}
                        </KeyButton>
                      )}
                    </div>
                  </div>
                </Row>
              )
            )
          })}
        </div>
      )}
      {seen && prices.isComplete && (
        <RefusedList products={products.filter(product => product !== chosen)} standings={seen} onMend={onMend} />
      )}
      {chosen && <KeysFoot many={Math.min(9, order.length)} />}
      {chosen && (
        <ChosenFoot product={chosen} standing={chosenStanding} trip={trip} travellers={travellers}>
          {action}
        </ChosenFoot>
      )}
    </div>
  )
}

/** Returns the number of travellers for the shown prices, which lags until newer prices arrive. */
function usePricedTravellers(travellers: number, { areCurrent }: Prices): number {
  const [priced, setPriced] = useState(travellers)
  if (areCurrent && priced !== travellers) setPriced(travellers)
  return priced
}

/** Runs once for each request, when the prices are there. */
function useOnce(asked: number, isReady: boolean, run: () => void): void {
  const done = useRef(0)
  const runNow = useEffectEvent(run)
  useEffect(() => {
    if (!isReady || done.current === asked) return
    done.current = asked
    runNow()
  }, [asked, isReady])
}

function ResultsSkeleton() {
  return (
    <Loading className="prices">
      {[1, 2, 3, 4].map(row => (
        <div key={row} className="col-span-full flex h-13 items-center justify-between gap-8 px-4">
          <Skeleton className="h-4 w-60" />
          <Skeleton className="h-4 w-20" />
        </div>
      ))}
    </Loading>
  )
}
