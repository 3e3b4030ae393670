import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/policy.ts'

const calls = callsOf<typeof schemas>()
const sell = calls('b2b-products-sell')
const member = calls('unit')

export const registerPolicy = sell<'registerPolicy'>('POST', '/api/policy/register', { idempotent: true })
export const uploadPolicyFile = sell<'uploadPolicyFile'>('POST', '/api/policy/files', { idempotent: true })
export const dropPolicyFile = sell<'dropPolicyFile'>('DELETE', '/api/policy/files')
export const purchasePolicy = sell<'purchasePolicy'>('POST', '/api/policy/purchase', { idempotent: true })
export const deletePolicy = sell<'deletePolicy'>('DELETE', '/api/policy')
export const restorePolicy = sell<'restorePolicy'>('POST', '/api/policy/restore')

// The status decides the permission: sold policies need another one than saved quotes.
export const listPolicies = member<'listPolicies'>('POST', '/api/policy/list')
export const policyTotals = member<'policyTotals'>('POST', '/api/policy/totals')

/** Returns policies of any status that the caller may see. */
export const nearPolicies = member<'nearPolicies'>('POST', '/api/policy/near')

export const policyDetail = member<'policyDetail'>('POST', '/api/policy/detail')
export const sendCertificates = member<'sendCertificates'>('POST', '/api/policy/sendCertificates', { idempotent: true })
