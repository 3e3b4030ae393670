import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const products: Call<typeof schemas.products> = {
  method: 'POST',
  path: '/api/products',
  needs: 'unit',
}
