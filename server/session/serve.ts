import * as account from '#common/session/account-calls.ts'
import * as accountSchemas from '#common/session/account-schemas.ts'
import * as calls from '#common/session/calls.ts'
import * as invitations from '#common/session/invitation-calls.ts'
import * as schemas from '#common/session/schemas.ts'
import type { AppContext } from '#server/kit/app-context.ts'
import { serveAll } from '#server/kit/serve.ts'
import { serveExternal } from './external/serve.ts'
import { forgotPassword, resetPassword } from '#server/session/password/forgot-password.ts'
import { login } from '#server/session/sign-in/login.ts'
import { endSession, openSession } from '#server/session/sign-in/open-session.ts'
import { acceptInvitation, invitation } from './invitation/accept.ts'
import { endMyOtherSessions, endMySession, mySessions } from './profile/sessions.ts'
import { changePassword, updateMe } from './profile/update-me.ts'
import { beginTwoFactor, confirmTwoFactor, endTwoFactor, newRecoveryCodes, twoFactor } from './second-factor/manage.ts'
import { usersMe } from './sign-in/users-me.ts'

export function serveSession(context: AppContext): void {
  const { world } = context
  serveAll(
    context,
    { ...calls, ...account, ...invitations },
    { ...schemas, ...accountSchemas },
    {
      login: login(world),
      openSession: openSession(world),
      endSession: endSession(world),
      forgotPassword: forgotPassword(world),
      resetPassword: resetPassword(world),
      usersMe: usersMe(world),
      updateMe: updateMe(world),
      changePassword: changePassword(world),
      mySessions: mySessions(world),
      endMySession: endMySession(world),
      endMyOtherSessions: endMyOtherSessions(world),
      twoFactor: twoFactor(world),
      beginTwoFactor: beginTwoFactor(world),
      confirmTwoFactor: confirmTwoFactor(world),
      newRecoveryCodes: newRecoveryCodes(world),
      endTwoFactor: endTwoFactor(world),
      invitation: invitation(world),
      acceptInvitation: acceptInvitation(world),
    },
  )
  serveExternal(context)
}
