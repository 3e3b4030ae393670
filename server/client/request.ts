import type { clientRequest } from '#common/client/calls.ts'
import { longestWish } from '#common/client/wish.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import { messageProblems } from '#common/tickets/ticket.ts'
import type { Handler } from '#server/kit/serve.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { World } from '#server/kit/app-context.ts'
import { addressOf, findHolder, lockPolicy } from '#server/policies/public.ts'
import { audit } from '#server/session/public.ts'
import { canFileForClient, fileForClient, ticketsOfPolicySince, wordsOf } from '#server/tickets/public.ts'
import { clientOf, demandAll, demandSold } from './access.ts'

const action = 'client.request'
const mostADay = 5
const dayMs = 86_400_000

/** Files a client's wish for a change as a request on the policy, which its seller sees. A repeated key files one. */
export const requestChange =
  (world: World): Handler<typeof clientRequest> =>
  async input => {
    const { ask, idempotencyKey, locale } = input
    const client = await clientOf(world, input, action, ask.token)
    const description = ask.description.trim()
    const problems = messageProblems(description, 'description', longestWish)
    if (problems.length > 0) throw refuseFields(problems)
    return world.database.inScope(client.scope, async tx => {
      const policy = demandSold(await lockPolicy(tx, client.policyId))
      await demandAll(tx, policy, client)
      const holder = await findHolder(tx, policy)
      const email = addressOf(holder)
      if (policy.status !== 'purchased' || !email || !(await canFileForClient(tx))) throw new Refusal('request.conflict')
      const id = idempotencyKey === undefined ? world.ids.next() : stableId('client request', policy.id, idempotencyKey)
      const since = new Date(world.clock.now().getTime() - dayMs)
      const ticket = await fileForClient(world, tx, {
        id,
        typeKey: 'change',
        subject: world.words(locale)('client.request.subject', { number: policy.number ?? '' }),
        description,
        policy,
        contact: { name: policy.taker, email, phone: [holder?.phone_prefix, holder?.phone_number].filter(Boolean).join(' ') },
        locale,
        confirms: true,
      })
      if (wordsOf(world.secrets, ticket).description !== description) throw new Refusal('idempotency.mismatch')
      if ((await ticketsOfPolicySince(tx, policy.id, since)) > mostADay) throw new Refusal('request.too_many', { retryAfter: 3600 })
      await audit(world, tx, input, { action, outcome: 'done', object: policy.id, details: { ticketUuid: ticket.id } })
      return { ticketUuid: ticket.id, reference: ticket.reference }
    })
  }
