import type * as calls from '#common/client/calls.ts'
import type { ClientPolicy } from '#common/client/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import { Refusal } from '#common/kit/refusals.ts'
import { beginToPay, declineOffer, lastOfferOf, loadPolicy, offerIn, type OpenChangeRow, reportPaid } from '#server/changes/public.ts'
import type { UnitTx } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { findPolicy, type PolicyRow, type Sales } from '#server/policies/public.ts'
import { audit, type Where } from '#server/session/public.ts'
import { type Client, clientOf, demandSold, isHolder } from '../access.ts'
import { changesIn } from './shown.ts'

/** Finds the newest offer of the client's policy: that of the policyholder, or of the address that it was mailed to. */
async function offerOf(tx: UnitTx, policy: PolicyRow, client: Client, isOwn: boolean): Promise<OpenChangeRow | undefined> {
  const open = await lastOfferOf(tx, policy.id)
  return open && (isOwn || (client.recipientHash && open.offered_to?.equals(client.recipientHash))) ? open : undefined
}

/** Returns an offer that can be answered or that ended unanswered, while the policy is still as it was then. */
export async function offerToAnswer(tx: UnitTx, policy: PolicyRow, client: Client, isOwn: boolean): Promise<ClientPolicy['offer']> {
  const open = await offerOf(tx, policy, client, isOwn)
  const isCurrent = open && policy.status === 'purchased' && policy.version === open.from_version
  return isCurrent ? { locale: offerIn(open)?.locale ?? policy.locale } : null
}

type Input = Where & { ask: { token: string; changeUuid?: string } }

/** Reads the offer that a link may answer. One of another policy or address is refused like an unknown one. */
async function find(tx: UnitTx, client: Client, { ask }: Input): Promise<{ policy: PolicyRow; open: OpenChangeRow }> {
  const policy = demandSold(await findPolicy(tx, client.policyId))
  const open = await offerOf(tx, policy, client, await isHolder(tx, policy, client))
  if (!open || (ask.changeUuid && open.id !== ask.changeUuid.toLowerCase())) throw new Refusal('request.not_found')
  return { policy, open }
}

/** Shows an offer to the client. Every view is audited. */
export const showChange =
  (sales: Sales): Handler<typeof calls.clientChange> =>
  async input => {
    const { world } = sales
    const action = 'client.change_seen'
    const client = await clientOf(world, input, action, input.ask.token)
    return world.database.inScope(client.scope, async tx => {
      const { policy, open } = await find(tx, client, input)
      const now = world.clock.now()
      const loaded = await loadPolicy(tx, policy, { secrets: world.secrets, now, locale: input.locale })
      await audit(world, tx, input, { action, outcome: 'done', object: policy.id, details: { changeUuid: open.id } })
      return {
        changeUuid: open.id,
        // The offer may be over although nothing has ended it yet.
        state: !open.ended_at && now >= open.until ? ('expired' as const) : open.state,
        until: open.until.toISOString(),
        currency: policy.currency,
        charge: fromCents(open.difference_cents),
        changes: changesIn(world.secrets, open, loaded, input.locale),
      }
    })
  }

/** Begins to pay an offer, or makes the change that was paid. */
export const payChange =
  (sales: Sales): Handler<typeof calls.clientChangePay> =>
  async input => {
    const { client, answer } = await answerTo(sales, input, 'client.change_pay')
    const secret = input.ask.paymentIntentClientSecret
    return secret ? reportPaid(sales, client.scope, answer, secret) : beginToPay(sales, client.scope, answer)
  }

export const declineChange =
  (sales: Sales): Handler<typeof calls.clientChangeDecline> =>
  async input => {
    const { client, answer, policy } = await answerTo(sales, input, 'client.change_declined')
    return { state: await declineOffer(sales, client.scope, answer, policy.taker) }
  }

async function answerTo({ world }: Sales, input: Input, action: string) {
  const client = await clientOf(world, input, action, input.ask.token)
  const { policy, open } = await world.database.inScope(client.scope, tx => find(tx, client, input))
  return { client, policy, answer: { id: open.id, where: input, action } }
}
