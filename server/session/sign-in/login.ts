import type * as calls from '#common/session/calls.ts'
import { home, safeRedirect } from '#common/session/redirect.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Cookies, Handler } from '#server/kit/serve.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { setFlow } from '#server/session/cookies.ts'
import { isPassword } from '#server/session/password/passwords.ts'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { findUserByEmail, insertToken } from '#server/session/queries.ts'
import { checkSecondFactor } from '#server/session/second-factor/codes.ts'
import { deviceOf, rememberDevice, sourceOf } from '#server/session/second-factor/devices.ts'
import { countAsCode, countAttempt, forgive } from './throttle.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'

const tokenSeconds = 60

/**
 * Exchanges email and password for the callback's address. The response never states which of them was wrong.
 * The code of a second factor comes in the same request, so there is no half-open session to abuse.
 */
export const login =
  (world: World): Handler<typeof calls.login> =>
  async input => {
    onlyWithPasswords(world.config)
    const email = input.ask.email.trim().toLowerCase()
    const device = deviceOf(world.config, input.cookies)
    const attempt = await world.database
      .asService(tx => countAttempt(world, tx, { email, ip: input.ip, device }))
      .catch(error => refuse(world, input, error))
    const user = await world.database.asService(tx => findUserByEmail(tx, email))
    const right = await isPassword(input.ask.password, user?.password_hash)
    if (!user || !right) return refuse(world, input, new Refusal('session.bad_credentials'), user?.id)
    const signIn = async (tx: ServiceTx) => {
      const source = await sourceOf(tx, user.id, device)
      const passed = await checkSecondFactor(world, tx, { userId: user.id, code: input.ask.code, source })
      await (passed === 'wrong' ? countAsCode(tx, attempt) : forgive(tx, attempt))
      if (passed === 'wanted') return 'session.code_needed'
      if (passed === 'wrong') return 'session.bad_code'
      if (passed === 'right') await rememberDevice(world, tx, input.cookies, user.id, 'code')
      await audit(world, tx, input, { action: 'session.login', outcome: 'done', userId: user.id })
      return { callback: await openCallback(world, tx, input.cookies, user, allowedRedirect(world, input.origin, input.ask.redirect)) }
    }
    const outcome = await world.database.asService(signIn).catch(async (error: unknown) => {
      if (error instanceof Refusal) await world.database.asService(tx => countAsCode(tx, attempt))
      return refuse(world, input, error, user.id)
    })
    return typeof outcome === 'string' ? refuse(world, input, new Refusal(outcome), user.id) : outcome
  }

/** Ties a one-time token to this browser and returns the address that exchanges it. Every way to sign in ends here. */
export async function openCallback(
  world: World,
  tx: ServiceTx,
  cookies: Cookies,
  user: { id: string; email: string },
  target: string,
): Promise<string> {
  const token = mintToken()
  const flow = mintToken()
  const now = world.realTime.now()
  const expires = new Date(now.getTime() + tokenSeconds * 1000)
  await insertToken(tx, {
    token_hash: hashToken(token),
    purpose: 'sign-in',
    user_id: user.id,
    flow_hash: hashToken(flow),
    expires_at: expires,
  })
  setFlow(world.config, cookies, flow)
  const query = new URLSearchParams({ token, email: user.email, loggedIn: 'true' })
  if (target !== home) query.set('redirect', target)
  return `/auth/callback?${query.toString()}`
}

export const allowedRedirect = (world: World, origin: string, redirect: unknown): string =>
  safeRedirect(redirect, origin, world.config.REDIRECT_ORIGINS)

async function refuse(world: World, input: Parameters<typeof audit>[2], error: unknown, userId?: string): Promise<never> {
  if (error instanceof Refusal) {
    world.metrics.signIns.inc({ event: error.code })
    await world.database.asService(tx => countRefusal(world, tx, input, { action: 'session.login', userId, reason: error.code }))
  }
  throw error
}
