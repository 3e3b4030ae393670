import { listPolicies, nearPolicies } from '#common/policies/calls.ts'
import { nearWord } from '#common/policies/near.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Row } from './list-params.ts'
import { isSendable } from './price-until.tsx'

/** `maySend`: documents of the first row can be sent. */
type Found = { rows: Row[]; areSimilar: boolean; maySend: boolean }

/** Returns the first five of each status. With `withSimilar` and if there are none, those with a similar word. */
export async function searchPolicies(statuses: string[], searchData: string, withSimilar: boolean, signal: AbortSignal): Promise<Found> {
  const pages = await Promise.all(statuses.map(statusTypeUuid => ask(listPolicies, { statusTypeUuid, searchData, perPage: 5 }, { signal })))
  const rows = pages.flatMap(({ policies }) => policies)
  if (rows.length > 0 || !withSimilar || nearWord(searchData) === undefined)
    return { rows, areSimilar: false, maySend: rows[0] !== undefined && isSendable(rows[0]) }
  return { rows: (await ask(nearPolicies, { searchData }, { signal })).policies, areSimilar: true, maySend: false }
}
