import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas/user.ts'

export const listUsers: Call<typeof schemas.listUsers, 'administration'> = {
  method: 'POST',
  path: '/api/administration/users/list',
  needs: 'administration',
}

export const viewUser: Call<typeof schemas.viewUser, 'administration'> = {
  method: 'GET',
  path: '/api/administration/users/{uuid}',
  needs: 'administration',
}

export const createUser: Call<typeof schemas.createUser, 'administration'> = {
  method: 'POST',
  path: '/api/administration/users',
  needs: 'administration',
}

export const changeUser: Call<typeof schemas.changeUser, 'administration'> = {
  method: 'PUT',
  path: '/api/administration/users/{uuid}',
  needs: 'administration',
}

export const endUserSessions: Call<typeof schemas.endUserSessions, 'administration'> = {
  method: 'POST',
  path: '/api/administration/users/{uuid}/end-sessions',
  needs: 'administration',
}

export const resetTwoFactor: Call<typeof schemas.resetTwoFactor, 'administration'> = {
  method: 'POST',
  path: '/api/administration/users/{uuid}/reset-two-factor',
  needs: 'administration',
}
