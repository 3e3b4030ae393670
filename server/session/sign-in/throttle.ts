import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '#common/kit/refusals.ts'
import { networkOf } from '#server/kit/http/http.ts'
import type { FailureKind } from '#server/session/tables.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import type { World } from '#server/kit/app-context.ts'

const windowMinutes = 15
/**
 * Failures within the window: of one address from one network, of one network for anybody, of one address from everywhere. The last is not
 * asked of a forgotten password: strangers would shut the owner's way back, and the mailbox has a limit of its own.
 */
const limits = { pair: 10, network: 100, address: 100 }

export type Attempt = { id: string }

type Trying = { email: string; ip: string; kind?: 'password' | 'forgot'; device?: Buffer | undefined }

/**
 * Counts an attempt as failed before the password is looked at, so that many at once cannot slip through; `forgive` takes it back.
 * It lives in the database: a restart forgets nothing and several nodes count together. A user whose address is under attack from
 * elsewhere still gets in from a network that they signed in from before, or in a browser that is known (devices.ts). Wrong codes beside the
 * right password count for the network, not for the address: they would lock its owner out.
 */
export async function countAttempt(world: World, tx: ServiceTx, { email, ip, kind = 'password', device }: Trying): Promise<Attempt> {
  const now = world.clock.now()
  const since = new Date(now.getTime() - windowMinutes * 60_000)
  const network = networkOf(ip)
  const emailHash = createHash('sha256').update(email).digest()
  for (const place of [`${kind} network ${network}`, `${kind} ${email}`])
    await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(tx)
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
  const besieged =
    kind !== 'forgot' &&
    counts.address >= limits.address &&
    !(await isKnownNetwork(tx, email, network)) &&
    !(device && (await isKnownDevice(tx, email, device)))
  if (counts.pair >= limits.pair || counts.network >= limits.network || besieged)
    throw new Refusal('session.too_many', { retryAfter: windowMinutes * 60, params: { minutes: windowMinutes } })
  const id = world.ids.next()
  await tx.insertInto('sign_in_failures').values({ id, email_hash: emailHash, network, at: now, kind }).execute()
  return { id }
}

/** The password was right and the code was not. */
export const countAsCode = (tx: ServiceTx, attempt: Attempt) =>
  tx.updateTable('sign_in_failures').set({ kind: 'code' }).where('id', '=', attempt.id).execute()

export const forgive = (tx: ServiceTx, attempt: Attempt) => tx.deleteFrom('sign_in_failures').where('id', '=', attempt.id).execute()

async function isKnownNetwork(tx: ServiceTx, email: string, network: string): Promise<boolean> {
  const known = await tx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('users.email', '=', email)
    .where('sessions.network', '=', network)
    .select('sessions.id')
    .executeTakeFirst()
  return known !== undefined
}

async function isKnownDevice(tx: ServiceTx, email: string, device: Buffer): Promise<boolean> {
  const known = await tx
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .where('users.email', '=', email)
    .where('known_devices.token_hash', '=', device)
    .select('users.id')
    .executeTakeFirst()
  return known !== undefined
}
