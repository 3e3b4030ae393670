import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/bordereau.ts'

const call = callsOf<typeof schemas>()('administration')

export const listBordereaux = call<'listBordereaux'>('POST', '/api/administration/bordereau/list')
export const prepareBordereau = call<'prepareBordereau'>('POST', '/api/administration/bordereau')
export const releaseBordereau = call<'releaseBordereau'>('POST', '/api/administration/bordereau/release')
export const bordereauFile = call<'bordereauFile'>('POST', '/api/administration/bordereau/file')
