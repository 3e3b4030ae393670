import type * as calls from '#common/administration/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { heldSince } from '#server/kit/work/jobs.ts'
import { audit } from '#server/session/public.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { lastLoad } from '../catalogue/queries.ts'
import { countWork, listJobRows, listMailRows } from './queries.ts'

/** Lists jobs. Their payloads hold only ids, so no view of personal data is audited. */
export const listJobs =
  (world: World): Handler<typeof calls.listJobs> =>
  async ({ ask, caller: { allUnits } }) => {
    const { total, rows } = await world.database.acrossUnits(allUnits, tx => listJobRows(tx, ask.state, ask.businessUnitUuid, ask))
    return {
      ...pagesOf(total, ask),
      jobs: rows.map(row => ({
        uuid: row.id,
        businessUnit: { uuid: row.business_unit_id, brandName: row.brandName },
        topic: row.topic,
        subscriber: row.subscriber,
        state: row.state,
        attempts: row.attempts,
        createdAt: row.created_at.toISOString(),
        runAt: row.run_at.toISOString(),
        finishedAt: row.finished_at?.toISOString() ?? null,
        lastError: row.last_error,
        payload: row.payload,
      })),
    }
  }

/** Lists mails. They show recipients' names and addresses, so the view is audited. */
export const listMails =
  (world: World): Handler<typeof calls.listMails> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { total, rows } = await world.database.acrossUnits(allUnits, async tx => {
      const found = await listMailRows(tx, ask.state, ask.businessUnitUuid, ask)
      const entry = { action: 'administration.mails_listed', outcome: 'done' as const, userId, businessUnitId: ask.businessUnitUuid }
      await audit(world, tx, input, { ...entry, details: { state: ask.state, page: ask.page, total: found.total } })
      return found
    })
    return {
      ...pagesOf(total, ask),
      mails: rows.map(({ id, unitId, brandName, at, finishedAt, ...mail }) => ({
        uuid: id,
        businessUnit: { uuid: unitId, brandName },
        at: at.toISOString(),
        finishedAt: finishedAt?.toISOString() ?? null,
        ...mail,
      })),
    }
  }

export const overview =
  (world: World): Handler<typeof calls.overview> =>
  ({ caller: { allUnits } }) =>
    world.database.acrossUnits(allUnits, async tx => ({
      ...(await countWork(tx)),
      jobsHeldSince: (await heldSince(tx))?.toISOString() ?? null,
      catalogueLoadedAt: (await lastLoad(tx))?.toISOString() ?? null,
    }))
