import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const call = callsOf<typeof schemas>()('unit')

// The list decides the permission, as for the list itself: sold policies need another one than saved quotes.

export const policyViews = call<'policyViews'>('POST', '/api/policy/views')
export const savePolicyView = call<'savePolicyView'>('PUT', '/api/policy/views')
export const deletePolicyView = call<'deletePolicyView'>('DELETE', '/api/policy/views')
export const policyAgents = call<'policyAgents'>('POST', '/api/policy/agents')
