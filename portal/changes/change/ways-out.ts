import type { Refused } from '#common/changes/refusals.ts'
import type { Terms } from '../terms.ts'

/** The agent's choice when a change is refused: to cancel and sell anew in one step, or to ask customer service. */
export type WayOut = 'sell_anew' | 'ask'

/** Returns the way out of a refusal, if the policy has one. A form's problem needs none, as it is corrected in its field. */
export function wayOut({ code }: Pick<Refused, 'code'>, { can }: Pick<Terms, 'can'>): WayOut | undefined {
  if (code === 'validation.failed' || hasNone.has(code)) return undefined
  if (byService.has(code)) return 'ask'
  return can.some(({ action }) => action === 'cancel') ? 'sell_anew' : 'ask'
}

const hasNone = new Set(['change.nothing', 'change.stale', 'change.pending', 'change.cancelled'])

/** A new policy would not help: the trip has begun or is over, there is a claim, or the list of names is closed. */
const byService = new Set(['change.started', 'change.ended', 'change.claimed', 'change.names_closed'])
