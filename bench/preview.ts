import type { changeTerms } from '#common/changes/calls.ts'
import { judgedChange } from '#common/changes/change.ts'
import type { ResponseOf } from '#common/kit/call.ts'

type Parts = Parameters<typeof judgedChange>
/** A change that the desk validates, with the response of `POST /api/policy/change/terms`. */
export type Asked = { terms: ResponseOf<typeof changeTerms>; form: Parts[2]['form']; change: Parts[1]['change'] }

/**
 * Computes the preview as the change desk does at each key. Returns the milliseconds of the first one, and the median of the later ones. Other work
 * of the machine rarely interrupts a single one, but would count in a mean.
 */
export function timePreviews({ terms, form, change }: Asked, times: number): { first: number; half: number } {
  const { policy, now } = terms
  const timed = () => {
    const began = performance.now()
    const { after, refusals } = judgedChange(policy, { version: policy.version, change }, { now: { ...now, countryName: String }, form })
    const ms = performance.now() - began
    if (!after) throw new Error(`the change is refused: ${JSON.stringify(refusals.slice(0, 3))}`)
    return ms
  }
  const first = timed()
  const later = Array.from({ length: times }, timed).toSorted((a, b) => a - b)
  return { first, half: later[Math.floor(times / 2)] ?? Number.NaN }
}
