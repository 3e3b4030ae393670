import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/day.ts'

const calls = callsOf<typeof schemas>()
const member = calls('unit')
const view = calls('b2b-agency-view')

export const policyDay = member<'policyDay'>('GET', '/api/policy/day')
export const policySales = view<'policySales'>('GET', '/api/policy/sales')
