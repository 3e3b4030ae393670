import { displayDate } from '#common/kit/dates.ts'
import type { Problem } from '#common/kit/problems.ts'

/** The insured period of a policy, and the day of its sale. */
export type Insured = { product: string; soldOn: string; startDate: string; endDate: string }

type ClaimKind = { coveredBy?: readonly string[] | undefined; beforeTrip?: true | undefined }

/** Returns why an incident seems to be outside the cover: its kind or its date. Such a claim is filed if the agent confirms. */
export function outsideCover({ coveredBy, beforeTrip }: ClaimKind, incidentDate: string, insured: Insured): Problem[] {
  const { product, soldOn, startDate, endDate } = insured
  const from = beforeTrip && soldOn < startDate ? soldOn : startDate
  const isCovered = !coveredBy || coveredBy.includes(product)
  const isWithin = from <= incidentDate && incidentDate <= endDate
  const period = { from: displayDate(from) ?? from, to: displayDate(endDate) ?? endDate }
  return [
    ...(isCovered ? [] : [{ path: 'typeUuid', rule: 'cover', key: 'tickets.outside_kind' }]),
    ...(isWithin ? [] : [{ path: 'incidentDate', rule: 'cover', key: 'tickets.outside_dates', params: period }]),
  ]
}
