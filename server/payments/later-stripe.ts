import { kept, later, wantSoon } from '#server/kit/work/later.ts'
import type { CardNetwork } from './gateway.ts'
import type { StripeSettings } from './stripe.ts'

/** Stripe's library has more modules than any other, and a start does without it. */
const library = later(() => import('./stripe.ts'))

/** Opens Stripe, whose library is loaded soon after the start, or at the first call. */
export function openStripeLater(settings: StripeSettings): CardNetwork {
  const stripe = kept(async () => (await library()).openStripe(settings))
  wantSoon(library)
  return {
    publishableKey: settings.publishableKey,
    createIntent: async request => (await stripe()).createIntent(request),
    retrieveIntent: async id => (await stripe()).retrieveIntent(id),
    cancelIntent: async id => (await stripe()).cancelIntent(id),
    refund: async request => (await stripe()).refund(request),
    retrieveRefund: async id => (await stripe()).retrieveRefund(id),
    reversedAmounts: async intentId => (await stripe()).reversedAmounts(intentId),
    listens: settings.webhookSecret !== undefined,
    readEvent: async (body, signature) => (await stripe()).readEvent(body, signature),
  }
}
