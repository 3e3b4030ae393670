import { Refusal } from '#common/kit/refusals.ts'
import { within } from '#server/kit/database.ts'
import type { AppContext, World } from '#server/kit/app-context.ts'
import { byHand } from '#server/kit/openapi/openapi.ts'
import { scopeOf } from '#server/session/public.ts'
import { type CardEvent, type CardNetwork, OutcomeUnknown, type PaymentReference, topicOf } from './gateway.ts'
import { findPayment, installationOf, insertEvent } from './queries.ts'

const bodyLimit = 256 * 1024

/**
 * Receives events of the card network. An event is only a hint: it is stored once, with a job that reads the payment's real state. The body
 * stays text, as its signature covers the exact bytes.
 */
export async function serveWebhook({ http, world }: AppContext, cards: CardNetwork): Promise<void> {
  await http.register(async route => {
    route.removeAllContentTypeParsers()
    route.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    route.post('/api/payments/webhook', { bodyLimit }, async request => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || typeof request.body !== 'string') throw new Refusal('request.malformed')
      const event = await cards.readEvent(request.body, signature)
      if (event === 'unsigned') throw new Refusal('request.malformed')
      const outcome = event ? await receiveEvent(world, cards, event) : 'other'
      world.metrics.cardEvents.inc({ outcome })
      if (outcome === 'unknown') throw new Refusal('request.not_found')
      return { code: 200, data: { received: true } }
    })
  })
}

/** `other`: of another program. `foreign`: of another installation on the same account. `unknown`: of an unknown payment. */
type Outcome = 'heard' | 'repeated' | 'other' | 'foreign' | 'unknown'

async function receiveEvent(world: World, cards: CardNetwork, event: CardEvent): Promise<Outcome> {
  const { id, kind, intentId } = event
  const reference = await referenceOf(cards, event)
  // A payment by another program with the same account.
  if (!reference) return 'other'
  const scope = scopeOf(reference.businessUnitId)
  return world.database.asService(async serviceTx => {
    const tx = within(serviceTx, scope)
    // After endless refusals the network would stop sending. Payments without an installation's id are older than these ids, and our own.
    if (reference.installation !== undefined && reference.installation !== (await installationOf(tx))) return 'foreign'
    const payment = await findPayment(tx, reference.paymentId)
    // Payments are stored before their intents. So an unknown one was made after the backup that was restored, and the network repeats
    // the event.
    if (!payment) return 'unknown'
    const isNew = await insertEvent(tx, { event_id: id, kind, intent_id: intentId, at: world.clock.now() })
    if (isNew) await world.outbox.publish(tx, topicOf(payment), { paymentId: payment.id, kind })
    return isNew ? 'heard' : 'repeated'
  })
}

async function referenceOf(cards: CardNetwork, { intentId, reference }: CardEvent): Promise<PaymentReference | undefined> {
  if (reference !== 'ask') return reference
  try {
    return (await cards.retrieveIntent(intentId)).reference
  } catch (error) {
    // The network repeats the event later.
    throw error instanceof OutcomeUnknown ? new Refusal('payment.unavailable', { retryAfter: 60 }) : error
  }
}

/** The path that the card network calls. */
export const webhookPaths = {
  '/api/payments/webhook': {
    post: byHand('An event of the card network, signed by it; each is heard once', 'the signature', {
      parameters: [{ name: 'Stripe-Signature', in: 'header', required: true, schema: { type: 'string' } }],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      responses: { 200: { description: 'Heard' } },
    }),
  },
}
