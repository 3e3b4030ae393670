import type { RequestOf } from '#common/kit/call.ts'
import { Refusal, refuseFields } from '#common/kit/refusals.ts'
import type * as calls from '#common/reports/calls.ts'
import { daysKept } from '#common/reports/report.ts'
import { monthsOf } from '#server/accounting/public.ts'
import { ownOnly } from '#server/kit/caller.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { reportAsked } from './make.ts'
import { countMaking, findReport, insertReport, isFor, type ReportRow, reportsOf } from './queries.ts'
import type { Choice } from './tables.ts'

/** The most reports of a user at a time, so that reports of other agencies do not wait behind them. */
const mostMaking = 3

/** Starts a report. A job writes its file, as a year may have a million movements. */
export const runReport =
  (world: World): Handler<typeof calls.runReport> =>
  async input => {
    const { ask, caller, locale } = input
    const { from, to } = ask
    const choice = choiceOf(ask)
    monthsOf({ from, to })
    await world.spend(caller, 'exports')
    return world.database.inScope(caller.unit.scope, async tx => {
      if ((await countMaking(tx, caller.userId)) >= mostMaking) throw new Refusal('report.too_many_running')
      const id = world.ids.next()
      await insertReport(tx, {
        id,
        readers: [caller.userId],
        own_of: ownOnly(caller) ?? null,
        schedule_id: null,
        choice: JSON.stringify(choice),
        from_day: from,
        to_day: to,
        locale,
        state: 'making',
        attempt: null,
        created_at: world.clock.now(),
      })
      await world.outbox.publish(tx, reportAsked, { reportUuid: id })
      const { report, groupBy, format } = choice
      await audit(world, tx, input, { action: 'report.run', outcome: 'done', object: id, details: { report, groupBy, format, from, to } })
      return { reportUuid: id }
    })
  }

const keptMs = daysKept * 86_400_000

/** Lists the reports that the caller may open. */
export const listReports =
  ({ database, clock }: World): Handler<typeof calls.reports> =>
  ({ ask: { uuid }, caller }) =>
    database.inScope(caller.unit.scope, async tx => {
      const since = new Date(clock.now().getTime() - keptMs)
      const rows = await reportsOf(tx, caller.userId, since)
      const wanted = uuid !== undefined && rows.every(({ id }) => id !== uuid) ? await findReport(tx, uuid) : undefined
      if (wanted && wanted.created_at > since) rows.push(wanted)
      return { reports: rows.filter(row => isFor(row, caller.userId, ownOnly(caller) !== undefined)).map(describe) }
    })

const describe = ({ id, state, choice, from_day, to_day, schedule_id, created_at }: ReportRow) => ({
  reportUuid: id,
  state,
  ...choice,
  from: from_day,
  to: to_day,
  scheduled: schedule_id !== null,
  createdAt: created_at.toISOString(),
  keptUntil: new Date(created_at.getTime() + keptMs).toISOString(),
})

type Asked = Pick<RequestOf<typeof calls.runReport>, 'report' | 'groupBy' | 'filters' | 'format'>

/** Returns a request's choices in the form that is stored. */
export function choiceOf({ report, groupBy, filters, format }: Asked): Choice {
  if (report === 'deeds' && groupBy.length > 0) throw refuseFields([{ path: 'groupBy', rule: 'deeds', key: 'reports.deeds_ungrouped' }])
  const { productUuid, sellerUuid, way } = filters
  return {
    report,
    groupBy,
    filters: { ...(productUuid ? { productUuid } : {}), ...(sellerUuid ? { sellerUuid } : {}), ...(way ? { way } : {}) },
    format,
  }
}
