import { sql } from 'kysely'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { mailWritten } from '#server/mail/public.ts'
import { type Paging, offsetOf } from '#server/kit/paging.ts'

const brandName = sql<string>`business_units.settings->>'brandName'`.as('brandName')

export type JobState = 'failed' | 'waiting' | 'running'
export type MailState = 'refused' | 'queued' | 'sent' | 'withdrawn'

export async function listJobRows(tx: AllUnitsTx, state: JobState, unitId: string | undefined, paging: Paging) {
  const found = tx
    .selectFrom('jobs')
    .where('jobs.state', '=', state)
    .$if(unitId !== undefined, query => query.where('jobs.business_unit_id', '=', unitId ?? ''))
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .innerJoin('business_units', 'business_units.id', 'jobs.business_unit_id')
    .selectAll('jobs')
    .select(brandName)
    .orderBy('jobs.created_at', 'desc')
    .orderBy('jobs.id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute()
  return { total, rows }
}

export async function listMailRows(tx: AllUnitsTx, state: MailState, unitId: string | undefined, paging: Paging) {
  const found = tx
    .selectFrom('mails')
    .where('mails.state', '=', state)
    .$if(unitId !== undefined, query => query.where('mails.business_unit_id', '=', unitId ?? ''))
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await found
    .innerJoin('business_units', 'business_units.id', 'mails.business_unit_id')
    .select([
      'mails.id',
      'mails.business_unit_id as unitId',
      'mails.at',
      'mails.template',
      'mails.recipient_name as recipientName',
      'mails.recipient_address as recipientAddress',
      'mails.subject',
      sql<number>`jsonb_array_length(mails.attachments)`.as('attachments'),
      'mails.state',
      'mails.reason',
      'mails.finished_at as finishedAt',
    ])
    .select(brandName)
    .orderBy('mails.at', 'desc')
    .orderBy('mails.id', 'desc')
    .limit(paging.perPage)
    .offset(offsetOf(paging))
    .execute()
  return { total, rows }
}

export type FailedJob = {
  id: string
  unitId: string
  subscriber: string
  topic: string
  payload: Record<string, unknown>
  error: string | null
}

/** Reads and locks failed jobs, so that of two concurrent retries one succeeds. A distributed table locks rows of one unit at a time. */
export async function lockFailedJobs(tx: AllUnitsTx, ids: string[]): Promise<FailedJob[]> {
  const those = failed(tx).where('id', 'in', ids).orderBy('id')
  const locked: FailedJob[] = []
  for (const unitId of unitsIn(await those.execute()))
    locked.push(...(await those.where('business_unit_id', '=', unitId).forUpdate().execute()))
  return locked
}

/** Returns the units of rows in one order, in which all transactions lock them. */
const unitsIn = (rows: { unitId: string }[]): string[] => [...new Set(rows.map(({ unitId }) => unitId))].toSorted()

export const lockFailedJobOfMail = (tx: AllUnitsTx, unitId: string, mailId: string): Promise<FailedJob | undefined> =>
  failed(tx)
    .where('business_unit_id', '=', unitId)
    .where('subscriber', '=', 'mail.send')
    .where(sql<boolean>`payload->>'mailId' = ${mailId}`)
    .forUpdate()
    .executeTakeFirst()

const failed = (tx: AllUnitsTx) =>
  tx
    .selectFrom('jobs')
    .where('state', '=', 'failed')
    .select(['id', 'business_unit_id as unitId', 'subscriber', 'topic', 'payload', 'last_error as error'])

/** Puts a job back as if never tried. It keeps its age, so a lasting problem fails it again soon. */
export const putBackJob = (tx: AllUnitsTx, { unitId, id }: FailedJob, now: Date) =>
  tx
    .updateTable('jobs')
    .set({ state: 'waiting', attempts: 0, lost: 0, run_at: now, finished_at: null })
    .where('business_unit_id', '=', unitId)
    .where('id', '=', id)
    .execute()

export const unitsWithFailedJobs = async (tx: AllUnitsTx, failedBy: Date): Promise<string[]> =>
  unitsIn(
    await tx
      .selectFrom('jobs')
      .where('state', '=', 'failed')
      .where('finished_at', '<=', failedBy)
      .select('business_unit_id as unitId')
      .distinct()
      .execute(),
  )

/** The failed jobs of a unit to put back, oldest first. They were created at `from` or later and failed by `failedBy`. */
type Batch = { unitId: string; from: Date; failedBy: Date; most: number }

/** Puts a batch of failed jobs and their mails back. Rows locked by another transaction are skipped, as it is retrying them. */
export async function putBackFailedJobs(tx: AllUnitsTx, { unitId, from, failedBy, most }: Batch, now: Date) {
  const { rows } = await sql<{ count: number; last: Date | null }>`
    with failed as (
      select id
      from jobs
      where business_unit_id = ${unitId} and state = 'failed' and created_at >= ${from} and finished_at <= ${failedBy}
      order by created_at
      limit ${most}
      for update skip locked
    ), put_back as (
      update jobs
      set state = 'waiting', attempts = 0, lost = 0, run_at = ${now}, finished_at = null
      from failed
      where jobs.business_unit_id = ${unitId} and jobs.id = failed.id
      returning jobs.topic, jobs.payload, jobs.created_at
    ), mails_put_back as (
      update mails
      set state = 'queued', finished_at = null
      from put_back
      where put_back.topic = ${mailWritten} and mails.business_unit_id = ${unitId}
        and mails.id = (put_back.payload->>'mailId')::uuid and mails.state = 'refused'
    )
    select count(*) as count, max(created_at) as last from put_back`.execute(tx)
  return rows[0] ?? { count: 0, last: null }
}

type RefusedMail = { id: string; unitId: string; template: string; reason: string | null }

export async function lockRefusedMails(tx: AllUnitsTx, ids: string[]): Promise<RefusedMail[]> {
  const those = tx
    .selectFrom('mails')
    .where('id', 'in', ids)
    .where('state', '=', 'refused')
    .select(['id', 'business_unit_id as unitId', 'template', 'reason'])
    .orderBy('id')
  const locked: RefusedMail[] = []
  for (const unitId of unitsIn(await those.execute()))
    locked.push(...(await those.where('business_unit_id', '=', unitId).forUpdate().execute()))
  return locked
}

export const putBackMail = (tx: AllUnitsTx, unitId: string, id: string) =>
  tx
    .updateTable('mails')
    .set({ state: 'queued', finished_at: null })
    .where('business_unit_id', '=', unitId)
    .where('id', '=', id)
    .where('state', '=', 'refused')
    .execute()

/** Counts the open work, and the units and users. */
export async function countWork(tx: AllUnitsTx) {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from jobs where state = 'failed') as "jobsFailed",
      (select count(*) from jobs where state = 'waiting') as "jobsWaiting",
      (select count(*) from mails where state = 'refused') as "mailsRefused",
      (select count(*) from payment_reviews where resolved_at is null) as "paymentReviews",
      (select count(*) from business_units) as units,
      (select count(*) from business_units where suspended) as "unitsSuspended",
      (select count(*) from users) as users,
      (select count(*) from users where not active) as "usersSuspended"`.execute(tx)
  return rows[0] ?? nothing
}

const nothing = {
  jobsFailed: 0,
  jobsWaiting: 0,
  mailsRefused: 0,
  paymentReviews: 0,
  units: 0,
  unitsSuspended: 0,
  users: 0,
  usersSuspended: 0,
}
type Counts = typeof nothing
