import { type CardNetwork, startCardNetwork } from '#fakes/card-network/start.ts'
import type { AppOptions } from '#server/app.ts'
import { type TestApp, testApp } from '#server/kit/testing.ts'
import { reconcile } from './payment/reconcile.ts'

export const webhookSecret = 'whsec_of_the_tests_alone'

/** The app, and the fake card network that starts and stops with it. */
export type CardApp = TestApp & { network: CardNetwork }
type HasNetwork = Pick<CardApp, 'network'>
/** With `backoff`, the network notifies the app of each event, and again after that many ms if that fails. */
type CardAppOptions = AppOptions & { environment?: Record<string, string>; backoff?: number[] }

export async function cardApp({ environment, backoff, ...options }: CardAppOptions = {}): Promise<CardApp> {
  const network = await startCardNetwork()
  const keys = {
    STRIPE_SECRET_KEY: network.secretKey,
    STRIPE_PUBLISHABLE_KEY: network.publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: network.url,
    ...environment,
  }
  const app = await testApp(keys, options)
  const stop = async () => {
    await app.stop()
    await network.stop()
  }
  const opened = { ...app, network, stop }
  if (backoff) await receiveWebhooks(opened, backoff)
  return opened
}

/** Lets the network notify the app over a real connection. */
export async function receiveWebhooks({ context: { http }, network }: CardApp, backoff?: number[]): Promise<void> {
  if (!http.server.listening) await http.listen({ port: 0, host: '127.0.0.1' })
  const url = `${http.listeningOrigin}/api/payments/webhook`
  network.webhooksTo({ url, secret: webhookSecret, ...(backoff ? { backoff } : {}) })
}

/** Returns the payment at the network that the client secret belongs to. */
export const intentOf = ({ network }: HasNetwork, clientSecret: string) =>
  network.counters().intents.find(({ id }) => clientSecret.startsWith(id))

/** Confirms a payment with a card, as the browser does with Stripe's elements. */
export async function payBy(cards: HasNetwork, clientSecret: string, card = 'pm_card_visa'): Promise<string> {
  const [id = ''] = clientSecret.split('_secret_')
  return askNetwork(cards, `${id}/confirm`, { client_secret: clientSecret, payment_method: card })
}

/** Answers the bank's authentication as the cardholder. */
export const authenticate = (cards: HasNetwork, clientSecret: string, outcome: string): Promise<string> =>
  askNetwork(cards, `${clientSecret.split('_secret_')[0]}/authenticate`, { client_secret: clientSecret, outcome })

async function askNetwork({ network }: HasNetwork, path: string, form: Record<string, string>): Promise<string> {
  const reply = await fetch(`${network.url}/v1/payment_intents/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${network.publishableKey}` },
    body: new URLSearchParams(form),
  })
  // Safe: the card network answers with an intent or an error.
  const body = (await reply.json()) as { status?: string; error?: { code: string } }
  return body.status ?? body.error?.code ?? ''
}

/** Runs the reconciler as if this many minutes had passed. */
export function reconcileLater(app: TestApp, minutes: number): Promise<number> {
  const clock = { now: () => new Date(app.world.clock.now().getTime() + minutes * 60_000) }
  return reconcile({ ...app.sales, world: { ...app.world, clock } })
}
