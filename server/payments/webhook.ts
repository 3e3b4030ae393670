import { Refusal } from '#common/kit/refusals.ts'
import { within } from '#server/kit/database.ts'
import type { Front, World } from '#server/kit/front.ts'
import { scopeOf } from '#server/session/public.ts'
import { type CardEvent, type CardNetwork, OutcomeUnknown, type PaymentReference } from './gateway.ts'
import { findPayment, installationOf, keepEvent } from './queries.ts'

/** Something has happened to a payment: whoever hears it asks the card network what. */
export const paymentNotified = 'payment.heard'

const bodyLimit = 256 * 1024

/**
 * What the card network tells. An event is a hint and no more: it is kept, once, together with a job that asks what the payment really is.
 * Its signature is over the very bytes that were sent, so they are read as text here.
 */
export async function serveWebhook({ http, world }: Front, cards: CardNetwork): Promise<void> {
  await http.register(async route => {
    route.removeAllContentTypeParsers()
    route.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    route.post('/api/payments/webhook', { bodyLimit }, async request => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || typeof request.body !== 'string') throw new Refusal('request.malformed')
      const event = cards.readEvent(request.body, signature)
      if (event === 'unsigned') throw new Refusal('request.malformed')
      const outcome = event ? await receiveEvent(world, cards, event) : 'other'
      world.metrics.cardEvents.inc({ outcome })
      if (outcome === 'unknown') throw new Refusal('request.not_found')
      return { code: 200, data: { received: true } }
    })
  })
}

/** Of another program, or of another installation, on the same account; or of a payment that this one does not know. */
type Outcome = 'heard' | 'repeated' | 'other' | 'foreign' | 'unknown'

async function receiveEvent(world: World, cards: CardNetwork, event: CardEvent): Promise<Outcome> {
  const { id, kind, intentId } = event
  const reference = await referenceOf(cards, event)
  // Somebody else's payment, made with the same account.
  if (!reference) return 'other'
  const scope = scopeOf(reference.businessUnitId)
  return world.database.asService(async whole => {
    const tx = within(whole, scope)
    // Refused without end, the network would stop telling us anything. Those without a mark are of before there was one: our own.
    if (reference.installation !== undefined && reference.installation !== (await installationOf(tx))) return 'foreign'
    const payment = await findPayment(tx, reference.paymentId)
    // A payment's row is older than its intent, so this one belongs to another database, or to this one's future: the network tells it again.
    if (!payment) return 'unknown'
    const fresh = await keepEvent(tx, { event_id: id, kind, intent_id: intentId, at: world.clock.now() })
    if (fresh) await world.outbox.publish(tx, paymentNotified, { paymentId: payment.id, kind })
    return fresh ? 'heard' : 'repeated'
  })
}

async function referenceOf(cards: CardNetwork, { intentId, reference }: CardEvent): Promise<PaymentReference | undefined> {
  if (reference !== 'ask') return reference
  try {
    return (await cards.retrieveIntent(intentId)).reference
  } catch (error) {
    // Told again later, it can be asked again.
    throw error instanceof OutcomeUnknown ? new Refusal('payment.unavailable', { retryAfter: 60 }) : error
  }
}
