import * as account from '#common/session/account-calls.ts'
import * as accountSchemas from '#common/session/account-schemas.ts'
import * as calls from '#common/session/calls.ts'
import * as schemas from '#common/session/schemas.ts'
import type { Front } from '#server/kit/front.ts'
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

export function serveSession(front: Front): void {
  const { world } = front
  serve(front, calls.login, schemas.login, login(world))
  serve(front, calls.openSession, schemas.openSession, openSession(world))
  serve(front, calls.endSession, schemas.endSession, endSession(world))
  serve(front, calls.forgotPassword, schemas.forgotPassword, forgotPassword(world))
  serve(front, calls.resetPassword, schemas.resetPassword, resetPassword(world))
  serve(front, calls.usersMe, schemas.usersMe, usersMe(world))
  serve(front, account.updateMe, accountSchemas.updateMe, updateMe(world))
  serve(front, account.changePassword, accountSchemas.changePassword, changePassword(world))
  serve(front, account.mySessions, accountSchemas.mySessions, mySessions(world))
  serve(front, account.endMySession, accountSchemas.endMySession, endMySession(world))
  serve(front, account.endMyOtherSessions, accountSchemas.endMyOtherSessions, endMyOtherSessions(world))
  serve(front, account.twoFactor, accountSchemas.twoFactor, twoFactor(world))
  serve(front, account.beginTwoFactor, accountSchemas.beginTwoFactor, beginTwoFactor(world))
  serve(front, account.confirmTwoFactor, accountSchemas.confirmTwoFactor, confirmTwoFactor(world))
  serve(front, account.newRecoveryCodes, accountSchemas.newRecoveryCodes, newRecoveryCodes(world))
  serve(front, account.endTwoFactor, accountSchemas.endTwoFactor, endTwoFactor(world))
  serve(front, account.invitation, accountSchemas.invitation, invitation(world))
  serve(front, account.acceptInvitation, accountSchemas.acceptInvitation, acceptInvitation(world))
  serveExternal(front)
}
