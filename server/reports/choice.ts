import type { RequestOf } from '#common/kit/call.ts'
import { refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/reports/calls.ts'
import type { Choice } from './tables.ts'

type Asked = Pick<RequestOf<typeof calls.runReport>, 'report' | 'groupBy' | 'filters' | 'format'>

/** Returns a request's choices in the form that is stored. */
export function choiceOf({ report, groupBy, filters, format }: Asked): Choice {
  if (report === 'deeds' && groupBy.length > 0) throw refuseFields([{ path: 'groupBy', rule: 'deeds', key: 'reports.deeds_ungrouped' }])
  const { productUuid, sellerUuid, way } = filters
  return {
    report,
    groupBy,
    filters: { ...(productUuid ? { productUuid } : {}), ...(sellerUuid ? { sellerUuid } : {}), ...(way ? { way } : {}) },
    format,
  }
}
