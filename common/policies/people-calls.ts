import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/people.ts'

export const knownPeople: Call<typeof schemas.knownPeople> = {
  method: 'POST',
  path: '/api/people',
  // Also needs a permission to see sold policies, saved quotes, or both.
  needs: 'b2b-products-sell',
}
