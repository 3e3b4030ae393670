import { useBlocker } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fromCents } from '#common/kit/money.ts'
import { useFormat } from '#portal/kit/format.ts'
import { shortcut, shortcuts } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Keys } from '#portal/kit/shortcuts/keys.tsx'
import { Failure } from '#portal/kit/errors/failure.tsx'
import { Callout, Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { CardPayment } from '#portal/payments/card-payment.tsx'
import { GatewayChoice } from '#portal/payments/gateway-choice.tsx'
import type { Product } from '#portal/products/store.ts'
import { AlreadyInsured } from '../known/already-insured.tsx'
import { birthDatesOf, peopleSoFar } from '../people-form.ts'
import { type StepFrame, StepPage } from '../step-page.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { PriceBar, PriceChange } from '../price/price-bar.tsx'
import { type Tariff, useRating } from '../use-rating.ts'
import { TripSummary, zoneOf } from '../trip/trip-summary.tsx'
import { Page } from '#portal/kit/page/page.tsx'
import { ClientFacts } from './client-facts.tsx'
import { Declarations, useDemandsAndNeeds } from './declarations.tsx'
import { Done } from './done.tsx'
import { Review } from './review.tsx'
import { SendBefore } from '../send/send-before.tsx'
import { registerRequest } from '../requests.ts'
import { usePurchase } from './purchasing.ts'

type Props = { frame: StepFrame; product: Product; tariff: Tariff | undefined; trip: TripForm; onBack: () => void }

/** Step 3: the review, the price and the payment. */
export function PaymentStep({ frame, product, tariff, trip, onBack }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { people: storedPeople, agreedTotal } = useFunnel()
  const people = storedPeople && peopleSoFar(storedPeople, trip)
  const purchase = usePurchase()
  const [gateway, setGateway] = useState(product.paymentGateways[0]?.uuid ?? '')
  const [declared, setDeclared] = useState(false)
  const [wasTried, setWasTried] = useState(false)
  const [paying, setPaying] = useState(false)
  const lackId = useId()
  const checkbox = useRef<HTMLInputElement>(null)
  const buyButton = useRef<HTMLButtonElement>(null)
  const acceptButton = useRef<HTMLButtonElement>(null)
  const backButton = useRef<HTMLButtonElement>(null)
  const ratedTrip = { ...trip, birthDates: birthDatesOf(people) }
  const rating = useRating(product, tariff)(ratedTrip)
  const { basis } = rating.kept ?? tariff ?? {}
  const many = zoneOf(basis, trip)
  const demandsAndNeeds = useDemandsAndNeeds(product, trip, { many, currency: basis?.currency })
  const { bought, card, isLoading, isSlow, failure } = purchase
  const busy = isLoading || paying
  useBlocker({ disabled: !busy, enableBeforeUnload: false, shouldBlockFn: ({ next }) => mustStay(isLoading, paying, next.pathname) })
  if (bought?.done)
    return (
      <Page title={words('funnel.done.title')}>
        <Done many={many} done={bought.done} />
      </Page>
    )
  if (!people) return null

  const currency = tariff?.basis.currency ?? 'EUR'
  const total = rating.price?.total
  const changed = total !== undefined && agreedTotal !== undefined && total !== agreedTotal
  const pay = words('funnel.pay', { total: cents(total ?? 0, currency) })
  const lack = !bought && !changed && total !== undefined && !declared && words('funnel.pay_lacks_declaration')
  function buy() {
    // Pressed too early, it focuses the missing input.
    if (changed) return acceptButton.current?.focus()
    setWasTried(true)
    if (!declared) return checkbox.current?.focus()
    if (total === undefined) return backButton.current?.focus()
    const shown = { demandsAndNeeds, files: rating.kept?.shown ?? product.files.map(({ file }) => file.slice('/api/files/'.length)) }
    const price = agreedTotal === undefined ? {} : { expectedTotal: fromCents(agreedTotal) }
    void purchase.buy(() => registerRequest(product, { paymentGatewayUUID: gateway, shown, ...price }))
  }
  /** The accept button disappears, so the focus moves to the button that it enables. */
  function accept() {
    flushSync(() => useFunnel.setState({ agreedTotal: total }))
    buyButton.current?.focus()
  }
  const onLeave = busy ? undefined : purchase.abandon
  function back() {
    purchase.abandon()
    onBack()
  }
  return (
    <StepPage step={3} frame={frame} onLeave={onLeave}>
      <TripSummary product={product} trip={ratedTrip} many={many} onLeave={onLeave} />
      {!bought && <AlreadyInsured productUuid={product.uuid} trip={trip} />}
      {tariff && rating.problems && (
        <Callout tone="danger" title={words('funnel.refused_now')}>
          <Button look="quiet" className="mt-2" ref={backButton} aria-disabled={busy} onClick={() => busy || back()}>
            {words('funnel.back')}
          </Button>
        </Callout>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3.5 lg:grid-cols-2">
        <Review people={people} trip={trip} many={many} price={rating.price} onLeave={onLeave} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3.5">
          <Declarations
            files={rating.kept?.documents ?? product.files}
            demandsAndNeeds={bought?.asked.shown?.demandsAndNeeds ?? demandsAndNeeds}
            declared={declared || bought !== undefined}
            onDeclare={setDeclared}
            checkbox={checkbox}
            error={wasTried && !declared ? words('funnel.before.missing') : undefined}
          >
            {!bought && <ClientFacts />}
            <SendBefore
              product={product}
              trip={ratedTrip}
              total={changed ? undefined : total}
              isUnderWay={bought !== undefined}
              lack={changed ? words('funnel.before.accept_first') : undefined}
              onLack={() => (changed ? acceptButton : backButton).current?.focus()}
            />
          </Declarations>
          <Card title={words('funnel.payment.title')}>
            {card ? (
              <CardPayment {...card} pay={pay} path="/funnel?step=3" onPaying={setPaying} onPaid={purchase.paid} />
            ) : (
              <GatewayChoice
                gateways={product.paymentGateways}
                value={bought?.asked.paymentGatewayUUID ?? gateway}
                disabled={bought !== undefined}
                onChange={setGateway}
              />
            )}
            <Failure>{failure}</Failure>
          </Card>
        </div>
      </div>
      <PriceBar
        product={product}
        tariff={tariff}
        trip={ratedTrip}
        rating={rating}
        savable={!bought}
        notice={
          !card && (
            <div id={lackId} role="status" className="text-sm text-quiet empty:hidden">
              {changed ? <PriceChange total={total} currency={currency} /> : isSlow ? words('funnel.buy.slow') : lack}
            </div>
          )
        }
      >
        {card ? (
          <Button look="quiet" aria-disabled={busy} onClick={() => busy || purchase.abandon()}>
            {words('funnel.payment.other')}
          </Button>
        ) : (
          <>
            {changed && (
              <Button data-needed ref={acceptButton} onClick={accept}>
                {words('funnel.accept_price')}
              </Button>
            )}
            <Button
              {...shortcut('next')}
              className="goes-on"
              ref={buyButton}
              icon="lock"
              look={changed ? 'quiet' : 'main'}
              busy={isLoading}
              aria-describedby={lackId}
              onClick={bought ? () => void purchase.resume() : buy}
            >
              {bought && !isLoading ? words('shell.try_again') : pay}
              <Keys keys={shortcuts.next} className="max-lg:hidden" />
            </Button>
          </>
        )}
      </PriceBar>
    </StepPage>
  )
}

/**
 * True if the user must not open this path now. While a request runs, the funnel cannot be navigated, as going back would abandon the payment. While
 * a card is charged, no page can be left, except by signing out.
 */
export const mustStay = (isLoading: boolean, isCharging: boolean, path: string): boolean =>
  isCharging || (isLoading && path.startsWith('/funnel'))
