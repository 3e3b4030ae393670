import { isLocale } from '#common/kit/locales.ts'
import { displayDate } from '#common/kit/dates.ts'
import { unitSettings } from '#server/business-unit/public.ts'
import type { World } from '#server/kit/app-context.ts'
import { type UnitWithinTx, within } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { stableId } from '#server/kit/store/stable-id.ts'
import type { GivingUp, Job, Subscriber } from '#server/kit/work/outbox.ts'
import { queueMail } from '#server/mail/public.ts'
import { type Member, membersGranted, scopeOf } from '#server/session/public.ts'
import { contentOf } from './content.ts'
import { deleteParts, findReport, findSchedule, insertPart, isFor, markFailed, markReady, type ReportRow } from './queries.ts'

/** Event: the file of a report is to be made. */
export const reportAsked = 'reports.asked'

/**
 * Makes the file of a report, and writes to the recipients of a scheduled one. An interrupted attempt leaves parts that no file has. An attempt that
 * another one has overtaken changes nothing.
 */
export const makeReport =
  (world: World): Subscriber =>
  async job => {
    const scope = scopeOf(job.businessUnitId)
    const row = await world.database.inScope(scope, tx => findReport(tx, String(job.payload['reportUuid'])))
    if (row?.state !== 'making') return
    await world.database.inScope(scope, tx => deleteParts(tx, row.id, job.attempts))
    await storeFile(world, scope, row, job.attempts)
    // Users belong to no unit, so only the service can read which of them are members.
    await world.database.asService(async serviceTx => {
      const tx = within(serviceTx, scope)
      if ((await markReady(tx, row.id, job.attempts)) && row.schedule_id) await mailReaders(world, tx, row, job)
    })
  }

/** Emails the owner of the schedule that a report could not be made. Its other readers did not ask for it. */
export const reportGivenUp =
  (world: World): GivingUp =>
  async (serviceTx, job) => {
    const tx = within(serviceTx, scopeOf(job.businessUnitId))
    const row = await markFailed(tx, String(job.payload['reportUuid']))
    const schedule = row?.schedule_id ? await findSchedule(tx, row.schedule_id) : undefined
    const owner = (await membersGranted(tx, 'b2b-accounting-view')).find(({ id }) => id === schedule?.user_id)
    if (!row || !owner) return
    await queueMail(world, tx, await mailOf(world, tx, { row, user: owner, template: 'report_failed', job }))
  }

const partBytes = 32 * 1024

/** Stores a file in parts, while it is written. */
async function storeFile(world: World, scope: Scope, row: ReportRow, attempt: number): Promise<void> {
  let position = 0
  const store = (content: Buffer) => world.database.inScope(scope, tx => insertPart(tx, row.id, attempt, position++, content))
  let rest = Buffer.alloc(0)
  for await (const piece of await contentOf(world, scope, row)) {
    // Safe: a stream of texts and buffers has nothing else.
    rest = Buffer.concat([rest, Buffer.from(piece as string | Buffer)])
    for (; rest.length >= partBytes; rest = rest.subarray(partBytes)) await store(rest.subarray(0, partBytes))
  }
  if (rest.length > 0) await store(rest)
}

/** Emails the recipients who may still see the report, each in their language, with a link instead of figures. */
async function mailReaders(world: World, tx: UnitWithinTx, row: ReportRow, job: Job): Promise<void> {
  for (const user of await membersGranted(tx, 'b2b-accounting-view'))
    if (isFor(row, user.id, user.ownOnly)) await queueMail(world, tx, await mailOf(world, tx, { row, user, template: 'report_ready', job }))
}

type About = { row: ReportRow; user: Member; template: 'report_ready' | 'report_failed'; job: Job }

async function mailOf(world: World, tx: UnitWithinTx, { row, user, template, job }: About) {
  const unit = await unitSettings(tx)
  return {
    to: { name: user.name, address: user.email },
    template,
    locale: isLocale(user.locale) ? user.locale : unit.locale,
    params: {
      name: user.name,
      report: row.choice.report,
      from: displayDate(row.from_day) ?? row.from_day,
      to: displayDate(row.to_day) ?? row.to_day,
      link: `${world.publicUrl()}/earnings?tab=reports${template === 'report_ready' ? `&report=${row.id}` : ''}`,
    },
    // A job writes one email to each user, however often it is repeated.
    causedBy: { ...job, id: stableId(job.id, user.id) },
  }
}
