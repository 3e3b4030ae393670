import type { CardNetwork } from '#fakes/card-network/start.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { openCards } from '#server/payments/serve.ts'
import { reconcile } from './reconcile.ts'
import { openSales } from './sale/sales.ts'

export const webhookSecret = 'whsec_of_the_tests_alone'

/** The app with the stand-in for its card network. */
export function cardApp(
  network: CardNetwork,
  given?: Parameters<typeof testApp>[1],
  environment: Record<string, string> = {},
): Promise<TestApp> {
  const keys = {
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: network.url,
    ...environment,
  }
  return testApp(keys, given)
}

/** What a browser does with Stripe's elements: confirms the payment with a card. */
export async function payBy(network: CardNetwork, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  return askNetwork(network, `${id}/confirm`, { client_secret: clientSecret, payment_method: card })
}

/** What its holder answers, when the bank asks. */
export const authenticate = (network: CardNetwork, clientSecret: string, outcome: string): Promise<string> =>
  askNetwork(network, `${clientSecret.split('_secret_')[0]}/authenticate`, { client_secret: clientSecret, outcome })

async function askNetwork(network: CardNetwork, path: string, form: Record<string, string>): Promise<string> {
  const reply = await fetch(`${network.url}/v1/payment_intents/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams(form),
  })
  const body = (await reply.json()) as { status?: string; error?: { code: string } }
  return body.status ?? body.error?.code ?? ''
}

/** The reconciler as it comes by so many minutes from now. */
export function reconcileLater(app: TestApp, minutes: number): Promise<number> {
  const clock = { now: () => new Date(app.world.clock.now().getTime() + minutes * 60_000) }
  const world = { ...app.world, clock }
  return reconcile(openSales(world, openCards(world.config), app.documents))
}
