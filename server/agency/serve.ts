import * as calls from '#common/agency/calls.ts'
import * as schemas from '#common/agency/schemas.ts'
import type { Files } from '#server/documents/public.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { agency, agencyChanges } from './profile.ts'
import { updateAgency } from './update-agency.ts'
import { endUserSessions, resetUserTwoFactor } from './users/access.ts'
import { updateUser } from './users/change.ts'
import { inviteAgain, inviteUser, withdrawInvitation } from './users/invite.ts'
import { agencyUsers } from './users/list.ts'

export function serveAgency(front: Front, files: Files): void {
  const { world } = front
  serve(front, calls.agency, schemas.agency, agency(world))
  serve(front, calls.updateAgency, schemas.updateAgency, updateAgency(world, files))
  serve(front, calls.agencyChanges, schemas.agencyChanges, agencyChanges(world))
  serve(front, calls.agencyUsers, schemas.agencyUsers, agencyUsers(world))
  serve(front, calls.inviteUser, schemas.inviteUser, inviteUser(world))
  serve(front, calls.updateUser, schemas.updateUser, updateUser(world))
  serve(front, calls.inviteAgain, schemas.inviteAgain, inviteAgain(world))
  serve(front, calls.withdrawInvitation, schemas.withdrawInvitation, withdrawInvitation(world))
  serve(front, calls.endUserSessions, schemas.endUserSessions, endUserSessions(world))
  serve(front, calls.resetUserTwoFactor, schemas.resetUserTwoFactor, resetUserTwoFactor(world))
}
