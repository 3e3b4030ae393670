import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/catalogue.ts'

export const catalogueVersions: Call<typeof schemas.catalogueVersions, 'administration'> = {
  method: 'GET',
  path: '/api/administration/catalogue',
  needs: 'administration',
}

export const catalogueChanges: Call<typeof schemas.catalogueChanges, 'administration'> = {
  method: 'GET',
  path: '/api/administration/catalogue/changes',
  needs: 'administration',
}
