import { useCallback, useEffect, useRef, useState } from 'react'
import { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { isWritten } from '#portal/kit/kept/sealed.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'
import { type Purchase, useFunnel } from '../store.ts'
import type { CardSecret } from './card-form.tsx'
import { leaveLostBudget } from '../requests.ts'

/** The card that the card network is to be asked for, and the sale that it pays. */
type Card = { secret: CardSecret; bought: Purchase }

/**
 * The purchase sequence of spec 4. What is asked is kept first, so that a second click, a reload or a lost reply leads to the same sale: on the
 * way back here it goes on by itself.
 */
export function usePurchase() {
  const { words } = useWords()
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<Refused | 'funnel.buy.lost' | 'funnel.buy.budget_gone'>()
  const [card, setCard] = useState<Card>()
  const bought = useFunnel(({ bought }) => bought)
  const running = useRef(false)

  const attempt = useCallback(async (deed: () => Promise<Card | undefined>) => {
    if (running.current) return
    running.current = true
    setLoading(true)
    setFailure(undefined)
    try {
      setCard(await deed())
    } catch (error) {
      setCard(undefined)
      const isLastWord = error instanceof Refused && !error.mayChange
      // What is asked after a last word is another sale. Anything else may have happened after all, and is asked again as it was.
      if (isLastWord) forgetAttempt()
      setFailure(leaveLostBudget(error) ? 'funnel.buy.budget_gone' : error instanceof Refused ? error : 'funnel.buy.lost')
    } finally {
      running.current = false
      setLoading(false)
    }
  }, [])
  const goOn = useCallback(() => attempt(register), [attempt])
  useEffect(() => {
    const { bought } = useFunnel.getState()
    // oxlint-disable-next-line react/set-state-in-effect -- what a reload interrupted goes on, and says so
    if (bought && !bought.done) void goOn()
  }, [goOn])

  const paid = useCallback(
    async (paymentIntent: string) => {
      if (card) await attempt(() => settle(card.bought, { paymentIntent, secret: card.secret.clientSecret }))
    },
    [attempt, card],
  )
  /** Back to the choice of payment; what was registered is replaced by what is bought next. */
  const giveUp = () => {
    setCard(undefined)
    setFailure(undefined)
    forgetAttempt()
  }
  return {
    bought,
    card: card?.secret,
    isLoading,
    failure: failure && (typeof failure === 'string' ? words(failure) : described(failure)),
    goOn,
    buy(asked: Purchase['asked']) {
      if (running.current) return
      useFunnel.setState({ bought: { asked, registerKey: crypto.randomUUID(), purchaseKey: crypto.randomUUID() } })
      void goOn()
    },
    paid,
    giveUp,
  }
}

async function register(): Promise<Card | undefined> {
  const { bought } = useFunnel.getState()
  if (!bought || bought.done) return undefined
  // Its keys outlive a closed tab.
  await isWritten()
  const { clientSecret, publishableKey, ...registered } = await ask(registerPolicy, bought.asked, { idempotencyKey: bought.registerKey })
  const known = { ...bought, registered }
  useFunnel.setState({ bought: known })
  if (clientSecret && publishableKey) return { secret: { clientSecret, publishableKey }, bought: known }
  return settle(known)
}

/** Without a card the agency pays; with one, the card network has told what it was paid by. */
async function settle(bought: Purchase, card?: { paymentIntent: string; secret: string }): Promise<undefined> {
  const how = card
    ? { paymentToken: card.paymentIntent, paymentIntentClientSecret: card.secret }
    : { purchaseUUID: bought.registered?.purchaseUUID }
  const { paymentGatewayUUID } = bought.asked
  const done = await ask(purchasePolicy, { paymentGatewayUUID: paymentGatewayUUID ?? '', ...how }, { idempotencyKey: bought.purchaseKey })
  // Sold is sold, whatever became of the attempt in another tab: its number is shown.
  useFunnel.setState({ bought: { ...bought, done } })
  await queries.invalidateQueries({ queryKey: ['policies'] })
}

function forgetAttempt(): void {
  useFunnel.setState(({ bought, policyUuid }) => ({ bought: undefined, policyUuid: bought?.registered?.policyUuid ?? policyUuid }))
}

const described = ({ failure }: Refused): string =>
  [...new Set([failure.errorMessage, ...(failure.fields ?? []).map(({ message }) => message)])].join('\n')
