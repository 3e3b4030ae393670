import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/overview.ts'

const call = callsOf<typeof schemas>()('administration')

export const overview = call<'overview'>('GET', '/api/administration/overview')
