import { sql } from 'kysely'
import type { Database, ServiceTx } from '../database.ts'

/** A job that this worker has taken up; `lost` counts the workers before it that did so and never came back. */
export type TakenJob = {
  businessUnitId: string
  id: string
  topic: string
  subscriber: string
  payload: Record<string, unknown>
  attempts: number
  lost: number
  createdAt: Date
}

export type Room = { subscriber: string; room: number }
export type JobOutcome = { state: 'done' | 'waiting' | 'failed'; runAt: Date; finishedAt: Date | null; error: string | null }

/**
 * Takes up what is due: of each subscriber as much as it has room for, of all together at most `most`. Only for subscribers that are known
 * here, so that an older node does not spoil what a newer one has written. Two workers never get the same row. While jobs are held
 * (work/hold.ts), nothing.
 */
export async function takeJobs(database: Database, rooms: Room[], most: number, now: Date, leaseUntil: Date): Promise<TakenJob[]> {
  const { rows } = await database.asService(tx =>
    sql<TakenJob>`
      with due as (
        select job.business_unit_id, job.id
        from jsonb_to_recordset(${JSON.stringify(rooms)}::jsonb) as known (subscriber text, room integer)
        cross join lateral (
          select business_unit_id, id, run_at
          from jobs
          where jobs.subscriber = known.subscriber and state in ('waiting', 'running') and run_at <= ${now}
          order by run_at
          limit known.room
          for update skip locked
        ) as job
        where not exists (select from held_jobs)
        order by job.run_at
        limit ${most}
      )
      update jobs
      set state = 'running',
        run_at = ${leaseUntil},
        attempts = jobs.attempts + 1,
        lost = jobs.lost + (jobs.state = 'running')::int
      from due
      where jobs.business_unit_id = due.business_unit_id and jobs.id = due.id
      returning jobs.business_unit_id as "businessUnitId", jobs.id, jobs.topic, jobs.subscriber, jobs.payload, jobs.attempts, jobs.lost,
        jobs.created_at as "createdAt"`.execute(tx),
  )
  return rows
}

/** A worker that lives keeps what it has taken up for longer. */
export async function keepJobs(database: Database, jobs: TakenJob[], leaseUntil: Date): Promise<void> {
  const mine = JSON.stringify(jobs.map(({ businessUnitId, id, attempts }) => ({ unit: businessUnitId, id, attempts })))
  await database.asService(tx =>
    sql`
      update jobs
      set run_at = ${leaseUntil}
      from jsonb_to_recordset(${mine}::jsonb) as mine (unit uuid, id uuid, attempts integer)
      where jobs.business_unit_id = mine.unit and jobs.id = mine.id and jobs.attempts = mine.attempts and state = 'running'`.execute(tx),
  )
}

/** Says how a job went, unless another worker has taken it up since: whoever lost his lease must not speak for his successor. */
export async function settleJob(tx: ServiceTx, job: TakenJob, outcome: JobOutcome): Promise<boolean> {
  const settled = await tx
    .updateTable('jobs')
    .set({ state: outcome.state, run_at: outcome.runAt, finished_at: outcome.finishedAt, last_error: outcome.error })
    .where('business_unit_id', '=', job.businessUnitId)
    .where('id', '=', job.id)
    .where('state', '=', 'running')
    .where('attempts', '=', job.attempts)
    .executeTakeFirst()
  return settled.numUpdatedRows > 0n
}
