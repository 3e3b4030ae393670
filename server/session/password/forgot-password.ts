import { onlyWithPasswords } from '#server/session/external/kind.ts'
import { Refusal } from '#common/kit/refusals.ts'
import type * as calls from '#common/session/calls.ts'
import { type ServiceTx, within } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import type { HandlerInput, Handler } from '#server/kit/serve.ts'
import { networkOf } from '#server/kit/http/http.ts'
import { audit, countRefusal } from '#server/session/audit.ts'
import { findUserByEmail, lockUser, unitToWrite } from '#server/session/queries.ts'
import { scopeOf } from '#server/session/scope.ts'
import { countAttempt } from '#server/session/sign-in/throttle.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'

const linkMinutes = 30
const mailsAnHour = 5
const action = 'session.forgot_password'

/** News that somebody wants a new password; the mail room hears of it and asks for the link itself, so that no job ever holds one. */
export const passwordForgotten = 'session.password_forgotten'

/**
 * Known address or not, the same statements are made and the same job is written before the reply, so it takes as long. What follows of it,
 * the mail or nothing, the job decides afterwards.
 */
export const forgotPassword =
  (world: World): Handler<typeof calls.forgotPassword> =>
  async asked => {
    onlyWithPasswords(world.config)
    const email = asked.ask.email.trim().toLowerCase()
    const { database } = world
    await database
      .asService(async tx => {
        await countAttempt(world, tx, { email, ip: asked.ip, kind: 'forgot' })
        await askForLink(world, tx, asked, email)
      })
      .catch(async (error: unknown) => {
        if (error instanceof Refusal) await database.asService(tx => countRefusal(world, tx, asked, { action, reason: error.code }))
        throw error
      })
    return { sent: true }
  }

async function askForLink(world: World, tx: ServiceTx, asked: HandlerInput<typeof calls.forgotPassword>, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email)
  const unit = await unitToWrite(tx, user?.id)
  if (!unit) return
  const { ip, userAgent, requestId, locale } = asked
  const userId = unit.isOwn ? user?.id : undefined
  await world.outbox.publish(within(tx, scopeOf(unit.id)), passwordForgotten, {
    userId,
    locale,
    network: networkOf(ip),
    userAgent,
    requestId,
  })
}

/** Whose link it is, if one may go out: to somebody who is known, and so many times an hour. The audit tells which. */
export async function linkWanted(world: World, tx: ServiceTx, payload: Record<string, unknown>): Promise<string | undefined> {
  const { userId, network, userAgent, requestId } = payload
  const where = { ip: String(network), userAgent: String(userAgent), requestId: String(requestId) }
  if (typeof userId !== 'string') {
    await countRefusal(world, tx, where, { action, reason: 'unknown' })
    return undefined
  }
  // Several of these jobs run at once: one after another counts the mails.
  await lockUser(tx, userId)
  const mails = (await mailedLately(world, tx, userId)) < mailsAnHour
  if (mails) await audit(world, tx, where, { action, outcome: 'done', userId })
  else await countRefusal(world, tx, where, { action, reason: 'request.too_many', userId })
  return mails ? userId : undefined
}

async function mailedLately(world: World, tx: ServiceTx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('action', '=', action)
    // What was refused was no mail: else whoever asks without end would keep the owner from ever getting one.
    .where('outcome', '=', 'done')
    .where('at', '>', new Date(world.clock.now().getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  return count
}

/** A single-use link to choose a password: for whoever forgot it, and for whoever is invited. */
export async function passwordLink(
  world: Pick<World, 'clock'>,
  tx: ServiceTx,
  userId: string,
  minutes = linkMinutes,
): Promise<{ path: string; minutes: number }> {
  const token = mintToken()
  const expires = new Date(world.clock.now().getTime() + minutes * 60_000)
  await tx
    .insertInto('one_time_tokens')
    .values({ token_hash: hashToken(token), purpose: 'password', user_id: userId, flow_hash: null, expires_at: expires })
    .execute()
  return { path: `/auth/reset#token=${token}`, minutes }
}
