import { useCallback, useEffect, useRef, useState } from 'react'
import { purchasePolicy, registerPolicy } from '#common/policies/calls.ts'
import { ask, Refused } from '#portal/kit/ask.ts'
import { queries } from '#portal/kit/queries.ts'
import { useWords } from '#portal/kit/words.tsx'
import type { Product } from '#portal/products/store.ts'
import { useFunnel } from '../store.ts'
import type { Bought } from './bought.ts'
import type { CardSecret } from './card-form.tsx'
import { agreed, registration } from './register.ts'

/**
 * The purchase sequence of spec 4. What it is asked under is kept first, so that a second click, a reload or a lost reply leads to the same
 * sale: on the way back here it goes on by itself.
 */
export function usePurchase(product: Product) {
  const { words } = useWords()
  const [isLoading, setLoading] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [card, setCard] = useState<CardSecret>()
  const bought = useFunnel(({ bought }) => bought)
  const running = useRef(false)

  const attempt = useCallback(
    async (deed: () => Promise<void>) => {
      if (running.current) return
      running.current = true
      setLoading(true)
      setFailure(undefined)
      try {
        await deed()
      } catch (error) {
        // A refusal is final: what is asked next is another sale. Anything else may have happened after all, and is asked again as it was.
        if (error instanceof Refused) forgetAttempt()
        setFailure(error instanceof Refused ? described(error) : words('funnel.buy.lost'))
      } finally {
        running.current = false
        setLoading(false)
      }
    },
    [words],
  )
  const goOn = useCallback(() => attempt(() => register(product, setCard)), [attempt, product])
  useEffect(() => {
    const { bought } = useFunnel.getState()
    // oxlint-disable-next-line react/set-state-in-effect -- what a reload interrupted goes on, and says so
    if (bought && !bought.done) void goOn()
  }, [goOn])

  const paid = useCallback((paymentIntent: string) => attempt(() => settle({ paymentIntent, secret: card?.clientSecret })), [attempt, card])
  return {
    bought,
    card,
    isLoading,
    failure,
    goOn,
    buy(gatewayUuid: string, shown: Bought['shown']) {
      if (running.current) return
      useFunnel.setState({ bought: { gatewayUuid, shown, registerKey: crypto.randomUUID(), purchaseKey: crypto.randomUUID() } })
      void goOn()
    },
    paid,
    /** Back to the choice of payment; what was registered is replaced by what is bought next. */
    giveUp() {
      setCard(undefined)
      setFailure(undefined)
      forgetAttempt()
    },
  }
}

async function register(product: Product, showCard: (card: CardSecret) => void): Promise<void> {
  const { bought, agreedTotal } = useFunnel.getState()
  if (!bought || bought.done) return
  const question = registration(product, {
    paymentGatewayUUID: bought.gatewayUuid,
    shown: bought.shown,
    ...(agreedTotal === undefined ? {} : agreed(agreedTotal)),
  })
  const { clientSecret, publishableKey, ...registered } = await ask(registerPolicy, question, { idempotencyKey: bought.registerKey })
  hold({ registered })
  if (clientSecret && publishableKey) showCard({ clientSecret, publishableKey })
  else await settle()
}

/** Without a card the agency pays; with one, the card network has told what it was paid by. */
async function settle(card?: { paymentIntent: string; secret: string | undefined }): Promise<void> {
  const { bought } = useFunnel.getState()
  if (!bought?.registered || bought.done) return
  const how = card
    ? { paymentToken: card.paymentIntent, paymentIntentClientSecret: card.secret ?? null }
    : { purchaseUUID: bought.registered.purchaseUUID }
  const done = await ask(purchasePolicy, { paymentGatewayUUID: bought.gatewayUuid, ...how }, { idempotencyKey: bought.purchaseKey })
  hold({ done })
  await queries.invalidateQueries({ queryKey: ['policies'] })
}

const hold = (change: Partial<Bought>): void => useFunnel.setState(({ bought }) => (bought ? { bought: { ...bought, ...change } } : {}))

function forgetAttempt(): void {
  useFunnel.setState(({ bought, policyUuid }) => ({ bought: undefined, policyUuid: bought?.registered?.policyUuid ?? policyUuid }))
}

const described = ({ failure }: Refused): string =>
  [...new Set([failure.errorMessage, ...(failure.fields ?? []).map(({ message }) => message)])].join('\n')
