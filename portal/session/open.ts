import { login } from '#common/session/calls.ts'
import { ask } from '#portal/kit/ask.ts'
import { holdSession, type SessionUser } from './session.ts'
import { openWith } from './sign-out.ts'

/** Signs in without leaving the page: the same two steps that the callback's address takes. */
export async function signInHere(email: string, password: string, code: string | undefined): Promise<SessionUser> {
  const { callback } = await ask(login, { email, password, ...(code ? { code } : {}) })
  const token = new URL(callback, window.location.origin).searchParams.get('token') ?? ''
  const { user } = await openWith(token)
  holdSession(user)
  return user
}
