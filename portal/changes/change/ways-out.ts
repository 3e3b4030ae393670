import type { Refused } from '#common/changes/refusals.ts'
import type { Terms } from '../terms.ts'

/** What the agent can do instead of a refused change: cancel and sell anew in one step, or ask customer service. */
export type WayOut = 'sell_anew' | 'ask'

/** A form's problem is mended in its field. Everything else has another way, as far as the policy has one. */
export function wayOut({ code }: Pick<Refused, 'code'>, { can }: Pick<Terms, 'can'>): WayOut | undefined {
  if (code === 'validation.failed' || hasNone.has(code)) return undefined
  if (byService.has(code)) return 'ask'
  return can.some(({ action }) => action === 'cancel') ? 'sell_anew' : 'ask'
}

const hasNone = new Set(['change.nothing', 'change.stale', 'change.pending', 'change.cancelled'])

/** A new policy would not help: the trip has begun or is over, there is a claim, or the list is closed. */
const byService = new Set(['change.started', 'change.ended', 'change.claimed', 'change.names_closed'])
