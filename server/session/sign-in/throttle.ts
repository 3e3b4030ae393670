import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import { networkOf } from '#server/kit/limits/network.ts'
import type { FailureKind } from '#server/session/tables.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'

const windowMinutes = 15
/**
 * The most failures in the window: per address and network, per network, and per address.
 * The last does not apply to forgotten passwords. Strangers could lock the owner out, and mails have a limit of their own.
 */
const limits = { pair: 10, network: 100, address: 100 }

export type Attempt = { id: string }

type SignInAttempt = { email: string; ip: string; kind?: 'password' | 'forgot'; device?: Buffer | undefined }

/**
 * Counts an attempt as failed before the password is checked; `forgive` undoes it. Concurrent attempts thus stay within the limit. The
 * database holds the counts, so they survive restarts and several nodes share them. An attacked user still gets in from a network of an
 * earlier sign-in or in a known browser (devices.ts).
 * Wrong codes with the right password count for the network only, since counting the address would lock out its owner.
 */
export async function countAttempt(world: World, tx: ServiceTx, { email, ip, kind = 'password', device }: SignInAttempt): Promise<Attempt> {
  const now = world.realTime.now()
  const since = new Date(now.getTime() - windowMinutes * 60_000)
  const network = networkOf(ip)
  const emailHash = createHash('sha256').update(email).digest()
  for (const key of [`${kind} network ${network}`, `${kind} ${email}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
  const kinds: FailureKind[] = kind === 'forgot' ? ['forgot'] : ['password', 'code']
  const counts = await tx
    .selectFrom('sign_in_failures')
    .where('at', '>', since)
    .where('kind', 'in', kinds)
    .where(row => row.or([row('email_hash', '=', emailHash), row('network', '=', network)]))
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere('email_hash', '=', emailHash).filterWhere('network', '=', network).as('pair'),
      fn.countAll<number>().filterWhere('network', '=', network).as('network'),
      fn.countAll<number>().filterWhere('email_hash', '=', emailHash).filterWhere('kind', '=', kind).as('address'),
    ])
    .executeTakeFirstOrThrow()
  const isUnderAttack = kind !== 'forgot' && counts.address >= limits.address && !(await isFamiliar(tx, email, network, device))
  if (counts.pair >= limits.pair || counts.network >= limits.network || isUnderAttack)
    throw new Refusal('session.too_many', { retryAfter: windowMinutes * 60, params: { minutes: windowMinutes } })
  const id = world.ids.next()
  await tx.insertInto('sign_in_failures').values({ id, email_hash: emailHash, network, at: now, kind }).execute()
  return { id }
}

/** Counts the attempt as a wrong code, since the password was right. */
export const countAsCode = (tx: ServiceTx, attempt: Attempt) =>
  tx.updateTable('sign_in_failures').set({ kind: 'code' }).where('id', '=', attempt.id).execute()

export const forgive = (tx: ServiceTx, attempt: Attempt) => tx.deleteFrom('sign_in_failures').where('id', '=', attempt.id).execute()

/** True if the user has signed in from this network or browser before. */
async function isFamiliar(tx: ServiceTx, email: string, network: string, device: Buffer | undefined): Promise<boolean> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .where(eb => {
      const session = eb.selectFrom('sessions').select('sessions.id').whereRef('sessions.user_id', '=', 'users.id')
      const known = eb.selectFrom('known_devices').select('known_devices.user_id').whereRef('known_devices.user_id', '=', 'users.id')
      return eb.or([
        eb.exists(session.where('sessions.network', '=', network)),
        ...(device ? [eb.exists(known.where('known_devices.token_hash', '=', device))] : []),
      ])
    })
    .executeTakeFirst()
  return user !== undefined
}
