import { type Selectable, sql } from 'kysely'
import { mostOwnSchedules, mostSchedules } from '#common/reports/report.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import type { UnitRow } from '#server/kit/sql/unit.ts'
import type { ReportTable, ScheduleTable } from './tables.ts'

export type ReportRow = Selectable<ReportTable>
export type ScheduleRow = Selectable<ScheduleTable>
export type NewReport = UnitRow<'reports'>
export type ScheduleContent = Pick<UnitRow<'report_schedules'>, 'choice' | 'period' | 'month_day' | 'weekday' | 'hour' | 'recipients'>

/** Inserts a report; false if it is there already. */
export const insertReport = async (tx: UnitTx, report: NewReport): Promise<boolean> =>
  (await tx
    .insertInto('reports')
    .values(report)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

export const findReport = (tx: UnitTx, id: string): Promise<ReportRow | undefined> =>
  tx.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst()

/** Counts the reports of a user that are being made. */
export const countMaking = async (tx: UnitTx, userId: string): Promise<number> =>
  (
    await tx
      .selectFrom('reports')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('state', '=', 'making')
      .where('schedule_id', 'is', null)
      .where(sql<boolean>`${userId}::uuid = any (readers)`)
      .executeTakeFirstOrThrow()
  ).count

/** The most reports of a list. */
const mostListed = 50

/** Returns the reports of a reader since a moment, the newest first. */
export const reportsOf = (tx: UnitTx, userId: string, since: Date): Promise<ReportRow[]> =>
  tx
    .selectFrom('reports')
    .selectAll()
    .where('created_at', '>', since)
    .where(sql<boolean>`${userId}::uuid = any (readers)`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostListed)
    .execute()

/** Deletes the parts of earlier attempts. An attempt that still runs stores parts that no file uses. */
export const deleteParts = (tx: UnitTx, reportId: string, before: number) =>
  tx.deleteFrom('report_parts').where('report_id', '=', reportId).where('attempt', '<', before).execute()

export const insertPart = (tx: UnitTx, reportId: string, attempt: number, position: number, content: Buffer) =>
  tx.insertInto('report_parts').values({ report_id: reportId, attempt, position, content }).execute()

/** Returns parts of a file, in order. */
export const partsFrom = async (tx: UnitTx, reportId: string, attempt: number, position: number, limit: number): Promise<Buffer[]> =>
  (
    await tx
      .selectFrom('report_parts')
      .select('content')
      .where('report_id', '=', reportId)
      .where('attempt', '=', attempt)
      .where('position', '>=', position)
      .orderBy('position')
      .limit(limit)
      .execute()
  ).map(({ content }) => content)

/** Marks a report ready, with the attempt whose parts are its file. False if another attempt was faster. */
export const markReady = async (tx: UnitTx, id: string, attempt: number): Promise<boolean> =>
  (await tx
    .updateTable('reports')
    .set({ state: 'ready', attempt })
    .where('id', '=', id)
    .where('state', '=', 'making')
    .returning('id')
    .executeTakeFirst()) !== undefined

export const markFailed = (tx: UnitTx, id: string): Promise<ReportRow | undefined> =>
  tx.updateTable('reports').set({ state: 'failed' }).where('id', '=', id).where('state', '=', 'making').returningAll().executeTakeFirst()

/** Deletes the reports of all units before a moment, with their files. */
export const deleteReports = (tx: ServiceTx, before: Date) => tx.deleteFrom('reports').where('created_at', '<=', before).execute()

export const schedulesOf = (tx: UnitTx): Promise<ScheduleRow[]> =>
  tx.selectFrom('report_schedules').selectAll().orderBy('created_at').orderBy('id').execute()

/** Puts a schedule into the first free slots of the agency and of its user, or says which of them has none. */
export async function insertSchedule(
  tx: UnitTx,
  schedule: ScheduleContent & { id: string; user_id: string; next_at: Date; created_at: Date },
): Promise<'inserted' | 'too_many' | 'too_many_own'> {
  for (;;) {
    const taken = await tx.selectFrom('report_schedules').select(['slot', 'own_slot', 'user_id']).execute()
    const own = taken.filter(({ user_id }) => user_id === schedule.user_id)
    const own_slot = freeOf(
      mostOwnSchedules,
      own.map(each => each.own_slot),
    )
    if (own_slot === undefined) return 'too_many_own'
    const slot = freeOf(
      mostSchedules,
      taken.map(each => each.slot),
    )
    if (slot === undefined) return 'too_many'
    const inserted = await tx
      .insertInto('report_schedules')
      .values({ ...schedule, slot, own_slot })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    // Otherwise another request has taken one of the slots meanwhile.
    if (inserted) return 'inserted'
  }
}

const freeOf = (most: number, taken: readonly number[]): number | undefined =>
  Array.from({ length: most }, (_, index) => index + 1).find(each => !taken.includes(each))

/** Returns the schedules whose last report could not be made, with the moment of that report. */
export async function failedSchedules(tx: UnitTx): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; at: Date }>`
    select id, at from (
      select distinct on (schedule_id) schedule_id as id, state, created_at as at from reports
      where business_unit_id = ${tx.businessUnitId} and schedule_id is not null and state <> 'making'
      order by schedule_id, created_at desc, (state = 'failed') desc) as last
    where state = 'failed'`.execute(tx)
  return new Map(rows.map(({ id, at }) => [id, at]))
}

export const findSchedule = (tx: UnitTx, id: string): Promise<ScheduleRow | undefined> =>
  tx.selectFrom('report_schedules').selectAll().where('id', '=', id).executeTakeFirst()

/** Returns a schedule, and locks it until the transaction ends. */
export const lockSchedule = (tx: UnitTx, id: string): Promise<ScheduleRow | undefined> =>
  tx.selectFrom('report_schedules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const updateSchedule = (tx: UnitTx, id: string, change: Partial<ScheduleContent> & { next_at: Date }) =>
  tx.updateTable('report_schedules').set(change).where('id', '=', id).execute()

export const deleteSchedule = (tx: UnitTx, id: string) => tx.deleteFrom('report_schedules').where('id', '=', id).execute()

/** Returns the schedules of all units that are due. */
export const dueSchedules = (tx: ServiceTx, now: Date): Promise<{ business_unit_id: string; id: string }[]> =>
  tx.selectFrom('report_schedules').select(['business_unit_id', 'id']).where('next_at', '<=', now).orderBy('next_at').execute()

/** True for a reader who sees what the report shows: the whole agency, or the reader's own sales. */
export const isFor = ({ readers, own_of }: Pick<ReportRow, 'readers' | 'own_of'>, userId: string, ownOnly: boolean): boolean =>
  readers.includes(userId) && (ownOnly ? own_of === userId : own_of === null)
