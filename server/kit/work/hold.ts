import { sql } from 'kysely'
import type { ReaderOf, ServiceTx, Tx } from '#server/kit/database.ts'

/**
 * Holds all jobs, on every node, until they are released. A restored copy starts with held jobs: otherwise it would send mail again, and cancel or
 * refund payments of the original installation.
 */
export const holdJobs = (tx: ServiceTx): Promise<unknown> =>
  sql`insert into held_jobs (since) values (now()) on conflict (only_one) do update set since = excluded.since`.execute(tx)

/** Returns the moment since which jobs are held, or undefined if they are not. */
export async function heldSince(db: ReaderOf<'held_jobs'>): Promise<Date | undefined> {
  const held = await db.selectFrom('held_jobs').select('since').executeTakeFirst()
  return held?.since
}

/** Releases all jobs. Returns true if they were held; only one of two concurrent calls gets true. */
export async function releaseJobs(tx: Tx): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('held_jobs').executeTakeFirst()
  return numDeletedRows > 0n
}
