import type { PaymentIntent, Stripe, StripeElements, StripeError } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'
import { Failure } from '#portal/kit/errors/failure.tsx'
import { shortcut } from '#portal/kit/shortcuts/shortcuts.ts'
import { Button } from '#portal/kit/ui/button.tsx'
import { Callout } from '#portal/kit/ui/card.tsx'
import { Skeleton } from '#portal/kit/ui/progress.tsx'
import { useWords } from '#portal/kit/words.tsx'

export type CardSecret = { clientSecret: string; publishableKey: string }
export type CardFormProps = CardSecret & {
  /** The button's text. */
  pay: string
  /** The path of the page around it, to which a bank's own page would lead back. */
  path: string
  /** Receives true while the card is being charged, when the page must not be left. */
  onPaying: (paying: boolean) => void
  onPaid: (paymentIntent: string) => Promise<void>
}

/** The card network's own form, so that no card number ever reaches the portal. */
export function CardForm({ clientSecret, publishableKey, pay, path, onPaying, onPaid }: CardFormProps) {
  const { words, locale } = useWords()
  const frame = useRef<HTMLDivElement>(null)
  const payButton = useRef<HTMLButtonElement>(null)
  const opened = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined)
  const [state, setState] = useState<'loading' | 'ready' | 'paying' | 'failed'>('loading')
  const [refused, setRefused] = useState<string>()
  // A new language reopens the form, but not while the card is charged.
  const [language, setLanguage] = useState(locale)
  if (language !== locale && state !== 'paying') setLanguage(locale)

  useEffect(() => {
    let current = true
    async function open() {
      const stripe = await loadCards(publishableKey)
      if (!current || !frame.current) return
      // The card may have been charged before a reload or a lost response.
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret)
      if (paymentIntent && isAccepted(paymentIntent)) return onPaid(paymentIntent.id)
      if (!current) return
      const elements = openElements(stripe, clientSecret, language)
      opened.current = { stripe, elements }
      const element = elements.create('payment')
      element.on('ready', () => {
        setState('ready')
        // Focus was on the button that opened the form, which is gone.
        element.focus()
      })
      element.mount(frame.current)
    }
    open().catch(() => setState('failed'))
    return () => {
      current = false
      opened.current?.elements.getElement('payment')?.destroy()
      opened.current = undefined
    }
  }, [clientSecret, publishableKey, language, onPaid])

  // The price bar would cover the button, which moves down below a refusal.
  useEffect(() => {
    if (state === 'ready') payButton.current?.scrollIntoView({ block: 'nearest' })
  }, [state])

  async function confirm() {
    if (!opened.current || state === 'paying') return
    setState('paying')
    onPaying(true)
    setRefused(undefined)
    try {
      setRefused(await chargeCard(opened.current))
    } catch {
      setRefused(words('payments.card_failed'))
    } finally {
      setState('ready')
      onPaying(false)
    }
  }
  /** Returns the card network's message if it refused, undefined if it accepted. */
  async function chargeCard({ stripe, elements }: { stripe: Stripe; elements: StripeElements }): Promise<string | undefined> {
    const checked = await elements.submit()
    const result = checked.error
      ? { error: checked.error, paymentIntent: undefined }
      : await stripe.confirmPayment({
          elements,
          clientSecret,
          confirmParams: { return_url: `${window.location.origin}${path}` },
          redirect: 'if_required',
        })
    // A second charge fails, but returns the intent that the first one paid.
    const paymentIntent = result.paymentIntent ?? result.error?.payment_intent
    if (!paymentIntent || !isAccepted(paymentIntent)) {
      // Another card is typed next. Exceptions: the network has focused an error in this one, or the charge can be retried.
      if (isDeclined(result.error)) elements.getElement('payment')?.focus()
      else if (!checked.error) payButton.current?.focus()
      return result.error?.message ?? words('payments.card_failed')
    }
    await onPaid(paymentIntent.id)
    return undefined
  }
  if (state === 'failed') return <Callout tone="danger" title={words('payments.card_not_loaded')} />
  return (
    // The card network submits the form around it when Enter is pressed in its fields.
    <form
      noValidate
      className="grid gap-(--gap)"
      onSubmit={event => {
        event.preventDefault()
        void confirm()
      }}
    >
      {state === 'loading' && <Skeleton className="h-24 w-full" />}
      {/* The card network renders its form here. */}
      <div ref={frame} />
      <Failure>{refused}</Failure>
      <Button {...shortcut('next')} ref={payButton} type="submit" icon="lock" busy={state !== 'ready'}>
        {pay}
      </Button>
    </form>
  )
}

/** True once the card is accepted. Only the service knows if the money arrived. */
const isAccepted = ({ status }: PaymentIntent): boolean => status === 'succeeded' || status === 'processing'

/** True if the cardholder's bank refused the card. */
const isDeclined = (error: StripeError | undefined): boolean => error?.type === 'card_error'

/** Loads Stripe's script, or the fake card network's, which has the same interface. */
async function loadCards(publishableKey: string): Promise<Stripe> {
  if (publishableKey === fakeCardKey) {
    await loadScript('/dev/cards/stripe.js')
    // Safe: the script that was just loaded defines it.
    return (window as unknown as { Stripe: (key: string) => Stripe }).Stripe(publishableKey)
  }
  const { loadStripe } = await import('@stripe/stripe-js/pure')
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('the card form could not be loaded')
  return stripe
}

const openElements = (stripe: Stripe, clientSecret: string, locale: Locale): StripeElements =>
  // Safe: Stripe knows all languages of the portal.
  stripe.elements({ clientSecret, locale: intlTag(locale).slice(0, 2) as 'es' })

function loadScript(src: string): Promise<void> {
  if (document.querySelector(`script[src="${src}"]`)) return Promise.resolve()
  const script = document.createElement('script')
  script.src = src
  return new Promise((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error('the card form could not be loaded'))
    })
    document.head.append(script)
  })
}
