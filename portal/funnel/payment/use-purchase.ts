import { useCallback, useEffect, useRef, useState } from 'react'
import { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { errorLines } from '#portal/kit/errors/error-lines.ts'
import { whenWritten } from '#portal/kit/kept/encrypted-storage.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'
import { type Purchase, useFunnel } from '../store.ts'
import type { CardSecret } from './card-form.tsx'
import { leaveLostBudget } from '../requests.ts'

/** The payment that the card network expects, and the sale that it pays. */
type Card = { secret: CardSecret; bought: Purchase }

/**
 * The purchase sequence of spec 4: register, pay, purchase. The request is stored before it is sent. A second click, a reload or a lost
 * response therefore resumes the same sale.
 */
export function usePurchase() {
  const { words } = useWords()
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<Refused | 'funnel.buy.lost' | 'funnel.buy.budget_gone'>()
  const [card, setCard] = useState<Card>()
  const bought = useFunnel(({ bought }) => bought)
  const running = useRef(false)

  const attempt = useCallback(async (work: () => Promise<Card | undefined>) => {
    if (running.current) return
    running.current = true
    setLoading(true)
    setFailure(undefined)
    try {
      setCard(await work())
    } catch (error) {
      setCard(undefined)
      const isFinal = error instanceof Refused && !error.mayChange
      // After a final refusal the next attempt is another sale. Any other failure may have succeeded, so the same request is sent again.
      if (isFinal) forgetAttempt()
      setFailure(leaveLostBudget(error) ? 'funnel.buy.budget_gone' : error instanceof Refused ? error : 'funnel.buy.lost')
    } finally {
      running.current = false
      setLoading(false)
    }
  }, [])
  const resume = useCallback(() => attempt(register), [attempt])
  useEffect(() => {
    const { bought } = useFunnel.getState()
    // oxlint-disable-next-line react/set-state-in-effect -- a purchase that a reload interrupted resumes, and shows it
    if (bought && !bought.done) void resume()
  }, [resume])

  const paid = useCallback(
    async (paymentIntent: string) => {
      if (card) await attempt(() => purchase(card.bought, { paymentIntent, secret: card.secret.clientSecret }))
    },
    [attempt, card],
  )
  /** Returns to the choice of payment. The next purchase replaces the registered one. */
  const abandon = () => {
    setCard(undefined)
    setFailure(undefined)
    forgetAttempt()
  }
  return {
    bought,
    card: card?.secret,
    isLoading,
    failure: failure && (typeof failure === 'string' ? words(failure) : errorLines(failure, words)),
    resume,
    buy(request: Purchase['asked']) {
      if (running.current) return
      useFunnel.setState({ bought: { asked: request, registerKey: crypto.randomUUID(), purchaseKey: crypto.randomUUID() } })
      void resume()
    },
    paid,
    abandon,
  }
}

async function register(): Promise<Card | undefined> {
  const { bought } = useFunnel.getState()
  if (!bought || bought.done) return undefined
  // The keys must be stored before the request, to survive a closed tab.
  await whenWritten()
  const { clientSecret, publishableKey, ...registered } = await ask(registerPolicy, bought.asked, { idempotencyKey: bought.registerKey })
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
  const done = await ask(
    purchasePolicy,
    { paymentGatewayUUID: paymentGatewayUUID ?? '', ...payment },
    { idempotencyKey: bought.purchaseKey },
  )
  // Stored even if another tab abandoned the attempt, since the policy is sold.
  useFunnel.setState({ bought: { ...bought, done } })
  await queries.invalidateQueries({ queryKey: ['policies'] })
}

function forgetAttempt(): void {
  useFunnel.setState(({ bought, policyUuid }) => ({ bought: undefined, policyUuid: bought?.registered?.policyUuid ?? policyUuid }))
}
