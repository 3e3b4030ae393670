import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const settings: Call<typeof schemas.settings> = {
  method: 'GET',
  path: '/api/business-unit/settings',
  needs: 'unit',
}
