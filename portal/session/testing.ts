import { login } from '#common/session/calls.ts'
import { home } from '#common/session/redirect.ts'
import { origin } from '#portal/kit/testing.ts'
import { demoPassword } from '#server/session/testing.ts'

/** Signs a demo user in over the current page, as its dialog does when the session has ended. */
export async function signInAgain(email: string): Promise<void> {
  const { setSession } = await import('./session.ts')
  setSession((await openSessionOf(email)).user)
}

/** Returns the one-time token with which a sign-in returns to the portal. */
export async function tokenOf(email: string): Promise<string> {
  const { ask } = await import('#portal/kit/ask.ts')
  const { callback } = await ask(login, { email, password: demoPassword })
  return new URL(callback, origin).searchParams.get('token') ?? ''
}

async function openSessionOf(email: string) {
  const { exchangeToken } = await import('./open.ts')
  return exchangeToken(await tokenOf(email))
}

/** Signs a demo user in as the sign-in page does, and starts the portal. */
export async function signInTo(email: string): Promise<void> {
  const { start, restart } = await import('#portal/shell/start.ts')
  await openSessionOf(email)
  restart(true)
  if (!(await start(home, ''))) throw new Error(`${email} could not begin`)
}
