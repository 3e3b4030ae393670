import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { logOnly } from '#portal/kit/log.ts'
import { later } from '#portal/kit/page/later.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { CompareButton } from '../compare/compare-button.tsx'
import { PasteBooking } from '../paste/paste-booking.tsx'
import type { Chosen } from '../paste/take-chosen.ts'
import { lineHash, type TripForm, useFunnel } from '../store.ts'
import type { KeptPrice } from './results.tsx'
import { TripLine } from './trip-fields.tsx'
import { focusInLine, type Line, useLine } from './use-line.ts'

async function loadOffers() {
  const [offers] = await Promise.all([import('./offers.tsx'), loadMessages('quote', 'compare', 'funnel', 'validation')])
  return offers
}

const [Offers] = later(async () => (await loadOffers()).Offers)

type Props = {
  products: readonly Product[]
  /** True in step 1 of the sale, which has prices in place of the catalogue. */
  isStep?: boolean
  /** Loads the page to which a sale leads. */
  loadNext?: () => Promise<unknown>
  /** Returns the price that a resumed quote keeps for its trip. */
  keptPrice?: (trip: TripForm) => KeptPrice | undefined
  /** Shows the products below the line, until the results replace them. */
  renderPage: (parts: { line: ReactNode; results: ReactNode; renderCompare: (chosen: readonly Product[]) => ReactNode }) => ReactNode
}

/** The trip in one line, for users who sell, and the price of every product once it is complete. */
export function QuoteFirst(props: Props) {
  // A new sale has a new form.
  const sale = useFunnel(({ sale }) => sale)
  return <Quoting key={sale} {...props} />
}

function Quoting({ products, isStep = false, loadNext, keptPrice, renderPage }: Props) {
  const { words } = useWords()
  const [focusAsked, setFocusAsked] = useState(0)
  const askFocus = () => setFocusAsked(many => many + 1)
  const line = useLine(products, askFocus, loadOffers)
  const { trip, prices, put } = line
  const pasted = usePastedLine(line)
  const [isQuoting, setIsQuoting] = useState(isStep || prices.isComplete)
  // An incomplete trip keeps the rows, as it may be only half typed.
  if (prices.isComplete && !isQuoting) setIsQuoting(true)
  useFocusByHash()
  useEffect(() => {
    if (isQuoting) loadNext?.().catch(logOnly('loading the sale'))
  }, [isQuoting, loadNext])
  function fillPasted(chosen: Chosen) {
    pasted.fill(chosen)
    // After the dialog has returned the focus to its button.
    requestAnimationFrame(() => line.focusProblem() || askFocus())
  }
  const paste = <PasteBooking label={words('line.paste')} product={pasteFor(products)} onFill={fillPasted} />

  return renderPage({
    line: (
      <>
        <FilledNotice pasted={pasted} />
        <TripLine line={line} products={products} />
      </>
    ),
    results: isQuoting && <Offers {...{ products, line, isStep, focusAsked, askFocus, paste }} kept={keptPrice?.(trip)} />,
    renderCompare: chosen => (
      <>
        {paste}
        <CompareButton products={chosen} trip={trip} onClose={put}>
          {words('products.compare', { count: chosen.length })}
        </CompareButton>
      </>
    ),
  })
}

/** Returns a product with the fields of all: with cancellation cover and open countries. */
const pasteFor = (products: readonly Product[]): Product => {
  const product =
    products.find(({ settings }) => settings.hasAmountCancellation && !settings.lockDestinationCountry && !settings.lockOriginRegion) ??
    products[0]
  if (!product) throw new Error('no products to quote')
  return product
}

/** Focuses the trip if the URL says so, after the page has taken the focus. */
function useFocusByHash(): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (hash !== lineHash) return
    const frame = requestAnimationFrame(() => focusInLine('startDate'))
    return () => cancelAnimationFrame(frame)
  }, [hash])
}

// The dialog has loaded it.
const [FilledCallout] = later(async () => (await import('../paste/paste-dialog.tsx')).FilledCallout)

type Notice = {
  pasted: {
    /** The names of fields with a pasted value. */
    filled: ReadonlySet<string>
    /** The number of people of step 2 filled from the text, and the names of those whom they replaced. */
    people: number
    replaced: readonly string[]
    undo: () => void
  }
}

/** Names the fields filled from a text, once there are any. */
const FilledNotice = ({ pasted: { filled, people, replaced, undo } }: Notice) => (
  <div role="status" className="empty:hidden">
    {(filled.size > 0 || people > 0) && <FilledCallout fields={filled.size} people={people} replaced={replaced} onUndo={undo} />}
  </div>
)

type Filled = Pick<Chosen, 'people' | 'replaced'> & ReturnType<Chosen['fillIn']>

/** Fills the line from a pasted text, and undoes that. */
function usePastedLine(line: Line) {
  const [filled, setFilled] = useState<Filled>()
  return {
    filled: filled?.names ?? new Set<string>(),
    people: filled?.people ?? 0,
    replaced: filled?.replaced ?? [],
    fill: (chosen: Chosen) => setFilled({ ...chosen, ...chosen.fillIn(line) }),
    undo: () => {
      if (!filled) return
      filled.undo()
      setFilled(undefined)
      // The undo button is gone.
      focusInLine('startDate')
    },
  }
}
