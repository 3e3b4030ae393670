import * as calls from '#common/session/calls.ts'
import type { Front } from '#server/kit/front.ts'
import { serve } from '#server/kit/serve.ts'
import { endSession } from '#server/session/sign-in/end-session.ts'
import { serveExternal } from './external/serve.ts'
import { forgotPassword } from '#server/session/password/forgot-password.ts'
import { login } from '#server/session/sign-in/login.ts'
import { openSession } from '#server/session/sign-in/open-session.ts'
import { resetPassword } from '#server/session/password/reset-password.ts'
import { usersMe } from './sign-in/users-me.ts'

export function serveSession(front: Front): void {
  const { world } = front
  serve(front, calls.login, login(world))
  serve(front, calls.openSession, openSession(world))
  serve(front, calls.endSession, endSession(world))
  serve(front, calls.forgotPassword, forgotPassword(world))
  serve(front, calls.resetPassword, resetPassword(world))
  serve(front, calls.usersMe, usersMe(world))
  serveExternal(front)
}
