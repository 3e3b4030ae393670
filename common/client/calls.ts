import type { ResponseOf } from '#common/kit/call.ts'
import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

/** Clients have no session. The token from a link in their email is sent in the body, so that no URL and no log contains it. */
const call = callsOf<typeof schemas>()('nothing')

export const clientPolicy = call<'clientPolicy'>('POST', '/api/client/policy')
export const clientChange = call<'clientChange'>('POST', '/api/client/change')
export const clientChangePay = call<'clientChangePay'>('POST', '/api/client/change/pay')
export const clientChangeDecline = call<'clientChangeDecline'>('POST', '/api/client/change/decline')
export const clientFile = call<'clientFile'>('POST', '/api/client/file')
export const clientWithdraw = call<'clientWithdraw'>('POST', '/api/client/withdraw', { idempotent: true })
export const clientRequest = call<'clientRequest'>('POST', '/api/client/request', { idempotent: true })
export const clientFind = call<'clientFind'>('POST', '/api/client/find')

export type ClientPolicy = ResponseOf<typeof clientPolicy>
export type ClientChange = ResponseOf<typeof clientChange>
export type Receipt = ResponseOf<typeof clientWithdraw>
