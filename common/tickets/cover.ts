import { displayDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'
import type { CoverGroup } from '#common/products/cover.ts'

/** The groups of covers of a policy, its insured period, and the day of its sale. Undefined groups mean that its cover is unknown. */
export type Insured = { groups: readonly CoverGroup[] | undefined; soldOn: string; startDate: string; endDate: string }

type ClaimKind = { covers?: readonly CoverGroup[] | undefined; beforeTrip?: true | undefined }

/** False if it is certain that a product with these groups of covers covers no such claim. */
export const mayCover = ({ covers }: ClaimKind, groups: Insured['groups']): boolean =>
  !covers || !groups || covers.some(group => groups.includes(group))

/** Returns why an incident seems to be outside the cover: its kind or its date. The agent can file such a claim after confirming. */
export function outsideCover(kind: ClaimKind, incidentDate: string, insured: Insured): Problem[] {
  const { groups, soldOn, startDate, endDate } = insured
  const from = kind.beforeTrip && soldOn < startDate ? soldOn : startDate
  const isWithin = from <= incidentDate && incidentDate <= endDate
  const period = { from: displayDate(from) ?? from, to: displayDate(endDate) ?? endDate }
  return [
    ...(mayCover(kind, groups) ? [] : [{ path: 'typeUuid', rule: 'cover', key: 'tickets.outside_kind' }]),
    ...(isWithin ? [] : [{ path: 'incidentDate', rule: 'cover', key: 'tickets.outside_dates', params: period }]),
  ]
}
