import { setTimeout as delay } from 'node:timers/promises'
import { onlyWithPasswords } from '#server/session/external/kind.ts'
import type * as calls from '#common/session/calls.ts'
import type { Tx } from '#server/kit/database.ts'
import type { World } from '#server/kit/front.ts'
import type { Asked, Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/audit.ts'
import { findUserByEmail, homeUnit } from '#server/session/rows.ts'
import { scopeOf } from '#server/session/scope.ts'
import { hashToken, mintToken } from '#server/session/tokens.ts'

/** Known address or not, the reply is the same and comes no sooner than this. */
const leastMs = 150
const linkMinutes = 30
const mailsAnHour = 5

/** News that somebody wants a new password; the mail room hears of it and asks for the link itself, so that no job ever holds one. */
export const passwordForgotten = 'session.password_forgotten'

export const forgotPassword =
  (world: World): Handler<typeof calls.forgotPassword> =>
  async asked => {
    onlyWithPasswords(world.config)
    await Promise.all([world.database.asService(tx => askForLink(world, tx, asked)), delay(leastMs)])
    return { sent: true }
  }

async function askForLink(world: World, tx: Tx, asked: Asked<typeof calls.forgotPassword>): Promise<void> {
  const user = await findUserByEmail(tx, asked.ask.email.trim().toLowerCase())
  const unit = user && (await homeUnit(tx, user.id))
  const lately = user ? await askedLately(world, tx, user.id) : 0
  const mails = user && unit && lately < mailsAnHour
  await audit(world, tx, asked, { action: 'session.forgot_password', outcome: mails ? 'done' : 'refused', userId: user?.id })
  if (mails) await world.outbox.publish(tx, scopeOf(unit.business_unit_id), passwordForgotten, { userId: user.id, locale: asked.locale })
}

async function askedLately(world: World, tx: Tx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('audit')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('action', '=', 'session.forgot_password')
    // What was refused was no mail: else whoever asks without end would keep the owner from ever getting one.
    .where('outcome', '=', 'done')
    .where('at', '>', new Date(world.clock.now().getTime() - 3_600_000))
    .executeTakeFirstOrThrow()
  return count
}

/** A single-use link to choose a password: for whoever forgot it, and for whoever is invited. */
export async function passwordLink(
  world: Pick<World, 'clock'>,
  tx: Tx,
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
