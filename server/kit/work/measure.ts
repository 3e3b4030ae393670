import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { World } from '#server/kit/app-context.ts'
import type { ServiceTx } from '#server/kit/database.ts'
import { patienceMs } from '../metrics.ts'
import { heldSince } from './jobs.ts'

/**
 * Fills the gauges that need the database. If it does not respond in time, they are left out, and `portolan_database_up` says whether it responded at
 * all: the figures of the process itself are needed most at that moment. Concurrent scrapes share one query.
 */
export function openMeasure({ database, metrics, outbox, realTime, log }: World): () => Promise<void> {
  let underWay: Promise<void> | undefined
  /** True once the database has answered. Counting millions of waiting jobs may take longer than a scrape, with the database up. */
  let isUp = false

  async function read(): Promise<void> {
    isUp = false
    const { jobs, held, reviews } = await database.asService(async tx => {
      const held = await heldSince(tx)
      isUp = true
      return { held, jobs: await openJobs(tx).execute(), reviews: await countReviews(tx) }
    })
    forget()
    for (const subscriber of outbox.subscribers())
      for (const gauge of [metrics.jobsWaiting, metrics.jobsOldest, metrics.jobsFailed]) gauge.set({ subscriber }, 0)
    const now = realTime.now().getTime()
    for (const { subscriber, failed, count, oldest } of jobs) {
      if (failed) metrics.jobsFailed.set({ subscriber }, count)
      else {
        metrics.jobsWaiting.set({ subscriber }, count)
        metrics.jobsOldest.set({ subscriber }, Math.max(0, (now - oldest.getTime()) / 1000))
      }
    }
    metrics.jobsHeld.set(held ? 1 : 0)
    metrics.reviews.set(reviews)
  }

  function forget(): void {
    for (const gauge of [metrics.jobsWaiting, metrics.jobsOldest, metrics.jobsFailed]) gauge.reset()
    for (const gauge of [metrics.jobsHeld, metrics.reviews]) gauge.remove()
    metrics.databaseUp.set(isUp ? 1 : 0)
  }

  return async () => {
    // Counted before the scrape itself takes a connection.
    metrics.countConnections(database.pool)
    metrics.noticesHeard.set(database.notices.areHeard() ? 1 : 0)
    underWay ??= read()
      .catch((err: unknown) => {
        isUp = false
        forget()
        log.warn({ err }, 'the database could not be measured')
      })
      .finally(() => {
        underWay = undefined
      })
    const stop = new AbortController()
    const late = delay(patienceMs, true, { signal: stop.signal }).catch(() => false)
    if ((await Promise.race([underWay, late])) === true) forget()
    stop.abort()
  }
}

/** Selects the counts of open jobs from the index `jobs_open` alone: no finished job is read. */
export const openJobs = (db: Kysely<Tables>) =>
  db
    .selectFrom('jobs')
    .where(sql<SqlBool>`state <> 'done'`)
    .select(({ fn }) => [
      'subscriber',
      sql<boolean>`state = 'failed'`.as('failed'),
      fn.countAll<number>().as('count'),
      fn.min('created_at').as('oldest'),
    ])
    .groupBy(['subscriber', sql`state = 'failed'`])
    .orderBy('subscriber')

async function countReviews(tx: ServiceTx): Promise<number> {
  const { count } = await tx
    .selectFrom('payment_reviews')
    .where('resolved_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
