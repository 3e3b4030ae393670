import type { Call } from '#common/kit/call.ts'
import type * as deeds from './schemas/deeds.ts'
import type * as schemas from './schemas/changes.ts'

const needs = 'b2b-policies-change'

/** The input of the rules of changes, by which the browser computes a preview at every key. */
export const changeTerms: Call<typeof schemas.changeTerms> = { method: 'POST', path: '/api/policy/change/terms', needs }

export const previewChange: Call<typeof schemas.previewChange> = { method: 'POST', path: '/api/policy/change/preview', needs }

export const previewCancel: Call<typeof schemas.previewCancel> = { method: 'POST', path: '/api/policy/cancel/preview', needs }

export const previewReinstate: Call<typeof schemas.previewReinstate> = { method: 'POST', path: '/api/policy/reinstate/preview', needs }

/** Each is made on the version that the caller saw, and refuses with a new preview if its money is another. */
export const makeChange: Call<typeof deeds.makeChange> = { method: 'POST', path: '/api/policy/change', needs, idempotent: true }

/** Reports that a change which waits for its payment by card is paid. Repeated calls get the same reply. */
export const payChange: Call<typeof deeds.payChange> = { method: 'POST', path: '/api/policy/change/pay', needs }

/** Returns such a change with the secret by which it is paid: for another card, or after a reload. */
export const openChange: Call<typeof deeds.openChange> = { method: 'POST', path: '/api/policy/change/open', needs }

export const takeBackChange: Call<typeof deeds.takeBackChange> = {
  method: 'POST',
  path: '/api/policy/change/take-back',
  needs,
  idempotent: true,
}

export const undoChange: Call<typeof deeds.undoChange> = { method: 'POST', path: '/api/policy/change/undo', needs, idempotent: true }

export const cancelPolicy: Call<typeof deeds.cancelPolicy> = { method: 'POST', path: '/api/policy/cancel', needs, idempotent: true }

export const reinstatePolicy: Call<typeof deeds.reinstatePolicy> = {
  method: 'POST',
  path: '/api/policy/reinstate',
  needs,
  idempotent: true,
}

export const policyVersions: Call<typeof deeds.policyVersions> = {
  method: 'POST',
  path: '/api/policy/versions',
  needs: 'b2b-policies-sold-view',
}
