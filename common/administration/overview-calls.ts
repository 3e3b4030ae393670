import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/overview.ts'

export const overview: Call<typeof schemas.overview, 'administration'> = {
  method: 'GET',
  path: '/api/administration/overview',
  needs: 'administration',
}
