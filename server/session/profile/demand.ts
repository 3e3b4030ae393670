import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { audit, type Where } from '#server/session/audit.ts'
import { isPassword } from '#server/session/password/passwords.ts'
import { findUserById } from '#server/session/queries.ts'
import { countAttempt, forgive } from '#server/session/sign-in/throttle.ts'

type CallerContext = Where & { caller: Caller }

/** Whoever changes what guards the account says the password again, as often as at the sign-in and no oftener. */
export async function demandPassword(
  world: World,
  asked: CallerContext,
  given: { path: string; password: string },
  action: string,
): Promise<void> {
  const { database } = world
  const { userId, email } = asked.caller
  const attempt = await database
    .asService(tx => countAttempt(world, tx, { email, ip: asked.ip }))
    .catch(error => tell(world, asked, action, error))
  const user = await database.asService(tx => findUserById(tx, userId))
  if (!(await isPassword(given.password, user?.password_hash)))
    return tell(world, asked, action, wrong('session.wrong_password', given.path))
  await database.asService(tx => forgive(tx, attempt))
}

/** A code of the second factor, likewise. The work gives nothing where the code was wrong. */
export async function demandCode<T>(
  world: World,
  asked: CallerContext,
  action: string,
  work: (tx: ServiceTx) => Promise<T | undefined>,
): Promise<T> {
  const { database } = world
  const { userId } = asked.caller
  const attempt = await database
    .asService(tx => countAttempt(world, tx, { email: `code of ${userId}`, ip: asked.ip }))
    .catch(error => tell(world, asked, action, error))
  const done = await database
    .asService(async tx => {
      const result = await work(tx)
      if (result !== undefined) await forgive(tx, attempt)
      return result
    })
    .catch(async (error: unknown) => {
      await database.asService(tx => forgive(tx, attempt))
      throw error
    })
  return done ?? tell(world, asked, action, wrong('session.wrong_code', 'code'))
}

const wrong = (code: 'session.wrong_password' | 'session.wrong_code', path: string): Refusal =>
  new Refusal(code, { fields: [{ path, rule: 'right', key: `refusal.${code}` }] })

async function tell(world: World, asked: CallerContext, action: string, error: unknown): Promise<never> {
  if (error instanceof Refusal) {
    const reason: RefusalCode = error.code
    await world.database.asService(tx => audit(world, tx, asked, { action, outcome: 'refused', reason, object: asked.caller.userId }))
  }
  throw error
}
