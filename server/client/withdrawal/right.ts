import { previewEnding } from '#common/changes/ending/cancel.ts'
import type { ClientPolicy } from '#common/client/calls.ts'
import { fromCents } from '#common/kit/money.ts'
import type { Loaded } from '#server/changes/public.ts'
import { wayOf } from './receipt.ts'

/** Returns what withdrawing gives back now, while a right runs. With a claim the insurer decides. */
export function withdrawIn({ policy, now }: Loaded, confirmTo: string): ClientPolicy['can']['withdraw'] {
  const { possible, right, refund, basis, routes, refusals } = previewEnding(policy, { as: 'withdrawal', version: policy.version }, now)
  if (!right || !(possible || refusals.some(({ code }) => code === 'withdraw.claimed'))) return null
  const until = right.until < policy.trip.endDate ? right.until : policy.trip.endDate
  return { until, refund: possible ? fromCents(refund) : null, basis, right: right.id, way: wayOf(routes), confirmTo }
}
