import { callsOf } from '#common/kit/calls-of.ts'
import type * as schemas from './account-schemas.ts'

// Separate from the calls of the account, which the page of an invitation does not load.
const anyone = callsOf<typeof schemas>()('nothing')

export const invitation = anyone<'invitation'>('POST', '/api/auth/invitation')
export const acceptInvitation = anyone<'acceptInvitation'>('POST', '/api/auth/invitation/accept')
