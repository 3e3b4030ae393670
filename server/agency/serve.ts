import * as calls from '#common/agency/calls.ts'
import * as schemas from '#common/agency/schemas.ts'
import { type Files, logoLeftOut, type Renderer } from '#server/documents/public.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { removeLogo } from './logo/remove.ts'
import { agency, agencyChanges } from './profile.ts'
import { updateAgency } from './update-agency.ts'
import { endUserSessions, resetUserTwoFactor } from './users/access.ts'
import { updateUser } from './users/change.ts'
import { inviteAgain, inviteUser, withdrawInvitation } from './users/invite.ts'
import { agencyUsers } from './users/describe.ts'

export function serveAgency(context: AppContext, files: Files, canDraw: Renderer['canDraw']): void {
  const { world } = context
  serveAll(context, calls, schemas, {
    agency: agency(world),
    updateAgency: updateAgency(world, files, canDraw),
    agencyChanges: agencyChanges(world),
    agencyUsers: agencyUsers(world),
    inviteUser: inviteUser(world),
    updateUser: updateUser(world),
    inviteAgain: inviteAgain(world),
    withdrawInvitation: withdrawInvitation(world),
    endUserSessions: endUserSessions(world),
    resetUserTwoFactor: resetUserTwoFactor(world),
  })
  world.outbox.subscribe(logoLeftOut, 'agency.logo_removed', removeLogo(world, files))
}
