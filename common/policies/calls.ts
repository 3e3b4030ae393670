import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/policy.ts'

export const registerPolicy: Call<typeof schemas.registerPolicy> = {
  method: 'POST',
  path: '/api/policy/register',
  needs: 'b2b-products-sell',
  idempotent: true,
}

export const uploadPolicyFile: Call<typeof schemas.uploadPolicyFile> = {
  method: 'POST',
  path: '/api/policy/files',
  needs: 'b2b-products-sell',
  idempotent: true,
}

export const dropPolicyFile: Call<typeof schemas.dropPolicyFile> = {
  method: 'DELETE',
  path: '/api/policy/files',
  needs: 'b2b-products-sell',
}

export const purchasePolicy: Call<typeof schemas.purchasePolicy> = {
  method: 'POST',
  path: '/api/policy/purchase',
  needs: 'b2b-products-sell',
  idempotent: true,
}

export const deletePolicy: Call<typeof schemas.deletePolicy> = {
  method: 'DELETE',
  path: '/api/policy',
  needs: 'b2b-products-sell',
}

export const restorePolicy: Call<typeof schemas.restorePolicy> = {
  method: 'POST',
  path: '/api/policy/restore',
  needs: 'b2b-products-sell',
}

export const listPolicies: Call<typeof schemas.listPolicies> = {
  method: 'POST',
  path: '/api/policy/list',
  // The status decides: sold policies need another permission than saved quotes.
  needs: 'unit',
}

export const policyTotals: Call<typeof schemas.policyTotals> = {
  method: 'POST',
  path: '/api/policy/totals',
  // As for the list.
  needs: 'unit',
}

export const policyDetail: Call<typeof schemas.policyDetail> = {
  method: 'POST',
  path: '/api/policy/detail',
  needs: 'unit',
}

export const sendCertificates: Call<typeof schemas.sendCertificates> = {
  method: 'POST',
  path: '/api/policy/sendCertificates',
  needs: 'unit',
  idempotent: true,
}
