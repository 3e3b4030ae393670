import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/day.ts'

export const policyDay: Call<typeof schemas.policyDay> = {
  method: 'GET',
  path: '/api/policy/day',
  needs: 'unit',
}

export const policySales: Call<typeof schemas.policySales> = {
  method: 'GET',
  path: '/api/policy/sales',
  needs: 'b2b-agency-view',
}
