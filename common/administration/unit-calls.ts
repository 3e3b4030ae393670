import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/unit.ts'

export const listUnits: Call<typeof schemas.listUnits, 'administration'> = {
  method: 'POST',
  path: '/api/administration/units/list',
  needs: 'administration',
}

export const viewUnit: Call<typeof schemas.viewUnit, 'administration'> = {
  method: 'GET',
  path: '/api/administration/units/{uuid}',
  needs: 'administration',
}

export const createUnit: Call<typeof schemas.createUnit, 'administration'> = {
  method: 'POST',
  path: '/api/administration/units',
  needs: 'administration',
}

export const changeUnit: Call<typeof schemas.changeUnit, 'administration'> = {
  method: 'PUT',
  path: '/api/administration/units/{uuid}',
  needs: 'administration',
}

export const changeOffer: Call<typeof schemas.changeOffer, 'administration'> = {
  method: 'PUT',
  path: '/api/administration/units/{uuid}/offer',
  needs: 'administration',
}

export const suspendUnit: Call<typeof schemas.suspendUnit, 'administration'> = {
  method: 'POST',
  path: '/api/administration/units/{uuid}/suspend',
  needs: 'administration',
}

export const resumeUnit: Call<typeof schemas.resumeUnit, 'administration'> = {
  method: 'POST',
  path: '/api/administration/units/{uuid}/resume',
  needs: 'administration',
}
