import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { errorMessage } from '#portal/kit/errors/error-message.ts'
import { logOnly } from '#portal/kit/log.ts'
import { showToast } from '#portal/kit/overlay/notices.ts'
import { later } from '#portal/kit/page/later.tsx'
import { queries } from '#portal/kit/queries.ts'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { type Product, productOf } from '#portal/products/store.ts'
import { CompareButton } from '../compare/compare-button.tsx'
import { standingsQuery, standingsRequest } from '../compare/use-standings.ts'
import { FilledNotice } from '../paste/filled-notice.tsx'
import { PasteBooking } from '../paste/paste-booking.tsx'
import type { Chosen } from '../paste/take-chosen.ts'
import { chooseProduct } from '../sale.ts'
import { lineHash, useFunnel } from '../store.ts'
import { beginSale, takeProduct } from './begin.ts'
import { TripLine } from './trip-line.tsx'
import { focusInLine, useLine } from './use-line.ts'
import { usePastedLine } from './use-pasted-line.ts'

const [Results] = later(async () => {
  const [{ Results }] = await Promise.all([import('./results.tsx'), loadMessages('quote', 'compare', 'funnel', 'validation')])
  return Results
})
const [SaveDialog] = later(async () => (await import('../save/save-dialog.tsx')).SaveDialog)

type Props = {
  products: readonly Product[]
  /** Shows the products below the line, until the results replace them. */
  renderPage: (parts: { line: ReactNode; results: ReactNode; renderCompare: (chosen: readonly Product[]) => ReactNode }) => ReactNode
}

/** The products page of users who sell: a trip in one line and, once it is complete, the price of every product. Until then it is the catalogue. */
export function QuoteFirst(props: Props) {
  // A new sale has a new form.
  const sale = useFunnel(({ sale }) => sale)
  return <Quoting key={sale} {...props} />
}

function Quoting({ products, renderPage }: Props) {
  const { words } = useWords()
  const navigate = useNavigate()
  const [focusAsked, setFocusAsked] = useState(0)
  const askFocus = () => setFocusAsked(many => many + 1)
  const line = useLine(products, askFocus)
  const { trip, prices, put } = line
  const pasted = usePastedLine(line)
  const [isQuoting, setIsQuoting] = useState(prices.isComplete)
  const picked = useFunnel(({ bought, productUuid }) => (bought ? undefined : productUuid))
  const [saved, setSaved] = useState<Product>()
  const [busy, setBusy] = useState(false)
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => void (isHere.current = false)
  }, [])
  // An incomplete trip keeps the rows, as it may be only half typed.
  if (prices.isComplete && !isQuoting) setIsQuoting(true)
  useFocusByHash()
  useEffect(() => {
    if (isQuoting) import('../funnel-page.tsx').catch(logOnly('loading the sale'))
  }, [isQuoting])

  /** Opens step 2 with the product, if the service prices it for the trip as it is typed now. */
  async function sell(product: Product) {
    if (busy || line.complain()) return
    const typed = line.now()
    setBusy(true)
    try {
      const standing = (await queries.fetchQuery(standingsQuery(standingsRequest(typed)))).get(product.uuid)
      // The user may have left the page, or changed the trip.
      if (standing?.state !== 'priced' || !isHere.current || line.now() !== typed) return
      beginSale(product, typed, standing.quote)
      await navigate({ to: '/funnel', search: { step: '2' } })
    } catch (error) {
      showToast({ severity: 'error', summary: errorMessage(error, words), life: 8000 })
    } finally {
      setBusy(false)
    }
  }
  const open = (product: Product) =>
    void navigate({ to: '/products', search: before => ({ ...before, product: product.uuid }), resetScroll: false })
  const shown = productOf(picked)
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
    results: isQuoting && (
      <>
        <Results
          {...{ products, trip, prices, picked, busy, focusAsked }}
          onPick={chooseProduct}
          onSell={product => void sell(product)}
          onCovers={open}
          onSave={product => {
            takeProduct(product, line.now())
            setSaved(product)
          }}
          onChange={put}
          onMend={focusInLine}
          actions={
            <>
              {paste}
              <CompareButton trip={trip} current={shown} onClose={put} onChoose={(uuid, typed) => (put(typed), chooseProduct(uuid))}>
                {words('products.compare', { count: 0 })}
              </CompareButton>
            </>
          }
        />
        {saved && <SaveDialog product={saved} onClose={() => setSaved(undefined)} />}
      </>
    ),
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
