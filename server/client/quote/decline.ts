import type * as calls from '#common/client/quote/calls.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import { holdsCardNumber } from '#common/kit/validators/cards.ts'
import type { Handler } from '#server/kit/serve.ts'
import { begunPaymentsOf } from '#server/payments/public.ts'
import { answerLink, giveNotice, isByClient, lockLink, recordEvent, type Sales } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { readerOf } from '../access.ts'
import { release } from './pay.ts'
import { quoteAnswered } from './prove.ts'
import { decisionOn, linkIn, stateOf } from './states.ts'

const action = 'client.quote_declined'

/** Declines all quotes of a link. A begun payment is cancelled at the network first; if it was paid, its quote is sold. */
export const declineQuotes =
  (sales: Sales): Handler<typeof calls.clientQuoteDecline> =>
  async input => {
    const { world } = sales
    const { database } = world
    const reader = await readerOf(world, input, action, input.ask.token)
    const name = nameIn(input.ask)
    const { scope } = reader
    const begun = await database.inScope(scope, async tx => {
      const link = await linkIn(tx, reader.linkId)
      const quote = link.quotes.find(({ id }) => id === link.row.decided_policy)
      // The first answer stands, and so does a sale by the agency, also one by card that it has begun.
      if (decisionOn(link) || !quote || !(await isByClient(tx, quote))) return []
      return begunPaymentsOf(tx, [quote.id])
    })
    if (await release(sales, reader, begun)) return { state: 'done' }
    return database.inScope(scope, async tx => {
      const link = await linkIn(tx, reader.linkId, lockLink)
      const decision = decisionOn(link)
      if (decision) return { state: decision === 'bought' ? ('done' as const) : decision }
      const at = world.clock.now()
      await answerLink(tx, link.row.id, { decision: 'declined', reason: input.ask.reason ?? null, decided_at: at, answered_by: name })
      await audit(world, tx, input, { action, outcome: 'done', object: link.row.id })
      for (const quote of link.quotes) {
        const state = stateOf(quote, link, at)
        if (state !== 'open' && state !== 'expired') continue
        await recordEvent(world, tx, { policyId: quote.id, at, by: { userId: null, name: quote.taker }, what: 'quote_declined' })
        await giveNotice(tx, { user_id: quote.seller_id, policy_id: quote.id, kind: 'quote_declined', at })
      }
      await world.outbox.publish(tx, quoteAnswered, { linkId: link.row.id })
      return { state: 'declined' as const }
    })
  }

/** Returns the name of the person who declines, or refuses it. */
function nameIn(ask: { name: string }): string {
  const name = ask.name.trim()
  if (name === '') throw refuseFields([{ path: 'name', rule: 'required', key: 'validation.required' }])
  if (holdsCardNumber(name)) throw refuseFields([{ path: 'name', rule: 'cardNumber', key: 'policies.card_number' }])
  return name
}
