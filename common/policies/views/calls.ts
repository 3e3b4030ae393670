import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

// The list decides which permission is needed, as for the list itself: sold policies need another than saved quotes.

export const policyViews: Call<typeof schemas.policyViews> = {
  method: 'POST',
  path: '/api/policy/views',
  needs: 'unit',
}

export const savePolicyView: Call<typeof schemas.savePolicyView> = {
  method: 'PUT',
  path: '/api/policy/views',
  needs: 'unit',
}

export const deletePolicyView: Call<typeof schemas.deletePolicyView> = {
  method: 'DELETE',
  path: '/api/policy/views',
  needs: 'unit',
}

export const policyAgents: Call<typeof schemas.policyAgents> = {
  method: 'POST',
  path: '/api/policy/agents',
  needs: 'unit',
}
