import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/people.ts'

export const knownPeople: Call<typeof schemas.knownPeople> = {
  method: 'POST',
  path: '/api/people',
  // And the permission to see policies: those of sold ones, of budgets, or of both.
  needs: 'b2b-products-sell',
}
