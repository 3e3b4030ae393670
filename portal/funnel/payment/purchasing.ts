import { useEffect, useState } from 'react'
import { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { slowMs } from '#portal/kit/connection.ts'
import { errorLines } from '#portal/kit/errors/error-message.ts'
import { whenWritten } from '#portal/kit/kept/encrypted-storage.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { CardSecret } from '#portal/payments/card-payment.tsx'
import { resetCount } from '#portal/session/session.ts'
import { budgetFailure } from '../requests.ts'
import { settleSaving } from '../send/saving.ts'
import { type Purchase, useFunnel } from '../store.ts'

/** The part of an attempt that the page shows. */
export type Attempt = {
  isLoading: boolean
  failure: Refused | 'funnel.buy.lost' | NonNullable<ReturnType<typeof budgetFailure>> | undefined
  /** Set while a card is awaited. */
  card: CardSecret | undefined
}

/** The payment that the card network expects, and its sale. */
type Card = { secret: CardSecret; bought: Purchase }

export type Purchasing = ReturnType<typeof openPurchasing>

/** Opens the purchase sequence of spec 4: register, pay, purchase. One attempt runs at a time; `show` receives its changes. */
export function openPurchasing(show: (change: Partial<Attempt>) => void) {
  let isRunning = false
  let card: Card | undefined

  async function attempt(work: () => Promise<Card | undefined>): Promise<void> {
    if (isRunning) return
    isRunning = true
    show({ isLoading: true, failure: undefined })
    try {
      card = await work()
      show({ card: card?.secret })
    } catch (error) {
      card = undefined
      const isFinal = error instanceof Refused && !error.mayChange
      // After a final refusal the next try is another sale. Any other failure may have succeeded after all, and is sent again unchanged.
      if (isFinal) forgetAttempt()
      show({ card, failure: budgetFailure(error) ?? (error instanceof Refused ? error : 'funnel.buy.lost') })
    } finally {
      isRunning = false
      show({ isLoading: false })
    }
  }
  const resume = () => attempt(register)
  return {
    resume,
    buy: (request: () => Purchase['asked']): Promise<void> =>
      attempt(async () => {
        // The purchase replaces the quote as which this sale may have been saved.
        if (useFunnel.getState().saving) await settleSaving()
        useFunnel.setState({ bought: { asked: request(), registerKey: crypto.randomUUID(), purchaseKey: crypto.randomUUID() } })
        return register()
      }),
    paid: async (paymentIntent: string): Promise<void> => {
      const paidBy = card
      if (paidBy) await attempt(() => purchase(paidBy.bought, { paymentIntent, secret: paidBy.secret.clientSecret }))
    },
    /** Returns to the choice of payment. The next purchase replaces the registered one. */
    abandon: (): void => {
      card = undefined
      show({ card, failure: undefined })
      forgetAttempt()
    },
  }
}

async function register(): Promise<Card | undefined> {
  const { bought } = useFunnel.getState()
  if (!bought || bought.done) return undefined
  // The keys must be stored before the request, to survive a closed tab.
  await whenWritten()
  const before = resetCount()
  const { clientSecret, publishableKey, ...registered } = await ask(registerPolicy, bought.asked, { idempotencyKey: bought.registerKey })
  // The response is ignored after a sign-out, or in another unit.
  if (before !== resetCount()) return undefined
  const withPolicy = { ...bought, registered }
  useFunnel.setState({ bought: withPolicy })
  if (clientSecret && publishableKey) return { secret: { clientSecret, publishableKey }, bought: withPolicy }
  return purchase(withPolicy)
}

/** Completes the sale, on account or with the card's payment intent. */
async function purchase(bought: Purchase, card?: { paymentIntent: string; secret: string }): Promise<undefined> {
  const payment = card
    ? { paymentToken: card.paymentIntent, paymentIntentClientSecret: card.secret }
    : { purchaseUUID: bought.registered?.purchaseUUID }
  const { paymentGatewayUUID } = bought.asked
  const before = resetCount()
  const done = await ask(
    purchasePolicy,
    { paymentGatewayUUID: paymentGatewayUUID ?? '', ...payment },
    { idempotencyKey: bought.purchaseKey },
  )
  if (before !== resetCount()) return undefined
  // Stored even if another tab abandoned the attempt, since the policy is sold.
  useFunnel.setState({ bought: { ...bought, done } })
  await queries.invalidateQueries({ queryKey: ['policies'] })
  return undefined
}

function forgetAttempt(): void {
  useFunnel.setState(({ bought, policyUuid, policyVersion }) => {
    const { registered = { policyUuid, version: policyVersion } } = bought ?? {}
    return { bought: undefined, policyUuid: registered.policyUuid, policyVersion: registered.version }
  })
}

/**
 * Runs the purchase sequence (purchasing.ts) for a page. The request is stored before it is sent, so a second click, a reload or a
 * lost response resumes the same sale.
 */
export function usePurchase() {
  const { words } = useWords()
  const [{ isLoading, failure, card }, setAttempt] = useState<Attempt>({ isLoading: false, failure: undefined, card: undefined })
  const [purchasing] = useState<Purchasing>(() => openPurchasing(change => setAttempt(before => ({ ...before, ...change }))))
  const bought = useFunnel(({ bought }) => bought)
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isLoading) return
    const timer = setTimeout(() => setIsSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isLoading])
  useEffect(() => {
    const { bought } = useFunnel.getState()
    if (bought && !bought.done) void purchasing.resume()
  }, [purchasing])
  return {
    ...purchasing,
    bought,
    card,
    isLoading,
    isSlow,
    failure: failure && (typeof failure === 'string' ? words(failure) : errorLines(failure, words)),
  }
}
