import { type Kysely, sql } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { ServiceTx, Tx } from '#server/kit/database.ts'

/**
 * Holds all jobs, on every node, until they are released. A restored copy begins so: it would send real mail once more, and cancel or refund
 * payments that belong to the installation that it was copied from.
 */
export const holdJobs = (tx: ServiceTx): Promise<unknown> =>
  sql`insert into held_jobs (since) values (now()) on conflict (only_one) do update set since = excluded.since`.execute(tx)

/** Since when jobs are held; undefined where they are not. */
export async function heldSince(db: Kysely<Tables>): Promise<Date | undefined> {
  const held = await db.selectFrom('held_jobs').select('since').executeTakeFirst()
  return held?.since
}

/** True for whoever releases them; of two at once for one. */
export async function releaseJobs(tx: Tx): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('held_jobs').executeTakeFirst()
  return numDeletedRows > 0n
}
