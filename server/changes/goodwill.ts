import type * as calls from '#common/changes/calls.ts'
import { may } from '#common/kit/permissions.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput } from '#server/kit/serve.ts'
import { countRefusal } from '#server/session/public.ts'

type Input = HandlerInput<typeof calls.previewCancel | typeof calls.cancelPolicy>

/** Refuses goodwill (decision 54) to everyone but the administration, and counts the refusal in the audit. */
export async function demandGoodwill(world: World, input: Input): Promise<void> {
  const { ask, caller } = input
  if (!ask.goodwill || may(caller.unit.permissions, 'b2b-admin')) return
  await world.database.asService(tx =>
    countRefusal(world, tx, input, {
      action: 'policy.goodwill',
      object: ask.policyUuid.toLowerCase(),
      reason: 'session.forbidden b2b-admin',
    }),
  )
  throw new Refusal('session.forbidden')
}

/** Refuses a cancellation without a reason. The reason of goodwill is the note. */
export function demandReason({ as, reason, goodwill, note }: HandlerInput<typeof calls.cancelPolicy>['ask']): void {
  const missing = [...(as === 'withdrawal' || reason ? [] : ['reason']), ...(goodwill && !note?.trim() ? ['note'] : [])]
  if (missing.length > 0) throw refuseFields(missing.map(path => ({ path, rule: 'required', key: 'validation.required' })))
}
