import type { UnitTx } from '#server/kit/database.ts'
import { unsentRefunds } from '#server/payments/public.ts'
import { giveNotice, type Made, type PolicyRow, recordEvent, type Waits } from '#server/policies/public.ts'
import { noRequest } from '#server/session/public.ts'
import { writeMovement } from '../movement.ts'
import { type Loaded, loadPolicy } from '../load.ts'
import { movementById, type MovementRow, movementTo, openChangeOfPayment, type OpenChangeRow } from '../queries.ts'
import type { Step } from '../write.ts'
import { endOpen, endUnmade, stepIn } from './open.ts'
import { filesOf } from '../reply.ts'

/** How a change waits for its card payment. Money for a change that can no longer be made ends it, and the policy stays as it was. */
export const changeWaits: Waits<Made & { movement: MovementRow }> = {
  numbered: false,
  async find(sales, tx, { policy, payment }) {
    const { world } = sales
    const open = await openChangeOfPayment(tx, payment.id)
    if (!open) return undefined
    const now = world.clock.now()
    const step = stepIn(world.secrets, open)
    let reading: Promise<Loaded> | undefined
    const load = () => (reading ??= loadPolicy(tx, policy, { secrets: world.secrets, now, locale: policy.locale }))
    return {
      async made() {
        const movement = await movementById(tx, open.id)
        if (!movement) throw new Error('a settled change has a movement')
        return { policy, files: await filesOf(sales, tx, policy, movement.to_version), movement }
      },
      isOver: async () => open.state !== 'awaiting_payment' || now >= open.until,
      whyNotOnAccount: async () => 'policy.not_purchasable',
      async isLate() {
        if (payment.state !== 'open' || !step || now >= open.until || policy.version !== open.from_version) return true
        const { claimed } = (await load()).policy
        if (claimed && open.kind !== 'reinstatement') return true
        return step.stopped > 0 && (await unsentCents(tx, policy, now)) < step.stopped
      },
      async leave() {
        if (open.state === 'awaiting_payment') await endUnmade(world, tx, open, { state: 'expired', now })
      },
      async write(evidence) {
        if (evidence.by !== 'card' || !step) throw new Error('a change waits for a card payment')
        const { id, user_id: userId, user_name: name, request_key: requestKey } = open
        await endOpen(tx, open, 'done', now)
        if (open.offered_to) {
          await recordEvent(world, tx, { policyId: policy.id, at: now, by: { userId: null, name: policy.taker }, what: 'change_accepted' })
          await giveNotice(tx, { user_id: userId, policy_id: policy.id, kind: 'offer_paid', at: now })
        }
        return writeMovement(sales, tx, {
          id,
          row: policy,
          loaded: await load(),
          step: fromPayment(step, open, now),
          asked: askedOf(open),
          by: { userId, name },
          where: evidence.where ?? noRequest,
          requestKey,
          now,
          paid: { payment, intent: evidence.intent },
        })
      },
    }
  },
}

/** Returns the step that is made now. The waiting time of more cancellation cover counts from the payment. */
const fromPayment = (step: Step, open: OpenChangeRow, now: Date): Step =>
  step.waitUntil === null ? step : { ...step, waitUntil: step.waitUntil + now.getTime() - open.at.getTime() }

/** Returns the request without the address of an offer, which goes when the offer ends, as a movement is kept for ever. */
function askedOf({ asked, offered_to }: OpenChangeRow): Record<string, unknown> {
  const { settle, ...kept } = asked ?? {}
  return offered_to ? kept : { ...kept, settle }
}

async function unsentCents(tx: UnitTx, { id, version }: PolicyRow, now: Date): Promise<number> {
  const former = await movementTo(tx, id, version)
  const unsent = former ? await unsentRefunds(tx, former.id, now) : []
  return unsent.reduce((sum, { amount_cents: cents }) => sum + cents, 0)
}
