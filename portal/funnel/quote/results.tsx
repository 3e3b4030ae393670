import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Standing } from '#common/quotes/comparison.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { useShowsCommission } from '#portal/kit/page/commission.ts'
import { noteKeyUse } from '#portal/kit/page/key-hints.tsx'
import { Button } from '#portal/kit/ui/button.tsx'
import { isTypingIn, shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Loading, Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { CostFields } from '../compare/cost-fields.tsx'
import { groupNames } from '../compare/group-names.ts'
import type { Prices } from '../compare/use-standings.ts'
import type { TripForm } from '../store.ts'
import { Row } from './row.tsx'
import { Cure, type OnCure, RefusedList } from './refused-list.tsx'
import { ResultsBar, useRanked } from './results-bar.tsx'
import { ChosenFoot, KeyButton, KeysFoot } from './results-foot.tsx'
import '#portal/style/results.css'

/** A product's price in place of today's, in major units. */
export type KeptPrice = { productUuid: string; total: number; commission: number }

type Props = {
  products: readonly Product[]
  trip: TripForm
  prices: Prices
  /** The product that the user has chosen in this sale. It stays chosen if it refuses the trip. */
  picked: string | undefined
  onPick: (uuid: string) => void
  kept: KeptPrice | undefined
  busy: boolean
  onSell: (product: Product) => void
  onCovers: (product: Product) => void
  /** Saves a quote; with `sends`, to send it. */
  onSave: (product: Product, sends: boolean) => void
  onChange: (change: Partial<TripForm>) => void
  onCure: OnCure
  /** Counts the requests to focus the results, or the trip's cost if the price lacks it. */
  focusAsked: number
  /** Asks for that. */
  onEnter: () => void
  actions: ReactNode
}

/** The price of every product for the trip, ranked, and below them the products that refuse it. */
export function Results({
  products,
  trip,
  prices,
  picked,
  onPick,
  kept,
  busy,
  onSell,
  onCovers,
  onSave,
  onChange,
  onCure,
  focusAsked,
  onEnter,
  actions,
}: Props) {
  const { words } = useWords()
  const showsCommission = useShowsCommission()
  const { seen, groups, order: suiting } = useRanked(products, prices)
  const order =
    picked !== undefined && !suiting.includes(picked) && products.some(({ uuid }) => uuid === picked) ? [...suiting, picked] : suiting
  const results = useRef<HTMLDivElement>(null)
  const chosen = products.find(({ uuid }) => uuid === (picked !== undefined && order.includes(picked) ? picked : order[0]))
  const standingOf = (uuid: string): Standing | undefined =>
    withKept(prices.standings.get(uuid), kept?.productUuid === uuid ? kept : undefined)
  const chosenStanding = chosen && standingOf(chosen.uuid)
  const isRefused = chosenStanding?.state === 'refused'
  const focusCost = () =>
    results.current?.querySelector<HTMLElement>(`[name=${trip.priceTravel ? 'reservationDate' : 'priceTravel'}]`)?.focus()
  const focusRow = (uuid = chosen?.uuid ?? '') =>
    results.current?.querySelector<HTMLElement>(`[data-product="${CSS.escape(uuid)}"]`)?.focus()
  /** Sells the product, or focuses the missing field of its price. */
  function act() {
    if (!chosen || isRefused) return
    if (chosenStanding?.state === 'asks') focusCost()
    else onSell(chosen)
  }
  useOnce(focusAsked, chosen !== undefined && prices.areCurrent, () => (chosenStanding?.state === 'asks' ? focusCost() : focusRow()))
  const save = (sends: boolean) => chosen && chosenStanding?.state === 'priced' && onSave(chosen, sends)
  const covers = () => chosen && onCovers(chosen)
  function choose(uuid: string) {
    onPick(uuid)
    focusRow(uuid)
  }
  const onKeyDown = useResultKeys({ order, chosen: chosen?.uuid ?? '', busy, choose, sell: act, covers, save: () => save(false) })
  const zone = [...prices.standings.values()].flatMap(each => (each.state === 'priced' ? [each.quote.zone] : []))[0]
  const travellers = usePricedTravellers(Number(trip.travelers) || 1, prices)
  const asking = [...prices.standings.values()].filter(({ state }) => state === 'asks').length

  return (
    <div ref={results} className="grid grid-cols-[minmax(0,1fr)] content-start gap-3.5">
      {products.some(({ settings }) => settings.hasAmountCancellation) && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- arrow keys lead from its field to the rows
        <div onKeyDown={onKeyDown} className="trip-cost">
          <CostFields {...{ trip, prices, onChange }} optional standing={chosenStanding} onEnter={onEnter} />
          {asking > 0 && <p className="text-sm text-quiet">{words('quote.cost_prices', { count: asking })}</p>}
        </div>
      )}
      <ResultsBar prices={prices}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a digit chooses a row from its buttons, too */}
        <div onKeyDown={onKeyDown} className="contents">
          {actions}
        </div>
      </ResultsBar>
      {prices.error && <LoadError small error={prices.error} retry={prices.retry} />}
      {!chosen && !seen && !prices.error && prices.isComplete && <ResultsSkeleton />}
      {seen && suiting.length === 0 && (
        <EmptyState icon="search" title={words('quote.none')}>
          {words('quote.none_hint')}
        </EmptyState>
      )}
      {chosen && (
        <div
          role="grid"
          tabIndex={-1}
          aria-label={words('quote.results')}
          aria-busy={prices.isComplete && !prices.areCurrent && !prices.error}
          onKeyDown={onKeyDown}
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
                />
              )
            )
          })}
        </div>
      )}
      {chosen && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of its buttons
        <div onKeyDown={onKeyDown} className="prices-under">
          <div className="flex flex-wrap gap-1">
            <KeyButton letter="d" onClick={covers}>
              {words('quote.covers')}
            </KeyButton>
            {chosenStanding?.state === 'priced' && (
              <>
                <KeyButton letter="g" onClick={() => save(false)} {...shortcut('save')}>
                  {words('quote.save')}
                </KeyButton>
                <KeyButton letter={shortcuts.offer} onClick={() => save(true)} {...shortcut('offer')}>
                  {words('quote.send')}
                </KeyButton>
              </>
            )}
          </div>
          <ChosenFoot product={chosen} standing={chosenStanding} trip={trip} travellers={travellers}>
            {chosenStanding?.state === 'refused' ? (
              <Cure product={chosen} standing={chosenStanding} {...{ trip, onCure }} />
            ) : (
              <Button
                aria-keyshortcuts="Control+Enter"
                busy={busy}
                onClick={act}
                aria-label={words(chosenStanding?.state === 'asks' ? 'quote.price_named' : 'products.sell_named', { product: chosen.name })}
              >
                {words(chosenStanding?.state === 'asks' ? 'quote.price_it' : 'products.sell')}
                <Keys keys="Enter" />
              </Button>
            )}
          </ChosenFoot>
        </div>
      )}
      {seen && prices.isComplete && (
        <RefusedList products={products.filter(product => product !== chosen)} standings={seen} {...{ trip, onCure }} />
      )}
      {chosen && <KeysFoot many={Math.min(9, order.length)} />}
    </div>
  )
}

