import type * as calls from '#common/client/quote/calls.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { demandOffered, findPolicy, insertLink, isVisible, recordEvent, revokeLinks, sharedIn } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { quotePath } from '../access.ts'

/** Makes a link for a messenger. */
export const makeLink =
  (world: World): Handler<typeof calls.makeQuoteLink> =>
  async input => {
    const { ask, caller } = input
    return world.database.inScope(caller.unit.scope, async tx => {
      const now = world.clock.now()
      const policy = await findPolicy(tx, ask.policyUuid)
      if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
      await demandOffered(tx, policy, now)
      const opened = await sharedIn(tx, caller, policy, ask, now)
      const linkId = await insertLink(world, tx, { ...opened, userId: caller.userId, address: null })
      const path = await quotePath(world, tx, linkId, null)
      await recordEvent(world, tx, { policyId: policy.id, at: now, by: caller, what: 'quote_linked' })
      await audit(world, tx, input, { action: 'policy.quote_linked', outcome: 'done', object: policy.id })
      // Until the last of the prices ends.
      const until = new Date(Math.max(...opened.quotes.map(quote => quote.price_valid_until.getTime())))
      return { url: `${world.publicUrl()}${path}`, until: until.toISOString() }
    })
  }

/** Ends the links of a quote. What was bought keeps its page. */
export const revoke =
  (world: World): Handler<typeof calls.revokeQuoteLinks> =>
  async input => {
    const { ask, caller } = input
    return world.database.inScope(caller.unit.scope, async tx => {
      const policy = await findPolicy(tx, ask.policyUuid)
      if (!isVisible(caller, policy)) throw new Refusal('request.not_found')
      const at = world.clock.now()
      const revoked = await revokeLinks(tx, policy.id, at)
      if (revoked > 0) await recordEvent(world, tx, { policyId: policy.id, at, by: caller, what: 'quote_links_revoked' })
      await audit(world, tx, input, { action: 'policy.quote_links_revoked', outcome: 'done', object: policy.id })
      return { revoked }
    })
  }
