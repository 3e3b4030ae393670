import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/people.ts'

export const knownPeople: Call<typeof schemas.knownPeople> = {
  method: 'POST',
  path: '/api/people',
  // Also needs a permission to see sold policies, saved quotes, or both.
  needs: 'b2b-products-sell',
}

export const alreadyInsured: Call<typeof schemas.alreadyInsured> = {
  method: 'POST',
  path: '/api/policy/insured',
  // Also needs the permission to see sold policies. Without it the response is empty.
  needs: 'b2b-products-sell',
}

export const knownCompanions: Call<typeof schemas.knownCompanions> = {
  method: 'POST',
  path: '/api/people/companions',
  // Also needs the permission to see sold policies. Without it the response is empty.
  needs: 'b2b-products-sell',
}
