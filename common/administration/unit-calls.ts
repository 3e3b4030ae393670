import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/unit.ts'

const call = callsOf<typeof schemas>()('administration')

export const listUnits = call<'listUnits'>('POST', '/api/administration/units/list')
export const viewUnit = call<'viewUnit'>('GET', '/api/administration/units/{uuid}')
export const createUnit = call<'createUnit'>('POST', '/api/administration/units')
export const changeUnit = call<'changeUnit'>('PUT', '/api/administration/units/{uuid}')
export const changeOffer = call<'changeOffer'>('PUT', '/api/administration/units/{uuid}/offer')
export const suspendUnit = call<'suspendUnit'>('POST', '/api/administration/units/{uuid}/suspend')
export const resumeUnit = call<'resumeUnit'>('POST', '/api/administration/units/{uuid}/resume')
