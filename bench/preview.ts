import type { changeTerms } from '#common/changes/calls.ts'
import { judgedChange } from '#common/changes/judged.ts'
import type { ResponseOf } from '#common/kit/call.ts'

type Parts = Parameters<typeof judgedChange>
/** A change that the desk judges, with the response of `POST /api/policy/change/terms`. */
export type Asked = { terms: ResponseOf<typeof changeTerms>; form: Parts[2]['form']; change: Parts[1]['change'] }

/** Computes the preview as the change desk does at each key. Returns the milliseconds of the first one and of each later one. */
export function timePreviews({ terms, form, change }: Asked, times: number): { first: number; each: number } {
  const { policy, now } = terms
  const preview = () => judgedChange(policy, { version: policy.version, change }, { now: { ...now, nameOf: String }, form })
  const began = performance.now()
  const { after, refusals } = preview()
  const first = performance.now() - began
  if (!after) throw new Error(`the change is refused: ${JSON.stringify(refusals.slice(0, 3))}`)
  for (let run = 0; run < times; run++) preview()
  const warm = performance.now()
  for (let run = 0; run < times; run++) preview()
  return { first, each: (performance.now() - warm) / times }
}
