import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/audit.ts'

const call = callsOf<typeof schemas>()('administration')

export const listAudit = call<'listAudit'>('POST', '/api/administration/audit/list')
export const exportAudit = call<'exportAudit'>('POST', '/api/administration/audit/export')
