import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
const view = calls('b2b-agency-view')
const update = calls('b2b-agency-update')
const viewUsers = calls('b2b-users-view')
const updateUsers = calls('b2b-users-update')

export const agency = view<'agency'>('GET', '/api/agency')
export const updateAgency = update<'updateAgency'>('PUT', '/api/agency')
export const agencyChanges = view<'agencyChanges'>('GET', '/api/agency/changes')
export const agencyUsers = viewUsers<'agencyUsers'>('GET', '/api/agency/users')
export const inviteUser = updateUsers<'inviteUser'>('POST', '/api/agency/users', { idempotent: true })
export const updateUser = updateUsers<'updateUser'>('PUT', '/api/agency/users/{uuid}')
export const inviteAgain = updateUsers<'inviteAgain'>('POST', '/api/agency/users/{uuid}/invite', { idempotent: true })
export const withdrawInvitation = updateUsers<'withdrawInvitation'>('DELETE', '/api/agency/users/{uuid}')
export const endUserSessions = updateUsers<'endUserSessions'>('POST', '/api/agency/users/{uuid}/end-sessions')
export const resetUserTwoFactor = updateUsers<'resetUserTwoFactor'>('POST', '/api/agency/users/{uuid}/reset-two-factor')
