import type { PaymentIntent, Stripe, StripeElements } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'
import { loadCards, openElements } from './cards.ts'

export type CardSecret = { clientSecret: string; publishableKey: string }
/** `onPaying`: while the card is being asked, nobody may go away from it. */
type Props = CardSecret & { pay: string; onPaying: (paying: boolean) => void; onPaid: (paymentIntent: string) => Promise<void> }

/** The card network's own form: no card number ever touches the portal. */
export function CardForm({ clientSecret, publishableKey, pay, onPaying, onPaid }: Props) {
  const { words, locale } = useWords()
  const place = useRef<HTMLDivElement>(null)
  const opened = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined)
  const [state, setState] = useState<'loading' | 'ready' | 'paying' | 'failed'>('loading')
  const [refused, setRefused] = useState<string>()
  // In another language it opens anew, but not while it is being asked.
  const [language, setLanguage] = useState(locale)
  if (language !== locale && state !== 'paying') setLanguage(locale)

  useEffect(() => {
    let current = true
    async function open() {
      const stripe = await loadCards(publishableKey)
      if (!current || !place.current) return
      // Paid already, before a reload or a lost reply: there is nothing to ask for any more.
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
      if (paymentIntent && isGiven(paymentIntent)) return onPaid(paymentIntent.id)
      if (!current) return
      const elements = openElements(stripe, clientSecret, language)
      opened.current = { stripe, elements }
      const element = elements.create('payment')
      element.on('ready', () => {
        setState('ready')
        // Whoever asked for it goes on in it, rather than where the button was.
        element.focus()
      })
      element.mount(place.current)
    }
    open().catch(() => setState('failed'))
    return () => {
      current = false
      opened.current?.elements.getElement('payment')?.destroy()
      opened.current = undefined
    }
  }, [clientSecret, publishableKey, language, onPaid])

  async function confirm() {
    if (!opened.current || state === 'paying') return
    setState('paying')
    onPaying(true)
    setRefused(undefined)
    try {
      setRefused(await ask(opened.current))
    } catch {
      setRefused(words('funnel.card.failed'))
    } finally {
      setState('ready')
      onPaying(false)
    }
  }
  /** Why not, in the network's words; nothing where it was paid. */
  async function ask({ stripe, elements }: { stripe: Stripe; elements: StripeElements }): Promise<string | undefined> {
    const checked = await elements.submit()
    const said = checked.error
      ? { error: checked.error, paymentIntent: undefined }
      : await stripe.confirmPayment({
          elements,
          clientSecret,
          confirmParams: { return_url: `${window.location.origin}/funnel?step=3` },
          redirect: 'if_required',
        })
    // Asked a second time, the network says that it was paid as a fault.
    const paymentIntent = said.paymentIntent ?? said.error?.payment_intent
    if (!paymentIntent || !isGiven(paymentIntent)) return said.error?.message ?? words('funnel.card.failed')
    await onPaid(paymentIntent.id)
    return undefined
  }
  if (state === 'failed') return <Callout tone="danger" title={words('funnel.card.not_loaded')} />
  return (
    <div className="grid gap-(--gap)">
      {state === 'loading' && <Skeleton className="h-24 w-full" />}
      {/* What is in it is the card network's. */}
      <div ref={place} />
      <div role="alert" className="empty:hidden">
        {refused && <Callout tone="danger" title={refused} />}
      </div>
      <Button icon="lock" busy={state === 'paying'} disabled={state === 'loading'} onClick={() => void confirm()}>
        {pay}
      </Button>
    </div>
  )
}

/** The card has been given and accepted; whether the money has come yet, the service tells. */
const isGiven = ({ status }: PaymentIntent): boolean => status === 'succeeded' || status === 'processing'
