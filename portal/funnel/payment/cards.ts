import type { Stripe, StripeElements } from '@stripe/stripe-js'
import { intlTag, type Locale } from '#common/kit/locales.ts'
import { fakeCardKey } from '#common/payments/fake-card-network.ts'

/** Stripe's own script from Stripe, or the stand-in's from the service: the same interface, so that there is one way to pay by card. */
export async function loadCards(publishableKey: string): Promise<Stripe> {
  if (publishableKey === fakeCardKey) {
    await loadScript('/dev/cards/stripe.js')
    return (window as unknown as { Stripe: (key: string) => Stripe }).Stripe(publishableKey)
  }
  const { loadStripe } = await import('@stripe/stripe-js/pure')
  const stripe = await loadStripe(publishableKey)
  if (!stripe) throw new Error('the card form could not be loaded')
  return stripe
}

export const openElements = (stripe: Stripe, clientSecret: string, locale: Locale): StripeElements =>
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
