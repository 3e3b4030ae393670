import { listPolicies } from '#common/policies/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import type { Row } from './list-params.ts'

/** Returns the first five of each status. */
export async function searchPolicies(statuses: string[], searchData: string, signal: AbortSignal): Promise<Row[]> {
  const pages = await Promise.all(statuses.map(statusTypeUuid => ask(listPolicies, { statusTypeUuid, searchData, perPage: 5 }, { signal })))
  return pages.flatMap(({ policies }) => policies)
}
