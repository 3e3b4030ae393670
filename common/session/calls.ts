import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './schemas.ts'

const calls = callsOf<typeof schemas>()
const anyone = calls('nothing')
const user = calls('session')

export const login = anyone<'login'>('POST', '/api/auth/login')
export const openSession = anyone<'openSession'>('POST', '/api/auth/session')
export const endSession = user<'endSession'>('DELETE', '/api/auth/session')
export const forgotPassword = anyone<'forgotPassword'>('POST', '/api/auth/password/forgot')
export const resetPassword = anyone<'resetPassword'>('POST', '/api/auth/password/reset')
export const usersMe = user<'usersMe'>('GET', '/api/users/me')
