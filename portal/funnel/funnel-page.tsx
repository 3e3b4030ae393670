import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { EmptyState } from '#portal/kit/ui/card.tsx'
import { Page } from '#portal/kit/ui/page.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { productOf, useProducts } from '#portal/products/store.ts'
import { useMay } from '#portal/session/session.ts'
import { stepOf } from './guard.ts'
import { PaymentStep } from './payment/payment-step.tsx'
import { PeopleStep } from './people/people-step.tsx'
import { StartOver } from './start-over.tsx'
import { tripFor } from './sale.ts'
import { newTripForm, type Step, useFunnel } from './store.ts'
import { SourceNotice } from './resume/source-notice.tsx'
import { StartFromPolicy } from './resume/start-from-policy.tsx'
import { useTariff } from './rating.ts'
import { TripStep } from './trip/trip-step.tsx'

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
  const product = productOf(productUuid) ?? products[0]
  const tariff = useTariff(product)
  const step = stepOf(pathname, searchStr)
  const maySell = useMay('b2b-products-sell')
  const sale = useFunnel(({ sale }) => sale)
  const goTo = (step: Step) => {
    useFunnel.setState({ step })
    void navigate({ to: '/funnel', search: { step: String(step) } })
  }
  const sourceUuid = budget ?? copy
  // Chooses the product in the URL, and starts a trip if there is none.
  useEffect(() => chooseProduct(wantedProduct ?? productUuid ?? products[0]?.uuid), [wantedProduct, productUuid, products])

  const isDone = useFunnel(({ bought }) => bought?.done !== undefined) && step === 3
  const title = words(isDone ? 'funnel.done.title' : 'funnel.title')
  if (!maySell || products.length === 0)
    return (
      <Page title={title}>
        <EmptyState icon="shield" title={words(maySell ? 'funnel.no_products' : 'funnel.no_selling')} />
      </Page>
    )
  if (sourceUuid)
    return (
      <Page title={title}>
        <StartFromPolicy key={sourceUuid} policyUuid={sourceUuid} mode={budget ? 'resume' : 'copy'} />
      </Page>
    )
  if (!product || !trip) return null
  return (
    <Page title={title} actions={<StartOver product={product} onStart={goTo} />}>
      {takenUp && <SourceNotice product={product} tariff={tariff} trip={trip} takenUp={takenUp} />}
      {step === 1 && (
        <TripStep
          key={`${product.uuid} ${sale}`}
          product={product}
          tariff={tariff}
          trip={trip}
          onProduct={chooseProduct}
          onNext={() => goTo(2)}
        />
      )}
      {step === 2 && <PeopleStep key={sale} product={product} tariff={tariff} trip={trip} onNext={() => goTo(3)} onBack={() => goTo(1)} />}
      {step === 3 && <PaymentStep product={product} tariff={tariff} trip={trip} onBack={() => goTo(2)} />}
    </Page>
  )
}

function chooseProduct(uuid: string | undefined): void {
  const { productUuid, trip } = useFunnel.getState()
  const product = productOf(uuid)
  if (!product || (product.uuid === productUuid && trip)) return
  useFunnel.setState({
    // The new product may have more required fields.
    step: 1,
    productUuid: product.uuid,
    trip: trip ? tripFor(product, trip) : newTripForm(product),
    agreedTotal: undefined,
    bought: undefined,
  })
}
