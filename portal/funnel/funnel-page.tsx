import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { fromCents } from '#common/kit/money.ts'
import { commissionOf } from '#common/quotes/rating/taxes.ts'
import { focusFirstField } from '#portal/kit/form/focus.ts'
import { logOnly } from '#portal/kit/log.ts'
import { LoadError } from '#portal/kit/errors/load-error.tsx'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { loadMessages, useWords } from '#portal/kit/words.tsx'
import { type Product, productOf, useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { stepOf } from './guard.ts'
import { QuoteFirst } from './quote/quote-first.tsx'
import { useNewerQuote } from './resume/saved-quote.ts'
import { type StepFrame, StepPage } from './step-page.tsx'
import { chooseProduct, saleInProgress, tripFor } from './sale.ts'
import { hasInput, newTripForm, type Step, type TripForm, useFunnel } from './store.ts'
import { type Tariff, useRating, useTariff } from './use-rating.ts'

// Loaded on demand, as few sales begin with a policy, and those wait for the service anyway.
const loadSource = () => import('./resume/start-from-policy.tsx')
const StartFromPolicy = lazy(() => loadSource().then(({ StartFromPolicy }) => ({ default: StartFromPolicy })))
const SourceNotice = lazy(() => loadSource().then(({ SourceNotice }) => ({ default: SourceNotice })))
const NewerQuote = lazy(() => loadSource().then(({ NewerQuote }) => ({ default: NewerQuote })))

/** Loaded once something is typed, so that it is there for step 2 and does not delay the first page. */
const loadPeople = () => import('./people/people-step.tsx')
const PeopleStep = lazy(() => loadPeople().then(({ PeopleStep }) => ({ default: PeopleStep })))

/** Loaded with step 2, for the same reason. */
const loadPayment = () => Promise.all([import('./payment/payment-step.tsx'), loadMessages('payments')])
const PaymentStep = lazy(() => loadPayment().then(([{ PaymentStep }]) => ({ default: PaymentStep })))

/** The funnel: shows one of three steps, or starts from a saved quote or policy. */
export function FunnelPage() {
  const { words } = useWords()
  const { pathname, searchStr } = useLocation()
  const { product: wantedProduct, policy: budget, copy } = useSearch({ strict: false })
  const navigate = useNavigate()
  const products = useProducts(({ products }) => products)
  const productUuid = useFunnel(({ productUuid }) => productUuid)
  const trip = useFunnel(({ trip }) => trip)
  const takenUp = useFunnel(({ takenUp }) => takenUp)
  const newer = useNewerQuote()
  const product = productOf(productUuid) ?? products[0]
  const { tariff, error, retry } = useTariff(product)
  const step = stepOf(pathname, searchStr)
  const maySell = useMay('b2b-products-sell')
  const sale = useFunnel(({ sale }) => sale)
  const goTo = (step: Step) => {
    useFunnel.setState({ step })
    void navigate({ to: '/funnel', search: { step: String(step) } })
  }
  const sourceUuid = budget ?? copy
  // Chooses the product in the URL, once it is known.
  const wanted = products.find(({ uuid }) => uuid === wantedProduct)?.uuid
  useEffect(() => chooseFromUrl(productOf(wanted)), [wanted])
  const agreedTotal = useFunnel(({ agreedTotal }) => agreedTotal)
  const isBegun = useFunnel(hasInput)
  useEffect(() => {
    if (isBegun) loadPeople().catch(logOnly('loading step 2'))
  }, [isBegun])
  useEffect(() => {
    if (step > 1) loadPayment().catch(logOnly('loading the payment'))
  }, [step])

  const isDone = useFunnel(({ bought }) => bought?.done !== undefined) && step === 3
  const title = words('funnel.step1')
  if (!maySell || products.length === 0)
    return (
      <Page title={title}>
        <EmptyState icon="shield" title={words(maySell ? 'funnel.no_products' : 'funnel.no_selling')} />
      </Page>
    )
  if (sourceUuid)
    return (
      <Page title={title}>
        <Suspense>
          <StartFromPolicy key={sourceUuid} policyUuid={sourceUuid} mode={budget ? 'resume' : 'copy'} />
        </Suspense>
      </Page>
    )
  if (!product) return null
  const frame: StepFrame = {
    onStart: goTo,
    notice: (
      <>
        {error && <LoadError small error={error} retry={retry} />}
        {newer && (
          <Suspense>
            <NewerQuote saved={newer} />
          </Suspense>
        )}
        {takenUp && trip && (
          <Suspense>
            <SourceNotice product={product} tariff={tariff} trip={trip} takenUp={takenUp} step={step} />
          </Suspense>
        )}
      </>
    ),
  }
  // The title is visible while a step loads.
  const loading = (
    <StepPage step={step} frame={frame}>
      <div aria-busy="true" />
    </StepPage>
  )
  return (
    <Suspense fallback={loading}>
      {step === 1 && <TripStep {...{ frame, product, tariff }} />}
      {step === 2 && trip && <PeopleStep key={sale} {...{ frame, product, tariff, trip }} onNext={() => goTo(3)} />}
      {step === 3 && trip && <PaymentStep {...{ frame, product, tariff, trip }} onBack={() => goTo(2)} />}
      <FocusOnStep shown={`${sale} ${step} ${step > 1 ? agreedTotal : ''} ${isDone}`} />
    </Suspense>
  )
}

/**
 * Focuses the first field that needs input, in each step and after a price is accepted. After the sale, Tab leads to the documents. The first page of
 * a visit does not take the focus.
 */
function FocusOnStep({ shown }: { shown: string }) {
  const isLater = useRef(false)
  useEffect(() => {
    if (isLater.current || document.activeElement !== document.body) focusFirstField()
    isLater.current = true
    // The router scrolls a new page to its top, which may hide the focused field.
    const frame = requestAnimationFrame(() => document.querySelector('main :is(input, select):focus')?.scrollIntoView({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- each step that is shown takes the focus
  }, [shown])
  return null
}

/** Makes the product in the URL that of the sale, with a trip for it. */
function chooseFromUrl(product: Product | undefined): void {
  const { trip } = saleInProgress()
  if (!product || (product.uuid === useFunnel.getState().productUuid && trip)) return
  chooseProduct(product.uuid)
  useFunnel.setState({ trip: trip ? tripFor(product, trip) : newTripForm(product), bought: undefined })
}

type Props = { frame: StepFrame; product: Product; tariff: Tariff | undefined }

/** Step 1: the trip, and the price of every product. A resumed quote has its own price for its trip. */
function TripStep({ frame, product, tariff }: Props) {
  const products = useProducts(({ products }) => products)
  // The one that was saved, whichever is chosen now.
  const saved = productOf(tariff?.kept?.saved.productUuid) ?? product
  const rate = useRating(saved, tariff)
  const keptPrice = (trip: TripForm) => {
    const { price, kept } = rate(trip)
    if (!price || !kept) return undefined
    const commission = fromCents(commissionOf(price.premium, saved.productBuCommission ?? 0))
    return { productUuid: saved.uuid, total: fromCents(price.total), commission }
  }
  return (
    <StepPage step={1} frame={frame}>
      <QuoteFirst
        isStep
        products={products}
        keptPrice={keptPrice}
        renderPage={({ line, results }) => (
          <>
            {line}
            {results}
          </>
        )}
      />
    </StepPage>
  )
}
