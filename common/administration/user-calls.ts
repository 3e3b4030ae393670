import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas/user.ts'

const call = callsOf<typeof schemas>()('administration')

export const listUsers = call<'listUsers'>('POST', '/api/administration/users/list')
export const viewUser = call<'viewUser'>('GET', '/api/administration/users/{uuid}')
export const createUser = call<'createUser'>('POST', '/api/administration/users')
export const changeUser = call<'changeUser'>('PUT', '/api/administration/users/{uuid}')
export const endUserSessions = call<'endUserSessions'>('POST', '/api/administration/users/{uuid}/end-sessions')
export const resetTwoFactor = call<'resetTwoFactor'>('POST', '/api/administration/users/{uuid}/reset-two-factor')
