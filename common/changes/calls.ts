import { callsOf } from '#common/kit/calls-of.ts'
import type * as movements from './schemas/movements.ts'
import type * as schemas from './schemas/changes.ts'

const calls = callsOf<typeof schemas & typeof movements>()
const change = calls('b2b-policies-change')
const viewSold = calls('b2b-policies-sold-view')
const sell = calls('b2b-products-sell')

/** The input of the rules of changes, with which the browser computes a preview at every key. */
export const changeTerms = change<'changeTerms'>('POST', '/api/policy/change/terms')

export const previewChange = change<'previewChange'>('POST', '/api/policy/change/preview')
export const previewCancel = change<'previewCancel'>('POST', '/api/policy/cancel/preview')
export const previewReinstate = change<'previewReinstate'>('POST', '/api/policy/reinstate/preview')

/** Each change is based on the version that the caller saw. If its amounts differ, it is refused with a new preview. */
export const makeChange = change<'makeChange'>('POST', '/api/policy/change', { idempotent: true })

/** Reports that a change waiting for its card payment is paid. Repeated calls return the same response. */
export const payChange = change<'payChange'>('POST', '/api/policy/change/pay')

/** Returns a change that waits for payment with its payment secret: for another card, or after a reload. */
export const openChange = change<'openChange'>('POST', '/api/policy/change/open')

export const takeBackChange = change<'takeBackChange'>('POST', '/api/policy/change/take-back', { idempotent: true })
export const undoChange = change<'undoChange'>('POST', '/api/policy/change/undo', { idempotent: true })
export const cancelPolicy = change<'cancelPolicy'>('POST', '/api/policy/cancel', { idempotent: true })
export const reinstatePolicy = change<'reinstatePolicy'>('POST', '/api/policy/reinstate', { idempotent: true })
export const policyVersions = viewSold<'policyVersions'>('POST', '/api/policy/versions')

/** Saves the next term of a policy as a quote. A policy has one renewal, which a later call returns again. */
export const renewPolicy = sell<'renewPolicy'>('POST', '/api/policy/renew', { idempotent: true })
