import type { Call } from '#common/kit/call.ts'
import type * as schemas from './schemas.ts'

export const agency: Call<typeof schemas.agency> = {
  method: 'GET',
  path: '/api/agency',
  needs: 'b2b-agency-view',
}

export const updateAgency: Call<typeof schemas.updateAgency> = {
  method: 'PUT',
  path: '/api/agency',
  needs: 'b2b-agency-update',
}

export const agencyChanges: Call<typeof schemas.agencyChanges> = {
  method: 'GET',
  path: '/api/agency/changes',
  needs: 'b2b-agency-view',
}

export const agencyUsers: Call<typeof schemas.agencyUsers> = {
  method: 'GET',
  path: '/api/agency/users',
  needs: 'b2b-users-view',
}

export const inviteUser: Call<typeof schemas.inviteUser> = {
  method: 'POST',
  path: '/api/agency/users',
  needs: 'b2b-users-update',
  idempotent: true,
}

export const updateUser: Call<typeof schemas.updateUser> = {
  method: 'PUT',
  path: '/api/agency/users/{uuid}',
  needs: 'b2b-users-update',
}

export const inviteAgain: Call<typeof schemas.inviteAgain> = {
  method: 'POST',
  path: '/api/agency/users/{uuid}/invite',
  needs: 'b2b-users-update',
  idempotent: true,
}

export const withdrawInvitation: Call<typeof schemas.withdrawInvitation> = {
  method: 'DELETE',
  path: '/api/agency/users/{uuid}',
  needs: 'b2b-users-update',
}

export const endUserSessions: Call<typeof schemas.endUserSessions> = {
  method: 'POST',
  path: '/api/agency/users/{uuid}/end-sessions',
  needs: 'b2b-users-update',
}

export const resetUserTwoFactor: Call<typeof schemas.resetUserTwoFactor> = {
  method: 'POST',
  path: '/api/agency/users/{uuid}/reset-two-factor',
  needs: 'b2b-users-update',
}
