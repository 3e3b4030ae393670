import type { Call } from '#common/kit/call.ts'
import type * as schemas from './account-schemas.ts'

export const updateMe: Call<typeof schemas.updateMe, 'session'> = {
  method: 'PUT',
  path: '/api/users/me',
  needs: 'session',
}

export const changePassword: Call<typeof schemas.changePassword, 'session'> = {
  method: 'PUT',
  path: '/api/users/me/password',
  needs: 'session',
}

export const mySessions: Call<typeof schemas.mySessions, 'session'> = {
  method: 'GET',
  path: '/api/users/me/sessions',
  needs: 'session',
}

export const endMySession: Call<typeof schemas.endMySession, 'session'> = {
  method: 'DELETE',
  path: '/api/users/me/sessions/{uuid}',
  needs: 'session',
}

export const endMyOtherSessions: Call<typeof schemas.endMyOtherSessions, 'session'> = {
  method: 'DELETE',
  path: '/api/users/me/sessions',
  needs: 'session',
}

export const twoFactor: Call<typeof schemas.twoFactor, 'session'> = {
  method: 'GET',
  path: '/api/users/me/two-factor',
  needs: 'session',
}

export const beginTwoFactor: Call<typeof schemas.beginTwoFactor, 'session'> = {
  method: 'POST',
  path: '/api/users/me/two-factor',
  needs: 'session',
}

export const confirmTwoFactor: Call<typeof schemas.confirmTwoFactor, 'session'> = {
  method: 'POST',
  path: '/api/users/me/two-factor/confirm',
  needs: 'session',
}

export const newRecoveryCodes: Call<typeof schemas.newRecoveryCodes, 'session'> = {
  method: 'POST',
  path: '/api/users/me/two-factor/recovery-codes',
  needs: 'session',
}

export const endTwoFactor: Call<typeof schemas.endTwoFactor, 'session'> = {
  method: 'DELETE',
  path: '/api/users/me/two-factor',
  needs: 'session',
}

export const invitation: Call<typeof schemas.invitation, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/invitation',
  needs: 'nothing',
}

export const acceptInvitation: Call<typeof schemas.acceptInvitation, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/invitation/accept',
  needs: 'nothing',
}
