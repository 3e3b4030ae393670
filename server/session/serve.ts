import * as account from '#common/session/account-calls.ts'
import * as accountSchemas from '#common/session/account-schemas.ts'
import * as calls from '#common/session/calls.ts'
import * as invitations from '#common/session/invitation-calls.ts'
import * as schemas from '#common/session/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serve } from '#server/kit/serve.ts'
import { endSession } from '#server/session/sign-in/end-session.ts'
import { serveExternal } from './external/serve.ts'
import { forgotPassword } from '#server/session/password/forgot-password.ts'
import { login } from '#server/session/sign-in/login.ts'
import { openSession } from '#server/session/sign-in/open-session.ts'
import { resetPassword } from '#server/session/password/reset-password.ts'
import { acceptInvitation, invitation } from './invitation/accept.ts'
import { changePassword } from './profile/change-password.ts'
import { endMyOtherSessions, endMySession, mySessions } from './profile/sessions.ts'
import { updateMe } from './profile/update-me.ts'
import { beginTwoFactor, confirmTwoFactor, endTwoFactor, newRecoveryCodes, twoFactor } from './second-factor/manage.ts'
import { usersMe } from './sign-in/users-me.ts'

export function serveSession(context: AppContext): void {
  const { world } = context
  serve(context, calls.login, schemas.login, login(world))
  serve(context, calls.openSession, schemas.openSession, openSession(world))
  serve(context, calls.endSession, schemas.endSession, endSession(world))
  serve(context, calls.forgotPassword, schemas.forgotPassword, forgotPassword(world))
  serve(context, calls.resetPassword, schemas.resetPassword, resetPassword(world))
  serve(context, calls.usersMe, schemas.usersMe, usersMe(world))
  serve(context, account.updateMe, accountSchemas.updateMe, updateMe(world))
  serve(context, account.changePassword, accountSchemas.changePassword, changePassword(world))
  serve(context, account.mySessions, accountSchemas.mySessions, mySessions(world))
  serve(context, account.endMySession, accountSchemas.endMySession, endMySession(world))
  serve(context, account.endMyOtherSessions, accountSchemas.endMyOtherSessions, endMyOtherSessions(world))
  serve(context, account.twoFactor, accountSchemas.twoFactor, twoFactor(world))
  serve(context, account.beginTwoFactor, accountSchemas.beginTwoFactor, beginTwoFactor(world))
  serve(context, account.confirmTwoFactor, accountSchemas.confirmTwoFactor, confirmTwoFactor(world))
  serve(context, account.newRecoveryCodes, accountSchemas.newRecoveryCodes, newRecoveryCodes(world))
  serve(context, account.endTwoFactor, accountSchemas.endTwoFactor, endTwoFactor(world))
  serve(context, invitations.invitation, accountSchemas.invitation, invitation(world))
  serve(context, invitations.acceptInvitation, accountSchemas.acceptInvitation, acceptInvitation(world))
  serveExternal(context)
}
