import type { Config } from '#server/config.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveDevCards } from './dev-cards.ts'
import type { CardNetwork } from './gateway.ts'
import { openStripe } from './stripe.ts'
import { serveWebhook } from './webhook.ts'

/** Opens the card network; undefined without keys. */
export function openCards(config: Config): CardNetwork | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = config
  if (!secretKey || !publishableKey) return undefined
  return openStripe({ secretKey, publishableKey, webhookSecret: config.STRIPE_WEBHOOK_SECRET, apiUrl: config.STRIPE_API_URL })
}

export async function servePayments(context: AppContext, cards: CardNetwork | undefined): Promise<void> {
  if (cards?.listens) await serveWebhook(context, cards)
  await serveDevCards(context)
}
