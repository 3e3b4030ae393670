import * as calls from '#common/agency/calls.ts'
import * as schemas from '#common/agency/schemas.ts'
import { type Files, logoLeftOut, type Renderer } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { removeLogo } from './logo/remove.ts'
import { agency, agencyChanges } from './profile.ts'
import { updateAgency } from './update-agency.ts'
import { endUserSessions, resetUserTwoFactor } from './users/access.ts'
import { updateUser } from './users/change.ts'
import { inviteAgain, inviteUser, withdrawInvitation } from './users/invite.ts'
import { agencyUsers } from './users/list.ts'

export function serveAgency(context: AppContext, files: Files, canDraw: Renderer['canDraw']): void {
  const { world } = context
  serve(context, calls.agency, schemas.agency, agency(world))
  serve(context, calls.updateAgency, schemas.updateAgency, updateAgency(world, files, canDraw))
  serve(context, calls.agencyChanges, schemas.agencyChanges, agencyChanges(world))
  serve(context, calls.agencyUsers, schemas.agencyUsers, agencyUsers(world))
  serve(context, calls.inviteUser, schemas.inviteUser, inviteUser(world))
  serve(context, calls.updateUser, schemas.updateUser, updateUser(world))
  serve(context, calls.inviteAgain, schemas.inviteAgain, inviteAgain(world))
  serve(context, calls.withdrawInvitation, schemas.withdrawInvitation, withdrawInvitation(world))
  serve(context, calls.endUserSessions, schemas.endUserSessions, endUserSessions(world))
  serve(context, calls.resetUserTwoFactor, schemas.resetUserTwoFactor, resetUserTwoFactor(world))
  world.outbox.subscribe(logoLeftOut, 'agency.logo_removed', removeLogo(world, files))
}
