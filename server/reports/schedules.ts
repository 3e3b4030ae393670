import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/reports/calls.ts'
import { firstDue, mostOwnSchedules } from '#common/reports/report.ts'
import { type CallerInUnit, ownOnly } from '#server/kit/caller.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type UnitTx, within } from '#server/kit/database.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit, type Member, membersGranted, namesOfUsers } from '#server/session/public.ts'
import { choiceOf } from './run.ts'
import { deleteSchedule, failedSchedules, insertSchedule, lockSchedule, type ScheduleRow, schedulesOf, updateSchedule } from './queries.ts'

/** Lists the schedules of the agency; a user who sees only own sales sees only own schedules. */
export const listSchedules =
  ({ database }: World): Handler<typeof calls.reportSchedules> =>
  ({ caller }) =>
    // Users belong to no unit, so only the service can read which of them are members.
    database.asService(async serviceTx => {
      const tx = within(serviceTx, caller.unit.scope)
      const rows = (await schedulesOf(tx)).filter(row => isOwn(row, caller))
      const people = peopleFor(caller, await membersGranted(tx, 'b2b-accounting-view'))
      const receiving = new Set(people.map(({ id }) => id))
      const failed = await failedSchedules(tx)
      const names = await namesOfUsers(tx, [...new Set(rows.flatMap(({ recipients }) => recipients))])
      return {
        schedules: rows.map(({ id, choice, period, month_day: monthDay, weekday, hour, recipients, next_at }) => ({
          scheduleUuid: id,
          ...choice,
          period,
          when: { monthDay, weekday, hour },
          to: recipients.map(uuid => ({ uuid, name: names.get(uuid) ?? '', receives: receiving.has(uuid) })),
          nextAt: next_at.toISOString(),
          failedAt: failed.get(id)?.toISOString() ?? null,
        })),
        people: people.map(({ id, name }) => ({ uuid: id, name })),
      }
    })

/** Returns the users to whom the caller may have reports sent. Users who see only own sales cannot send any to colleagues. */
const peopleFor = (caller: CallerInUnit, members: readonly Member[]): readonly Member[] =>
  ownOnly(caller) === undefined ? members : members.filter(({ id }) => id === caller.userId)

const isOwn = ({ user_id }: ScheduleRow, caller: CallerInUnit): boolean => (ownOnly(caller) ?? user_id) === user_id

export const createSchedule =
  (world: World): Handler<typeof calls.createReportSchedule> =>
  async input => {
    const { ask, caller } = input
    const content = await contentOf(world, caller, ask)
    return world.database.inScope(caller.unit.scope, async tx => {
      const [id, now] = [world.ids.next(), world.clock.now()]
      const next_at = firstDue(ask.when, now, (await unitSettings(tx)).timeZone)
      const outcome = await insertSchedule(tx, { ...content, id, user_id: caller.userId, next_at, created_at: now })
      if (outcome === 'too_many_own') throw new Refusal('report.too_many_own_schedules', { params: { count: mostOwnSchedules } })
      if (outcome === 'too_many') throw new Refusal('report.too_many_schedules')
      const details = { report: ask.report, format: ask.format, many: ask.to.length }
      await audit(world, tx, input, { action: 'report.scheduled', outcome: 'done', object: id, details })
      return { scheduleUuid: id, nextAt: next_at.toISOString() }
    })
  }

export const changeSchedule =
  (world: World): Handler<typeof calls.changeReportSchedule> =>
  async input => {
    const { ask, caller } = input
    const content = await contentOf(world, caller, ask)
    return world.database.inScope(caller.unit.scope, async tx => {
      const row = await lockOwn(tx, caller, ask.scheduleUuid)
      const isSameTime = row.month_day === content.month_day && row.weekday === content.weekday && row.hour === content.hour
      // A moment that has just come is not skipped when other fields are changed.
      const next_at = isSameTime ? row.next_at : firstDue(ask.when, world.clock.now(), (await unitSettings(tx)).timeZone)
      await updateSchedule(tx, row.id, { ...content, next_at })
      const details = { report: ask.report, format: ask.format, many: ask.to.length }
      await audit(world, tx, input, { action: 'report.schedule_changed', outcome: 'done', object: row.id, details })
      return { scheduleUuid: row.id, nextAt: next_at.toISOString() }
    })
  }

export const removeSchedule =
  (world: World): Handler<typeof calls.deleteReportSchedule> =>
  input =>
    world.database.inScope(input.caller.unit.scope, async tx => {
      const { id } = await lockOwn(tx, input.caller, input.ask.scheduleUuid)
      await deleteSchedule(tx, id)
      await audit(world, tx, input, { action: 'report.schedule_deleted', outcome: 'done', object: id })
      return { deleted: true as const }
    })

async function lockOwn(tx: UnitTx, caller: CallerInUnit, id: string): Promise<ScheduleRow> {
  const row = await lockSchedule(tx, id)
  if (!row || !isOwn(row, caller)) throw new Refusal('request.not_found')
  return row
}

/** Returns a schedule in its stored form. Throws unless each of its recipients may see a report. */
async function contentOf({ database }: World, caller: CallerInUnit, ask: RequestOf<typeof calls.createReportSchedule>) {
  const choice = choiceOf(ask)
  const members = await database.asService(tx => membersGranted(within(tx, caller.unit.scope), 'b2b-accounting-view'))
  const people = new Set(peopleFor(caller, members).map(({ id }) => id))
  const wrong = ask.to.findIndex(uuid => !people.has(uuid))
  if (wrong >= 0) throw refuseFields([{ path: `to[${wrong}]`, rule: 'recipient', key: 'reports.not_a_recipient' }])
  return {
    choice: JSON.stringify(choice),
    period: ask.period,
    month_day: ask.when.monthDay ?? null,
    weekday: ask.when.weekday ?? null,
    hour: ask.when.hour,
    recipients: ask.to,
  }
}
