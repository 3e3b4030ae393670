import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './account-schemas.ts'

const user = callsOf<typeof schemas>()('session')

export const updateMe = user<'updateMe'>('PUT', '/api/users/me')
export const changePassword = user<'changePassword'>('PUT', '/api/users/me/password')
export const mySessions = user<'mySessions'>('GET', '/api/users/me/sessions')
export const endMySession = user<'endMySession'>('DELETE', '/api/users/me/sessions/{uuid}')
export const endMyOtherSessions = user<'endMyOtherSessions'>('DELETE', '/api/users/me/sessions')
export const twoFactor = user<'twoFactor'>('GET', '/api/users/me/two-factor')
export const beginTwoFactor = user<'beginTwoFactor'>('POST', '/api/users/me/two-factor')
export const confirmTwoFactor = user<'confirmTwoFactor'>('POST', '/api/users/me/two-factor/confirm')
export const newRecoveryCodes = user<'newRecoveryCodes'>('POST', '/api/users/me/two-factor/recovery-codes')
export const endTwoFactor = user<'endTwoFactor'>('DELETE', '/api/users/me/two-factor')
