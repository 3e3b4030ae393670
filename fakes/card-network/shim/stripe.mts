import { type Result, type Ask, openClient, type ShownIntent, localised } from './ask.mts'
import { showChallenge } from './dialog.mts'
import { type Elements, type ElementsOptions, type ElementsState, states, makeElements } from './elements.mts'
import { textsFor } from './words.mts'

type ConfirmOptions = {
  elements: Elements
  clientSecret?: string
  confirmParams?: { return_url?: string; receipt_email?: string }
  redirect?: 'always' | 'if_required'
}

export type FakeStripe = {
  elements: (options?: ElementsOptions) => Elements
  confirmPayment: (options: ConfirmOptions) => Promise<Result>
  retrievePaymentIntent: (clientSecret: string) => Promise<Result>
  handleNextAction: (of: { clientSecret: string }) => Promise<Result>
}

/** Returns the part of Stripe.js that the portal uses, against the fake card network that served it. */
function openStripe(publishableKey: string): FakeStripe {
  const ask = openClient(base, publishableKey)
  const defaults: ElementsState = { options: {}, texts: textsFor(document.documentElement.lang || undefined) }
  const retrieve = (clientSecret: string): Promise<Result> => ask('GET', clientSecret, '', {}, defaults.texts)
  return {
    elements: makeElements,
    retrievePaymentIntent: retrieve,
    async handleNextAction({ clientSecret }) {
      const result = await retrieve(clientSecret)
      return result.paymentIntent ? completeAction(ask, result.paymentIntent, clientSecret, defaults) : result
    },
    async confirmPayment({ elements, clientSecret, confirmParams = {}, redirect = 'always' }) {
      const state = states.get(elements)
      const secret = clientSecret ?? state?.options.clientSecret
      if (!state?.form || !secret) throw new Error('confirmPayment needs elements with a mounted element, and a client secret.')
      const result = await confirm(ask, state, secret, confirmParams)
      if (result.paymentIntent && redirect === 'always' && confirmParams.return_url)
        leaveFor(confirmParams.return_url, result.paymentIntent, secret)
      return result
    },
  }
}

async function confirm(
  ask: Ask,
  state: ElementsState,
  secret: string,
  params: NonNullable<ConfirmOptions['confirmParams']>,
): Promise<Result> {
  const error = state.form?.check()
  if (error) return { error: error }
  state.form?.disable(true)
  try {
    const form = { ...state.form?.sent(), ...params, use_stripe_sdk: 'true' }
    const result = await ask('POST', secret, 'confirm', form, state.texts)
    return result.paymentIntent ? await completeAction(ask, result.paymentIntent, secret, state) : result
  } finally {
    state.form?.disable(false)
  }
}

/** Shows the 3-D Secure question if the intent requires it. A decline is an error, as in Stripe.js. */
async function completeAction(ask: Ask, intent: ShownIntent, secret: string, { texts, options }: ElementsState): Promise<Result> {
  if (intent.status !== 'requires_action') return { paymentIntent: intent }
  const outcome = await showChallenge(intent, texts, options.appearance ?? {})
  const result = await ask('POST', secret, 'authenticate', { outcome }, texts)
  const after = result.paymentIntent
  return after?.last_payment_error ? { error: { ...localised(after.last_payment_error, texts), payment_intent: after } } : result
}

function leaveFor(target: string, { id, status }: ShownIntent, secret: string): void {
  const url = new URL(target)
  url.searchParams.set('payment_intent', id)
  url.searchParams.set('payment_intent_client_secret', secret)
  url.searchParams.set('redirect_status', status)
  location.assign(url)
}

// A script at /dev/cards/stripe.js calls /dev/cards/v1/…
const own = document.currentScript
const base = new URL('.', own instanceof HTMLScriptElement ? own.src : location.href)
Object.assign(window, { Stripe: openStripe })
