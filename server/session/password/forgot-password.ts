import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { Refusal } from '#common/kit/refusals.ts'
import * as calls from '#common/session/calls.ts'
import { type ServiceTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler, HandlerInput } from '#server/kit/serve.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { notifyAccessChange } from '#server/session/profile/access-notices.ts'
import {
  endSessionsOf,
  findUserByEmail,
  insertToken,
  lockUser,
  senderUnit,
  updateUser,
  useToken,
  voidLinksOf,
} from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { rememberDevice } from '#server/session/second-factor/devices.ts'
import { countAttempt } from '#server/session/sign-in/throttle.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'
import { hashPassword, refuseGuessable } from './passwords.ts'

const linkMinutes = 30
const mailsAnHour = 5
const action = 'session.forgot_password'

/** The outbox message that a user forgot the password. The mail feature then requests the link itself, so no job holds one. */
export const passwordForgotten = 'session.password_forgotten'

/**
 * Accepts a request for a reset link. Known and unknown addresses cost the same statements and the same job.
 * Response times thus reveal nothing. The job decides later whether a mail goes out.
 */
export const forgotPassword =
  (world: World): Handler<typeof calls.forgotPassword> =>
  async input => {
    onlyWithPasswords(world.config)
    const email = input.ask.email.trim().toLowerCase()
    const { database } = world
    await database
      .asService(async tx => {
        await countAttempt(world, tx, { email, ip: input.ip, kind: 'forgot' })
        await requestLink(world, tx, input, email)
      })
      .catch(async (error: unknown) => {
        if (error instanceof Refusal) await database.asService(tx => countRefusal(world, tx, input, { action, reason: error.code }))
        throw error
      })
    return { sent: true }
  }

async function requestLink(world: World, tx: ServiceTx, input: HandlerInput<typeof calls.forgotPassword>, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email)
  const unit = await senderUnit(tx, user?.id)
  if (!unit) return
  const { ip, userAgent, requestId, locale } = input
  const userId = unit.isOwn ? user?.id : undefined
  await world.outbox.publish(within(tx, scopeOf(unit.id)), passwordForgotten, {
    userId,
    locale,
    network: networkOf(ip),
    userAgent,
    requestId,
  })
}

/** Returns the user who gets the reset link, or undefined if the address is unknown or had too many. The audit states which. */
export async function resetLinkUser(world: World, tx: ServiceTx, payload: Record<string, unknown>): Promise<string | undefined> {
  const { userId, network, userAgent, requestId } = payload
  const where = { ip: String(network), userAgent: String(userAgent), requestId: String(requestId) }
  if (typeof userId !== 'string') {
    await countRefusal(world, tx, where, { action, reason: 'unknown' })
    return undefined
  }
  // Several such jobs run at once. The lock makes each count the mails of the ones before.
  await lockUser(tx, userId)
  const mails = (await recentMails(world, tx, userId)) < mailsAnHour
  if (mails) await audit(world, tx, where, { action, outcome: 'done', userId })
  else await countRefusal(world, tx, where, { action, reason: 'request.too_many', userId })
  return mails ? userId : undefined
}

async function recentMails(world: World, tx: ServiceTx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('action', '=', action)
    // Refused requests sent no mail. If they counted, a flood would keep the owner from ever getting one.
    .where('outcome', '=', 'done')
    .where('at', '>', new Date(world.realTime.now().getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  return count
}

/** Creates a single-use link to choose a password, after it was forgotten or with an invitation. */
export async function passwordLink(
  world: Pick<World, 'realTime'>,
  tx: ServiceTx,
  userId: string,
  minutes = linkMinutes,
): Promise<{ path: string; minutes: number }> {
  const token = mintToken()
  const expires = new Date(world.realTime.now().getTime() + minutes * 60_000)
  await insertToken(tx, { token_hash: hashToken(token), purpose: 'password', user_id: userId, flow_hash: null, expires_at: expires })
  return { path: `/auth/reset#token=${token}`, minutes }
}

/** Sets a new password by a mailed link. It ends all sessions of the user and voids all other links. */
export const resetPassword =
  (world: World): Handler<typeof calls.resetPassword> =>
  async input => {
    onlyWithPasswords(world.config)
    const hash = await hashPassword(input.ask.password)
    const now = world.realTime.now()
    const changed = await world.database.asService(async tx => {
      const used = await useToken(tx, { hash: hashToken(input.ask.token), purpose: 'password', now })
      if (!used) {
        await countRefusal(world, tx, input, { action: 'session.reset_password', reason: 'session.bad_token' })
        return false
      }
      await refuseGuessable(tx, used.userId, input.ask.password)
      await audit(world, tx, input, { action: 'session.reset_password', outcome: 'done', userId: used.userId })
      await updateUser(tx, used.userId, { password_hash: hash })
      await endSessionsOf(tx, used.userId, now)
      await voidLinksOf(tx, used.userId, now)
      // The device becomes known, so an owner gets in while others guess codes. Reading the mail proved whose browser this is.
      await rememberDevice(world, tx, input.cookies, used.userId, 'mail')
      await notifyAccessChange(world, tx, input, used.userId, 'password_link')
      return true
    })
    world.metrics.signIns.inc({ event: changed ? 'session.reset_password' : 'session.bad_token' })
    if (!changed) throw new Refusal('session.bad_token')
    return { changed: true }
  }
