import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/catalogue.ts'

const call = callsOf<typeof schemas>()('administration')

export const catalogueVersions = call<'catalogueVersions'>('GET', '/api/administration/catalogue')
export const catalogueChanges = call<'catalogueChanges'>('GET', '/api/administration/catalogue/changes')
