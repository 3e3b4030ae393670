import { sql } from 'kysely'
import type { Database, ReaderOf, ServiceTx, Tx, UnitTx } from '../database.ts'

/** A job that this worker has leased. `lost` counts earlier workers that leased it and died. */
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

/** A job to write, without its unit. */
export type JobRow = {
  id: string
  topic: string
  subscriber: string
  payload: Record<string, unknown>
  state: 'waiting'
  run_at: Date
  created_at: Date
}

/** How many more jobs of a subscriber this node can run: with `dueBy`, only of those that were due by then. */
export type Capacity = { subscriber: string; free: number; dueBy?: Date | undefined }
export type JobOutcome = { state: 'done' | 'waiting' | 'failed'; runAt: Date; finishedAt: Date | null; error: string | null }

type HowToTake = [capacities: Capacity[], most: number, now: Date, leaseUntil: Date]

/** Leases due jobs: for each subscriber as many as it has capacity for, at most `most` in all. */
export type Take = (tx: ServiceTx, ...how: HowToTake) => Promise<TakenJob[]>

/**
 * Leases due jobs. Jobs of subscribers that this node does not know are left alone, so that an older node does not fail the jobs of a newer one. Two
 * workers never get the same row. Returns nothing while jobs are held.
 */
export const takeJobs = (database: Database, ...how: HowToTake): Promise<TakenJob[]> =>
  database.asService(tx => (database.isDistributed() ? takeByUnit : takeAtOnce)(tx, ...how))

const leased = (until: Date) => sql`
    update jobs
    set state = 'running', run_at = ${until}, attempts = jobs.attempts + 1, lost = jobs.lost + (jobs.state = 'running')::int`

const asTaken = sql`
    returning jobs.business_unit_id as "businessUnitId", jobs.id, jobs.topic, jobs.subscriber, jobs.payload, jobs.attempts, jobs.lost,
      jobs.created_at as "createdAt"`

/** Finds and locks jobs by one statement. */
export const takeAtOnce: Take = async (tx, capacities, most, now, leaseUntil) => {
  const { rows } = await sql<TakenJob>`
    with due as (
      select job.business_unit_id, job.id
      from jsonb_to_recordset(${JSON.stringify(capacities)}::jsonb) as known (subscriber text, free integer, "dueBy" timestamptz)
      cross join lateral (
        select business_unit_id, id, run_at
        from jobs
        where jobs.subscriber = known.subscriber and state in ('waiting', 'running') and run_at <= least(${now}::timestamptz, known."dueBy")
        order by run_at
        limit known.free
        for update skip locked
      ) as job
      where not exists (select from held_jobs)
      order by job.run_at
      limit ${most}
    )
    ${leased(leaseUntil)}
    from due
    where jobs.business_unit_id = due.business_unit_id and jobs.id = due.id
    ${asTaken}`.execute(tx)
  return rows
}

/** Finds jobs across all units, and locks them unit by unit: a distributed table locks no others. */
export const takeByUnit: Take = async (tx, capacities, most, now, leaseUntil) => {
  const free = new Map(capacities.map(each => [each.subscriber, each.free]))
  const taken: TakenJob[] = []
  const passed: string[] = []
  for (;;) {
    const open = [...free].filter(([, many]) => many > 0).map(([subscriber]) => subscriber)
    const wanted = most - taken.length
    if (open.length === 0 || wanted === 0) return taken
    const due = capacities.flatMap(({ subscriber, dueBy = now }) => (open.includes(subscriber) ? [{ subscriber, dueBy }] : []))
    const found = await dueJobs(tx, due, passed, wanted)
    const byUnit = Map.groupBy(
      found.filter(({ subscriber }) => takeOne(free, subscriber)),
      ({ unit }) => unit,
    )
    for (const [unit, due] of byUnit) taken.push(...(await lease(tx, unit, due, now, leaseUntil)))
    if (found.length < wanted) return taken
    // Another worker has some of them, or there were too many of a subscriber.
    passed.push(...found.map(({ id }) => id))
  }
}

function takeOne(free: Map<string, number>, subscriber: string): boolean {
  const many = free.get(subscriber) ?? 0
  free.set(subscriber, many - 1)
  return many > 0
}

type DueJob = { unit: string; id: string; subscriber: string }

