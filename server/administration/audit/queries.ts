import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { AllUnitsTx } from '#server/kit/database.ts'
import { containing } from '#server/kit/store/search.ts'
import { type Paging, offsetOf } from '#server/kit/paging.ts'

/** A search in the audit. Its days are instants already. */
export type AuditSearch = {
  who: string | undefined
  what: string | undefined
  unitId: string | undefined
  object: string | undefined
  outcome: 'done' | 'refused' | undefined
  from: Date | undefined
  before: Date | undefined
}

/** The count stops here, beyond what users page through. The export has no such limit. */
const mostCounted = 10_000

export async function listAuditRows(tx: AllUnitsTx, search: AuditSearch, paging: Paging) {
  const found = matching(tx, search)
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (${found.select('audit.id').limit(mostCounted)}) as found`.execute(tx)
  return { total: rows[0]?.total ?? 0, rows: await pageOf(tx, search, paging.perPage, offsetOf(paging)) }
}

const pageOf = (tx: AllUnitsTx, search: AuditSearch, limit: number, offset: number) =>
  withNames(matching(tx, search)).orderBy('audit.at', 'desc').orderBy('audit.id', 'desc').limit(limit).offset(offset).execute()

export type AuditRow = Awaited<ReturnType<typeof pageOf>>[number]

/** Reads the next batch after an entry. The keyset makes the last batch as fast as the first. */
export const auditAfter = (
  tx: AllUnitsTx,
  search: AuditSearch,
  last: { at: Date; id: string } | undefined,
  limit: number,
): Promise<AuditRow[]> =>
  withNames(matching(tx, search))
    .$if(last !== undefined, query => query.where(sql<boolean>`(audit.at, audit.id) < (${last?.at}, ${last?.id})`))
    .orderBy('audit.at', 'desc')
    .orderBy('audit.id', 'desc')
    .limit(limit)
    .execute()

function matching(tx: AllUnitsTx, { who, what, unitId, object, outcome, from, before }: AuditSearch) {
  return tx
    .selectFrom('audit')
    .$if(Boolean(who), query => query.where('audit.user_id', 'in', eb => peopleLike(eb, who ?? '')))
    .$if(Boolean(what), query => query.where('audit.action', 'ilike', containing(what ?? '')))
    .$if(unitId !== undefined, query => query.where('audit.business_unit_id', '=', unitId ?? ''))
    .$if(Boolean(object), query => query.where('audit.object', '=', (object ?? '').trim()))
    .$if(outcome !== undefined, query => query.where('audit.outcome', '=', outcome ?? 'done'))
    .$if(from !== undefined, query => query.where('audit.at', '>=', from ?? new Date(0)))
    .$if(before !== undefined, query => query.where('audit.at', '<', before ?? new Date(0)))
}

const peopleLike = (eb: ExpressionBuilder<Tables, 'audit'>, who: string) =>
  eb
    .selectFrom('users')
    .where(users => users.or([users('users.name', 'ilike', containing(who)), users('users.email', 'ilike', containing(who))]))
    .select('users.id')

const withNames = (found: SelectQueryBuilder<Tables, 'audit', object>) =>
  found
    .leftJoin('users', 'users.id', 'audit.user_id')
    .leftJoin('business_units', 'business_units.id', 'audit.business_unit_id')
    .leftJoin('audit_repeats', 'audit_repeats.audit_id', 'audit.id')
    .select([
      'audit.id',
      'audit.at',
      'audit.business_unit_id as unitId',
      sql<string | null>`business_units.settings->>'brandName'`.as('brandName'),
      'audit.user_id as userId',
      'users.name as userName',
      'users.email as userEmail',
      'audit.action',
      'audit.object',
      'audit.outcome',
      'audit.reason',
      // The number of refusals in that hour which this entry stands for, and the time of the last.
      sql<Record<string, unknown> | null>`case when audit_repeats.times > 1
        then coalesce(audit.details, '{}') || jsonb_build_object('times', audit_repeats.times, 'lastAt', audit_repeats.last_at) else audit.details end`.as(
        'details',
      ),
      'audit.network',
      'audit.user_agent as userAgent',
      'audit.request_id as requestId',
    ])
