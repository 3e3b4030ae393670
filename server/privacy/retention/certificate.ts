import { sql } from 'kysely'
import type * as calls from '#common/privacy/calls.ts'
import type { World } from '#server/kit/app-context.ts'
import type { Handler } from '#server/kit/serve.ts'
import { steps } from './batches.ts'
import { dryRun } from './run.ts'

type Counted = { unit: string; brand: string; class: string; what: 'blocked' | 'erased'; objects: number }

/** Certifies what was blocked and erased in a month, from the counts that each night wrote with its work. */
export const retentionCertificate =
  (world: World): Handler<typeof calls.retentionCertificate> =>
  ({ ask: { month } }) =>
    world.database.asPrivacy(async tx => {
      const inMonth = sql`day >= ${`${month}-01`}::date and day < ${`${month}-01`}::date + interval '1 month'`
      const { rows } = await sql<Counted>`
        select business_unit_id as unit, unit.settings->>'brandName' as brand, class, what, sum(objects)::bigint as objects
        from retention_counts join business_units as unit on unit.id = business_unit_id
        where ${inMonth} group by 1, 2, 3, 4 order by 2, 3, 4`.execute(tx)
      const { rows: nights } = await sql<{ nights: number; audit: number }>`
        select count(finished_at)::bigint as nights, coalesce(sum((counts->>'audit')::bigint), 0)::bigint as audit from retention_runs
        where ${inMonth}`.execute(tx)
      return {
        month,
        nights: nights[0]?.nights ?? 0,
        audit: nights[0]?.audit ?? 0,
        counts: rows.map(({ unit, brand, ...counted }) => ({ businessUnit: { uuid: unit, brandName: brand }, ...counted })),
      }
    })

/** Counts what the next night would do. */
export const retentionDue =
  (world: World): Handler<typeof calls.retentionDue> =>
  async () => {
    const due = await dryRun(world)
    return {
      counts: due.map(({ businessUnitId, brandName, class: of, objects }) => ({
        businessUnit: { uuid: businessUnitId, brandName },
        class: of,
        what: steps[of].what,
        objects,
      })),
    }
  }