/** Returns the jobs that have been due for longest, without the passed ones. */
async function dueJobs(tx: ServiceTx, due: { subscriber: string; dueBy: Date }[], passed: string[], most: number): Promise<DueJob[]> {
  const isDue = due.map(({ subscriber, dueBy }) => sql<boolean>`(subscriber = ${subscriber} and run_at <= ${dueBy})`)
  const { rows } = await sql<DueJob>`
    select business_unit_id as unit, id, subscriber
    from jobs
    where (${sql.join(isDue, sql` or `)}) and state in ('waiting', 'running')
      and id <> all(${passed}::uuid[]) and not exists (select from held_jobs)
    order by run_at
    limit ${most}`.execute(tx)
  return rows
}

async function lease(tx: ServiceTx, unit: string, due: DueJob[], now: Date, leaseUntil: Date): Promise<TakenJob[]> {
  const { rows } = await sql<TakenJob>`
    with free as (
      select id from jobs
      where business_unit_id = ${unit} and id = any(${due.map(({ id }) => id)}::uuid[]) and state in ('waiting', 'running') and run_at <= ${now}
      for update skip locked
    )
    ${leased(leaseUntil)}
    from free
    where jobs.business_unit_id = ${unit} and jobs.id = free.id
    ${asTaken}`.execute(tx)
  return rows
}

/** Writes a job, leased from the first on unless jobs are held. Returns true if it is. */
export async function beginJob(tx: UnitTx, row: JobRow, leaseUntil: Date | undefined): Promise<boolean> {
  const job = { ...row, payload: JSON.stringify(row.payload) }
  const free = sql<boolean>`not exists (select from held_jobs)`
  const leased = leaseUntil && {
    state: sql<'running' | 'waiting'>`case when ${free} then 'running' else 'waiting' end`,
    run_at: sql<Date>`case when ${free} then ${leaseUntil}::timestamptz else ${row.run_at}::timestamptz end`,
    attempts: sql<number>`case when ${free} then 1 else 0 end`,
  }
  const { state } = await tx
    .insertInto('jobs')
    .values({ ...job, ...leased })
    .returning('state')
    .executeTakeFirstOrThrow()
  return state === 'running'
}

/** Moves the end of the leases of running jobs. */
export async function renewLeases(
  database: Database,
  jobs: Pick<TakenJob, 'businessUnitId' | 'id' | 'attempts'>[],
  leaseUntil: Date,
): Promise<void> {
  const mine = JSON.stringify(jobs.map(({ businessUnitId, id, attempts }) => ({ unit: businessUnitId, id, attempts })))
  await database.asService(tx =>
    sql`
      update jobs
      set run_at = ${leaseUntil}
      from jsonb_to_recordset(${mine}::jsonb) as mine (unit uuid, id uuid, attempts integer)
      where jobs.business_unit_id = mine.unit and jobs.id = mine.id and jobs.attempts = mine.attempts and state = 'running'`.execute(tx),
  )
}

/**
 * Ends the leases of jobs whose process has died: at once the first time, and each later time half a minute later, at most two minutes. A job that
 * ends its process would otherwise use up all its tries within seconds, and those of the jobs that ran beside it.
 */
export async function freeLeases(
  database: Database,
  jobs: Pick<TakenJob, 'businessUnitId' | 'id' | 'attempts'>[],
  now: Date,
): Promise<void> {
  for (const [attempts, those] of Map.groupBy(jobs, job => job.attempts))
    await renewLeases(database, those, new Date(now.getTime() + Math.min(attempts - 1, 4) * 30_000))
}

/** Stores the outcome of a job. Returns false if another worker has leased it since: only the lease holder may write. */
export async function storeOutcome(tx: ServiceTx, job: TakenJob, outcome: JobOutcome): Promise<boolean> {
  const stored = await tx
    .updateTable('jobs')
    .set({ state: outcome.state, run_at: outcome.runAt, finished_at: outcome.finishedAt, last_error: outcome.error })
    .where('business_unit_id', '=', job.businessUnitId)
    .where('id', '=', job.id)
    .where('state', '=', 'running')
    .where('attempts', '=', job.attempts)
    .executeTakeFirst()
  return stored.numUpdatedRows > 0n
}

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
