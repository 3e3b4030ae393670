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
import { findUserByEmail } from '#server/session/queries.ts'
import { passSecondFactor } from '#server/session/second-factor/codes.ts'
import { deviceOf, rememberDevice, sourceOf } from '#server/session/second-factor/devices.ts'
import { countAsCode, countAttempt, forgive } from './throttle.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'

const tokenSeconds = 60

/**
 * E-mail and password for the address of the callback. What is wrong with them is never told. Where there is a second factor, its code comes
 * with them: there is no half session in between that could be used for anything.
 */
export const login =
  (world: World): Handler<typeof calls.login> =>
  async asked => {
    onlyWithPasswords(world.config)
    const email = asked.ask.email.trim().toLowerCase()
    const device = deviceOf(world.config, asked.cookies)
    const attempt = await world.database
      .asService(tx => countAttempt(world, tx, { email, ip: asked.ip, device }))
      .catch(error => refuse(world, asked, error))
    const user = await world.database.asService(tx => findUserByEmail(tx, email))
    const right = await isPassword(asked.ask.password, user?.password_hash)
    if (!user || !right) return refuse(world, asked, new Refusal('session.bad_credentials'), user?.id)
    const signIn = async (tx: ServiceTx) => {
      const source = await sourceOf(tx, user.id, device)
      const passed = await passSecondFactor(world, tx, { userId: user.id, code: asked.ask.code, source })
      await (passed === 'wrong' ? countAsCode(tx, attempt) : forgive(tx, attempt))
      if (passed === 'wanted') return 'session.code_needed'
      if (passed === 'wrong') return 'session.bad_code'
      if (passed === 'right') await rememberDevice(world, tx, asked.cookies, user.id, 'code')
      await audit(world, tx, asked, { action: 'session.login', outcome: 'done', userId: user.id })
      return { callback: await openCallback(world, tx, asked.cookies, user, allowedRedirect(world, asked.origin, asked.ask.redirect)) }
    }
    const outcome = await world.database.asService(signIn).catch(async (error: unknown) => {
      if (error instanceof Refusal) await world.database.asService(tx => countAsCode(tx, attempt))
      return refuse(world, asked, error, user.id)
    })
    return typeof outcome === 'string' ? refuse(world, asked, new Refusal(outcome), user.id) : outcome
  }

/** Ties a one-time token to this browser, and gives the address that exchanges it. Every way of signing in ends here. */
export async function openCallback(
  world: World,
  tx: ServiceTx,
  cookies: Cookies,
  user: { id: string; email: string },
  target: string,
): Promise<string> {
  const token = mintToken()
  const flow = mintToken()
  const now = world.clock.now()
  const expires = new Date(now.getTime() + tokenSeconds * 1000)
  await tx
    .insertInto('one_time_tokens')
    .values({ token_hash: hashToken(token), purpose: 'sign-in', user_id: user.id, flow_hash: hashToken(flow), expires_at: expires })
    .execute()
  setFlow(world.config, cookies, flow)
  const query = new URLSearchParams({ token, email: user.email, loggedIn: 'true' })
  if (target !== home) query.set('redirect', target)
  return `/auth/callback?${query.toString()}`
}

export const allowedRedirect = (world: World, origin: string, redirect: unknown): string =>
  safeRedirect(redirect, origin, world.config.REDIRECT_ORIGINS)

async function refuse(world: World, asked: Parameters<typeof audit>[2], error: unknown, userId?: string): Promise<never> {
  if (error instanceof Refusal) {
    world.metrics.signIns.inc({ event: error.code })
    await world.database.asService(tx => countRefusal(world, tx, asked, { action: 'session.login', userId, reason: error.code }))
  }
  throw error
}
