import { isLocale, type Locale } from '#common/kit/locales.ts'
import { today } from '#common/kit/dates.ts'
import { daysKept, dueAfter, firstDue, reportDays } from '#common/reports/report.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type UnitWithinTx, within } from '#server/kit/database.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import { membersGranted, scopeOf } from '#server/session/public.ts'
import { reportAsked } from './make.ts'
import { deleteReports, dueSchedules, insertReport, lockSchedule, type ScheduleRow, updateSchedule } from './queries.ts'

/** Starts the reports of all schedules that are due. Any number of nodes may do so at once. */
export async function runSchedules(world: World): Promise<void> {
  const now = world.businessClock.now()
  // The service finds the schedules; each is run in a transaction of its own.
  const due = await world.database.asService(tx => dueSchedules(tx, now))
  for (const { business_unit_id, id } of due)
    try {
      while (await runDue(world, business_unit_id, id, now));
    } catch (err) {
      // A schedule that fails does not delay the others, and is retried in the next round.
      world.log.error({ err, schedule: id }, 'a schedule could not be run')
    }
}

/**
 * Runs a schedule's due moment and sets the next one, in one transaction under the schedule's lock. Each moment thus runs once, even if it came while no
 * node was running. False if none is due.
 */
const runDue = (world: World, businessUnitId: string, id: string, now: Date): Promise<boolean> =>
  world.database.asService(async serviceTx => {
    const tx = within(serviceTx, scopeOf(businessUnitId))
    const schedule = await lockSchedule(tx, id)
    if (!schedule || schedule.next_at > now) return false
    const { timeZone, locale } = await unitSettings(tx)
    const when = { monthDay: schedule.month_day, weekday: schedule.weekday, hour: schedule.hour }
    const moment = firstDue(when, new Date(Math.max(schedule.next_at.getTime() - zonesApartMs, now.getTime() - latestMs)), timeZone)
    const isDue = moment <= now
    await updateSchedule(tx, id, { next_at: isDue ? dueAfter(when, moment, timeZone) : moment })
    if (isDue) await askForReports(world, tx, schedule, moment, { timeZone, locale })
    return isDue
  })

/** More than any two time zones differ. After a change of the agency's zone, the next moment may be earlier or later. */
const zonesApartMs = 36 * 3_600_000

/** Older moments are left out after an outage, since a year would bring fifty emails at once. */
const latestMs = 31 * 86_400_000

/** Starts one report for all recipients who see the same in the same language: the whole agency, or own sales. */
async function askForReports(
  world: World,
  tx: UnitWithinTx,
  schedule: ScheduleRow,
  moment: Date,
  unit: { timeZone: string; locale: Locale },
): Promise<void> {
  const members = (await membersGranted(tx, 'b2b-accounting-view')).filter(({ id }) => schedule.recipients.includes(id))
  const alike = Map.groupBy(members, ({ id, locale, ownOnly }) => [ownOnly ? id : '', isLocale(locale) ? locale : unit.locale].join(' '))
  const days = reportDays(schedule.period, today(moment, unit.timeZone))
  for (const [key, readers] of alike) {
    const [ownOf = '', locale = ''] = key.split(' ')
    const id = stableId(schedule.id, moment.toISOString(), key)
    const isNew = await insertReport(tx, {
      id,
      readers: readers.map(reader => reader.id),
      own_of: ownOf || null,
      schedule_id: schedule.id,
      choice: JSON.stringify(schedule.choice),
      from_day: days.from,
      to_day: days.to,
      locale: isLocale(locale) ? locale : unit.locale,
      state: 'making',
      attempt: null,
      created_at: world.clock.now(),
    })
    if (isNew) await world.outbox.publish(tx, reportAsked, { reportUuid: id })
  }
}

/** Deletes reports that have expired, with their files. */
export const purgeReports = ({ database, clock }: World): Promise<unknown> =>
  database.asService(tx => deleteReports(tx, new Date(clock.now().getTime() - daysKept * 86_400_000)))
