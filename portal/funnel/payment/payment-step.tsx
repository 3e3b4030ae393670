import { useBlocker } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { fromCents } from '#common/kit/money.ts'
import { RadioCards } from '#portal/kit/field/radio-cards.tsx'
import { useFormat } from '#portal/kit/format.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout, Card } from '#portal/kit/ui/card.tsx'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { AlreadyInsured } from '../known/already-insured.tsx'
import { birthDatesOf, peopleSoFar } from '../people-form.ts'
import { Steps } from '../steps.tsx'
import { type TripForm, useFunnel } from '../store.ts'
import { PriceSummary } from '../price-summary.tsx'
import { type Tariff, useRating } from '../rating.ts'
import { CardForm } from './card-form.tsx'
import { Declarations, useDemandsAndNeeds } from './declarations.tsx'
import { Done } from './done.tsx'
import { mustStay } from './must-stay.ts'
import { Review } from './review.tsx'
import { SaveBudget } from '../save-budget.tsx'
import { registerRequest } from '../requests.ts'
import { usePurchase } from './use-purchase.ts'

type Props = { product: Product; tariff: Tariff | undefined; trip: TripForm; onBack: () => void }

/** Step 3: the review, the price and the payment. */
export function PaymentStep({ product, tariff, trip, onBack }: Props) {
  const { words } = useWords()
  const { cents } = useFormat()
  const { people: storedPeople, agreedTotal, takenUp } = useFunnel()
  const people = storedPeople && peopleSoFar(storedPeople, trip)
  const purchase = usePurchase()
  const demandsAndNeeds = useDemandsAndNeeds(product, trip)
  const [gateway, setGateway] = useState(product.paymentGateways[0]?.uuid ?? '')
  const [declared, setDeclared] = useState(false)
  const [wasTried, setWasTried] = useState(false)
  const [paying, setPaying] = useState(false)
  const lackId = useId()
  const checkbox = useRef<HTMLInputElement>(null)
  const ratedTrip = { ...trip, birthDates: birthDatesOf(people) }
  const rating = useRating(product, tariff)(ratedTrip)
  const { bought, card, isLoading, failure } = purchase
  const busy = isLoading || paying
  useBlocker({ disabled: !busy, enableBeforeUnload: false, shouldBlockFn: ({ next }) => mustStay(isLoading, paying, next.pathname) })
  if (bought?.done) return <Done product={product} done={bought.done} />
  if (!people) return null

  const currency = tariff?.basis.currency ?? 'EUR'
  const total = rating.price?.total
  const changed = total !== undefined && agreedTotal !== undefined && total !== agreedTotal
  const pay = words('funnel.pay', { total: cents(total ?? 0, currency) })
  const lack = bought
    ? undefined
    : changed
      ? words('funnel.pay_lacks_price')
      : total !== undefined && !declared && words('funnel.pay_lacks_declaration')
  function buy() {
    setWasTried(true)
    if (!declared) return checkbox.current?.focus()
    if (changed || total === undefined) return
    const shown = { demandsAndNeeds, files: product.files.map(({ file }) => file.slice('/api/files/'.length)) }
    const price = agreedTotal === undefined ? {} : { expectedTotal: fromCents(agreedTotal) }
    void purchase.buy(registerRequest(product, { paymentGatewayUUID: gateway, shown, ...price }))
  }
  const onLeave = busy ? undefined : purchase.abandon
  function back() {
    purchase.abandon()
    onBack()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-(--card) lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-(--card)">
        <Steps current={3} onLeave={onLeave} />
        {!bought && <AlreadyInsured productUuid={product.uuid} trip={trip} />}
        {rating.problems && (
          <Callout tone="danger" title={words('funnel.refused_now')}>
            <Button look="quiet" className="mt-2" disabled={busy} onClick={back}>
              {words('funnel.back')}
            </Button>
          </Callout>
        )}
        {changed && takenUp?.mode !== 'resume' && (
          <Callout
            tone="warning"
            title={words('funnel.price_changed', { before: cents(agreedTotal, currency), now: cents(total, currency) })}
          >
            <Button look="quiet" className="mt-2" onClick={() => useFunnel.setState({ agreedTotal: total })}>
              {words('funnel.accept_price')}
            </Button>
          </Callout>
        )}
        <Review product={product} trip={trip} people={people} onLeave={onLeave} />
        <Declarations
          product={product}
          demandsAndNeeds={bought?.asked.shown?.demandsAndNeeds ?? demandsAndNeeds}
          declared={declared || bought !== undefined}
          onDeclare={setDeclared}
          checkbox={checkbox}
          error={wasTried && !declared ? words('funnel.before.missing') : undefined}
        />
        <Card title={words('funnel.payment.title')}>
          {card ? (
            <CardForm {...card} pay={pay} onPaying={setPaying} onPaid={purchase.paid} />
          ) : (
            <RadioCards
              label={words('funnel.payment.how')}
              name="paymentGatewayUUID"
              required
              value={bought?.asked.paymentGatewayUUID ?? gateway}
              onChange={setGateway}
              options={product.paymentGateways.map(({ name, uuid }) => ({
                value: uuid,
                label: words(isCard(name) ? 'funnel.payment.card' : 'funnel.payment.agency'),
                detail: words(isCard(name) ? 'funnel.payment.card_detail' : 'funnel.payment.agency_detail'),
                icon: isCard(name) ? 'card' : 'building',
                disabled: bought !== undefined,
              }))}
            />
          )}
          <div role="alert" className="empty:hidden">
            {failure && (
              <Callout tone="danger">
                <span className="whitespace-pre-line">{failure}</span>
              </Callout>
            )}
          </div>
        </Card>
      </div>
      <PriceSummary product={product} tariff={tariff} trip={ratedTrip} rating={rating}>
        {card ? (
          <Button look="quiet" className="w-full" disabled={busy} onClick={purchase.abandon}>
            {words('funnel.payment.other')}
          </Button>
        ) : (
          <Button
            className="w-full"
            icon="lock"
            busy={isLoading}
            disabled={changed || total === undefined}
            aria-describedby={lackId}
            onClick={bought ? () => void purchase.resume() : buy}
          >
            {bought && !isLoading ? words('shell.try_again') : pay}
          </Button>
        )}
        {!card && (
          <p id={lackId} role="status" className="text-sm text-quiet empty:hidden">
            {lack}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button look="quiet" icon="arrow-left" className="flex-1" disabled={busy} onClick={back}>
            {words('funnel.back')}
          </Button>
          {!bought && <SaveBudget product={product} />}
        </div>
      </PriceSummary>
    </div>
  )
}

/** spec 9, gateway names. */
const isCard = (name: string): boolean => name === 'StripeV2'
