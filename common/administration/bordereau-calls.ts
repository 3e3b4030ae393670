import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/bordereau.ts'

export const listBordereaux: Call<typeof schemas.listBordereaux, 'administration'> = {
  method: 'POST',
  path: '/api/administration/bordereau/list',
  needs: 'administration',
}

export const prepareBordereau: Call<typeof schemas.prepareBordereau, 'administration'> = {
  method: 'POST',
  path: '/api/administration/bordereau',
  needs: 'administration',
}

export const releaseBordereau: Call<typeof schemas.releaseBordereau, 'administration'> = {
  method: 'POST',
  path: '/api/administration/bordereau/release',
  needs: 'administration',
}

export const bordereauFile: Call<typeof schemas.bordereauFile, 'administration'> = {
  method: 'POST',
  path: '/api/administration/bordereau/file',
  needs: 'administration',
}
