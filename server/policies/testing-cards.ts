import type { CardNetwork } from '#fakes/card-network/start.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openCards } from '#server/payments/serve.ts'
import { reconcile } from './reconcile.ts'
import { openSales } from './sale/sales.ts'

export const webhookSecret = 'whsec_of_the_tests_alone'

/** Opens the app with the fake card network. */
export function cardApp(
  network: CardNetwork,
  overrides?: Parameters<typeof testApp>[1],
  environment: Record<string, string> = {},
): Promise<TestApp> {
  const keys = {
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: network.url,
    ...environment,
  }
  return testApp(keys, overrides)
}

/** Confirms a payment with a card, as the browser does with Stripe's elements. */
export async function payBy(network: CardNetwork, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  return askNetwork(network, `${id}/confirm`, { client_secret: clientSecret, payment_method: card })
}

/** Answers the bank's authentication as the cardholder. */
export const authenticate = (network: CardNetwork, clientSecret: string, outcome: string): Promise<string> =>
  askNetwork(network, `${clientSecret.split('_secret_')[0]}/authenticate`, { client_secret: clientSecret, outcome })

async function askNetwork(network: CardNetwork, path: string, form: Record<string, string>): Promise<string> {
  const reply = await fetch(`${network.url}/v1/payment_intents/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams(form),
  })
  // Safe: the card network answers with an intent or an error.
  const body = (await reply.json()) as { status?: string; error?: { code: string } }
  return body.status ?? body.error?.code ?? ''
}

/** Runs the reconciler as if so many minutes had passed. */
export function reconcileLater(app: TestApp, minutes: number): Promise<number> {
  const clock = { now: () => new Date(app.world.clock.now().getTime() + minutes * 60_000) }
  const world = { ...app.world, clock }
  return reconcile(openSales(world, openCards(world.config), app.documents))
}
