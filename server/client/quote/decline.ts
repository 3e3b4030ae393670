import type * as calls from '#common/client/quote/calls.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { oneLine } from '#server/kit/mail-address.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { begunPaymentsOf, type PaymentRow } from '#server/payments/public.ts'
import { answerLink, giveNotice, isByClient, lockLink, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { type Reader, readerOf } from '../access.ts'
import { release } from './pay.ts'
import { quoteAnswered } from './prove.ts'
import { decisionOn, demandStanding, type Link, linkIn, stateOf } from './states.ts'

const action = 'client.quote_declined'

/** Declines all quotes of a link. A begun payment is cancelled at the network first; if it was paid, its quote is sold. */
export const declineQuotes =
  (sales: Sales): Handler<typeof calls.clientQuoteDecline> =>
  async input => {
    const { world } = sales
    const { database } = world
    const reader = await readerOf(world, input, action, input.ask.token)
    const name = nameIn(input.ask)
    const attempt = async (): Promise<ResponseSentOf<typeof calls.clientQuoteDecline>> => {
      const begun = await database.inScope(reader.scope, async tx => begunByClient(tx, await linkIn(tx, reader.linkId)))
      if (await release(sales, reader, begun)) return { state: 'done' }
      const state = await database.inScope(reader.scope, tx => answer(sales, tx, reader, { input, name }))
      return state ? { state } : attempt()
    }
    return attempt()
  }

/** Returns the payments that the client has begun. The first answer stands, and so does a sale by the agency, also one by card that it has begun. */
async function begunByClient(tx: UnitTx, link: Link): Promise<PaymentRow[]> {
  if (decisionOn(link)) return []
  const paying: string[] = []
  for (const quote of link.quotes) if (quote.status === 'pending' && (await isByClient(tx, quote))) paying.push(quote.id)
  return paying.length === 0 ? [] : begunPaymentsOf(tx, paying)
}

type Answering = { input: HandlerInput<typeof calls.clientQuoteDecline>; name: string }

/** Writes the answer, or returns none if a payment has begun since: it is cancelled first. */
async function answer({ world }: Sales, tx: UnitTx, reader: Reader, { input, name }: Answering) {
  const link = await linkIn(tx, reader.linkId, lockLink)
  const decision = decisionOn(link)
  if (decision) return decision === 'bought' ? ('done' as const) : decision
  demandStanding(link)
  if ((await begunByClient(tx, link)).length > 0) return undefined
  const at = world.clock.now()
  // Nothing of a quote that was sold, or is being sold, by the agency or another link, can be declined.
  const declined = link.quotes.filter(quote => ['open', 'expired'].includes(stateOf(quote, link, at)))
  if (declined.length === 0) throw new Refusal('request.conflict')
  await answerLink(tx, link.row.id, { decision: 'declined', reason: input.ask.reason ?? null, decided_at: at, answered_by: name })
  await audit(world, tx, input, { action, outcome: 'done', object: link.row.id })
  for (const quote of declined) {
    await recordEvent(world, tx, { policyId: quote.id, at, by: { userId: null, name: quote.taker }, what: 'quote_declined' })
    await giveNotice(tx, { user_id: quote.seller_id, policy_id: quote.id, kind: 'quote_declined', at })
  }
  await world.outbox.publish(tx, quoteAnswered, { linkId: link.row.id })
  return 'declined' as const
}

/** Returns the name of the person who declines, or refuses it. */
function nameIn(ask: { name: string }): string {
  const name = oneLine(ask.name)
  if (holdsCardNumber(name)) throw refuseFields([{ path: 'name', rule: 'cardNumber', key: 'policies.card_number' }])
  if (!/\p{L}/u.test(name)) throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
  return name
}
