import type { Call, ResponseOf } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

/** Clients have no session. A token from a link in their mail is sent in the body, so no address and no log ever holds it. */
const needs = 'nothing'

export const clientPolicy: Call<typeof schemas.clientPolicy, 'nothing'> = { method: 'POST', path: '/api/client/policy', needs }

export const clientChange: Call<typeof schemas.clientChange, 'nothing'> = { method: 'POST', path: '/api/client/change', needs }

export const clientChangePay: Call<typeof schemas.clientChangePay, 'nothing'> = { method: 'POST', path: '/api/client/change/pay', needs }

export const clientChangeDecline: Call<typeof schemas.clientChangeDecline, 'nothing'> = {
  method: 'POST',
  path: '/api/client/change/decline',
  needs,
}

export const clientFile: Call<typeof schemas.clientFile, 'nothing'> = { method: 'POST', path: '/api/client/file', needs }

export const clientWithdraw: Call<typeof schemas.clientWithdraw, 'nothing'> = {
  method: 'POST',
  path: '/api/client/withdraw',
  needs,
  idempotent: true,
}

export const clientRequest: Call<typeof schemas.clientRequest, 'nothing'> = {
  method: 'POST',
  path: '/api/client/request',
  needs,
  idempotent: true,
}

export const clientFind: Call<typeof schemas.clientFind, 'nothing'> = { method: 'POST', path: '/api/client/find', needs }

export type ClientPolicy = ResponseOf<typeof clientPolicy>
export type ClientChange = ResponseOf<typeof clientChange>
export type Receipt = ResponseOf<typeof clientWithdraw>
