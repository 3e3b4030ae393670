import type * as calls from '#common/administration/calls.ts'
import { addDays } from '#common/kit/dates.ts'
import type { ResponseSentOf } from '#common/kit/call.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { audit } from '#server/session/public.ts'
import { pagesOf } from '#server/kit/paging.ts'
import { type AuditRow, type AuditSearch, listAuditRows } from './queries.ts'

/** Lists audit entries. Reading them views people's actions, so it is audited, too. */
export const listAudit =
  (world: World): Handler<typeof calls.listAudit> =>
  async input => {
    const { ask, caller } = input
    const { allUnits, userId } = caller
    const { page, perPage, ...search } = ask
    const wanted = searchOf(search)
    const { total, rows } = await world.database.acrossUnits(allUnits, async tx => {
      const found = await listAuditRows(tx, wanted, { page, perPage })
      const entry = { action: 'administration.audit_read', outcome: 'done' as const, userId, businessUnitId: ask.businessUnitUuid }
      await audit(world, tx, input, { ...entry, details: { ...search, page } })
      return found
    })
    return { ...pagesOf(total, { page, perPage }), entries: rows.map(describeEntry) }
  }

type Search = Omit<Parameters<Handler<typeof calls.listAudit>>[0]['ask'], 'page' | 'perPage'>

/** Returns the search with days as UTC instants, since the units are in several time zones. */
export function searchOf({ who, what, businessUnitUuid, object, outcome, dateFrom, dateTo }: Search): AuditSearch {
  return {
    who,
    what,
    object,
    outcome,
    unitId: businessUnitUuid,
    from: dateFrom === undefined ? undefined : new Date(`${dateFrom}T00:00:00Z`),
    before: dateTo === undefined ? undefined : new Date(`${addDays(dateTo, 1)}T00:00:00Z`),
  }
}

function describeEntry(row: AuditRow): ResponseSentOf<typeof calls.listAudit>['entries'][number] {
  const { id, at, unitId, brandName, userId, userName, userEmail, ...rest } = row
  return {
    uuid: id,
    at: at.toISOString(),
    user: userId === null ? null : { uuid: userId, name: userName ?? '', email: userEmail ?? '' },
    businessUnit: unitId === null ? null : { uuid: unitId, brandName: brandName ?? '' },
    ...rest,
  }
}
