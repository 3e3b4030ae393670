import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const getFile: Call<typeof schemas.getFile> = {
  method: 'GET',
  path: '/api/files/{uuid}',
  needs: 'unit',
}
