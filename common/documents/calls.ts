import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('unit')

export const getFile = call<'getFile'>('GET', '/api/files/{uuid}')
