import { type Answer, type Ask, asker, type ShownIntent, worded } from './ask.mts'
import { askHolder } from './dialog.mts'
import { type Elements, type ElementsOptions, type Inside, insides, makeElements } from './elements.mts'
import { speak } from './words.mts'

type Confirming = {
  elements: Elements
  clientSecret?: string
  confirmParams?: { return_url?: string; receipt_email?: string }
  redirect?: 'always' | 'if_required'
}

export type StripeStandIn = {
  elements: (options?: ElementsOptions) => Elements
  confirmPayment: (confirming: Confirming) => Promise<Answer>
  retrievePaymentIntent: (clientSecret: string) => Promise<Answer>
  handleNextAction: (of: { clientSecret: string }) => Promise<Answer>
}

/** The part of Stripe.js that the portal uses, for the stand-in that served this script. */
function openStripe(publishableKey: string): StripeStandIn {
  const ask = asker(base, publishableKey)
  const plain: Inside = { options: {}, speech: speak(document.documentElement.lang || undefined) }
  const retrieve = (clientSecret: string): Promise<Answer> => ask('GET', clientSecret, '', {}, plain.speech)
  return {
    elements: makeElements,
    retrievePaymentIntent: retrieve,
    async handleNextAction({ clientSecret }) {
      const answer = await retrieve(clientSecret)
      return answer.paymentIntent ? settle(ask, answer.paymentIntent, clientSecret, plain) : answer
    },
    async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = 'always' }) {
      const inside = insides.get(elements)
      const secret = clientSecret ?? inside?.options.clientSecret
      if (!inside?.form || !secret) throw new Error('confirmPayment needs elements with a mounted element, and a client secret.')
      const answer = await confirm(ask, inside, secret, confirmParams)
      if (answer.paymentIntent && redirect === 'always' && confirmParams.return_url)
        leaveFor(confirmParams.return_url, answer.paymentIntent, secret)
      return answer
    },
  }
}

async function confirm(ask: Ask, inside: Inside, secret: string, params: NonNullable<Confirming['confirmParams']>): Promise<Answer> {
  const fault = inside.form?.check()
  if (fault) return { error: fault }
  inside.form?.disable(true)
  try {
    const form = { ...inside.form?.sent(), ...params, use_stripe_sdk: 'true' }
    const answer = await ask('POST', secret, 'confirm', form, inside.speech)
    return answer.paymentIntent ? await settle(ask, answer.paymentIntent, secret, inside) : answer
  } finally {
    inside.form?.disable(false)
  }
}

/** Lets the card's holder answer when the bank asks; a no is an error, as Stripe.js tells it. */
async function settle(ask: Ask, intent: ShownIntent, secret: string, { speech, options }: Inside): Promise<Answer> {
  if (intent.status !== 'requires_action') return { paymentIntent: intent }
  const outcome = await askHolder(intent, speech, options.appearance ?? {})
  const answer = await ask('POST', secret, 'authenticate', { outcome }, speech)
  const after = answer.paymentIntent
  return after?.last_payment_error ? { error: { ...worded(after.last_payment_error, speech), payment_intent: after } } : answer
}

function leaveFor(place: string, { id, status }: ShownIntent, secret: string): void {
  const url = new URL(place)
  url.searchParams.set('payment_intent', id)
  url.searchParams.set('payment_intent_client_secret', secret)
  url.searchParams.set('redirect_status', status)
  location.assign(url)
}

// A script at /dev/cards/stripe.js asks /dev/cards/v1/…
const own = document.currentScript
const base = new URL('.', own instanceof HTMLScriptElement ? own.src : location.href)
Object.assign(window, { Stripe: openStripe })