function withKept(standing: Standing | undefined, kept: KeptPrice | undefined): Standing | undefined {
  if (!kept || standing?.state !== 'priced') return standing
  const { quote } = standing
  return { ...standing, quote: { ...quote, total: kept.total, commission: { ...quote.commission, amount: kept.commission } } }
}

/** Returns the number of travellers for the shown prices, which lags until newer prices arrive. Without prices, it is that of the trip. */
function usePricedTravellers(travellers: number, { areCurrent, standings }: Prices): number {
  const [priced, setPriced] = useState(travellers)
  if (areCurrent && priced !== travellers) setPriced(travellers)
  return standings.size > 0 ? priced : travellers
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

type ResultKeys = {
  order: readonly string[]
  chosen: string
  /** True while the sale is being opened. Text that is typed for it is not meant for the results. */
  busy: boolean
  choose: (uuid: string) => void
  sell: () => void
  covers: () => void
  save: () => void
}

/** Handles the keys of the results while these have the focus. In a field they are text, but arrows lead from the trip's cost to a row. */
function useResultKeys({ order, chosen, busy, choose, sell, covers, save }: ResultKeys): (event: KeyboardEvent<HTMLElement>) => void {
  return event => {
    const { key, target } = event
    if (busy || event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    // The buttons' windows have keys of their own.
    if (target instanceof Element && target.closest('dialog')) return
    const isFromCost = target instanceof HTMLInputElement && target.name === 'priceTravel' && key in steps
    if (isTypingIn(target) && !isFromCost) return
    // A button handles Enter itself.
    const isOnRow = target instanceof HTMLElement && target.matches('[role=row]')
    const other = /^[1-9]$/.test(key) ? order[Number(key) - 1] : order[order.indexOf(chosen) + (steps[key] ?? 0)]
    const act = { Enter: isOnRow ? sell : undefined, d: covers, g: save }[key.length === 1 ? key.toLowerCase() : key]
    if (act) act()
    else if (key in steps || /^[1-9]$/.test(key)) {
      if (!other && !isFromCost) return
      choose(other ?? chosen)
    } else return
    event.preventDefault()
    noteKeyUse('quote')
  }
}

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
