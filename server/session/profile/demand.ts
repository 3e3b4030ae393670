import { Refusal, type RefusalCode } from '#common/kit/refusals.ts'
import type { Caller } from '#server/kit/caller.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'
import { audit, type Where } from '#server/session/audit.ts'
import { isPassword } from '#server/session/password/passwords.ts'
import { findUserById } from '#server/session/queries.ts'
import { countAttempt, forgive } from '#server/session/sign-in/throttle.ts'

type CallerContext = Where & { caller: Caller }

/** Throws unless the user's current password is right. Attempts are limited as at sign-in. */
export async function demandPassword(
  world: World,
  input: CallerContext,
  current: { path: string; password: string },
  action: string,
): Promise<void> {
  const { database } = world
  const { userId, email } = input.caller
  const attempt = await database
    .asService(tx => countAttempt(world, tx, { email, ip: input.ip }))
    .catch(error => auditRefusal(world, input, action, error))
  const user = await database.asService(tx => findUserById(tx, userId))
  if (!(await isPassword(current.password, user?.password_hash)))
    return auditRefusal(world, input, action, wrong('session.wrong_password', current.path))
  await database.asService(tx => forgive(tx, attempt))
}

/** Does the work if the second factor's code is right, and throws if not. The work returns undefined for a wrong code. */
export async function demandCode<T>(
  world: World,
  input: CallerContext,
  action: string,
  work: (tx: ServiceTx) => Promise<T | undefined>,
): Promise<T> {
  const { database } = world
  const { userId } = input.caller
  const attempt = await database
    .asService(tx => countAttempt(world, tx, { email: `code of ${userId}`, ip: input.ip }))
    .catch(error => auditRefusal(world, input, action, error))
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
  return done ?? auditRefusal(world, input, action, wrong('session.wrong_code', 'code'))
}

const wrong = (code: 'session.wrong_password' | 'session.wrong_code', path: string): Refusal =>
  new Refusal(code, { fields: [{ path, rule: 'right', key: `refusal.${code}` }] })

async function auditRefusal(world: World, input: CallerContext, action: string, error: unknown): Promise<never> {
  if (error instanceof Refusal) {
    const reason: RefusalCode = error.code
    await world.database.asService(tx => audit(world, tx, input, { action, outcome: 'refused', reason, object: input.caller.userId }))
  }
  throw error
}
