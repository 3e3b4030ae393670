import type { ResponseOf } from '#common/kit/call.ts'
import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/policy.ts'

const call = callsOf<typeof schemas>()('nothing')

export const verifyPolicy = call<'verifyPolicy'>('POST', '/api/verify')

export type Validity = ResponseOf<typeof verifyPolicy>['validity']
