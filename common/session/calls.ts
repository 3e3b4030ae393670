import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const login: Call<typeof schemas.login, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/login',
  needs: 'nothing',
}

export const openSession: Call<typeof schemas.openSession, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/session',
  needs: 'nothing',
}

export const endSession: Call<typeof schemas.endSession, 'session'> = {
  method: 'DELETE',
  path: '/api/auth/session',
  needs: 'session',
}

export const forgotPassword: Call<typeof schemas.forgotPassword, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/password/forgot',
  needs: 'nothing',
}

export const resetPassword: Call<typeof schemas.resetPassword, 'nothing'> = {
  method: 'POST',
  path: '/api/auth/password/reset',
  needs: 'nothing',
}

export const usersMe: Call<typeof schemas.usersMe, 'session'> = {
  method: 'GET',
  path: '/api/users/me',
  needs: 'session',
}
