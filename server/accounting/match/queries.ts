import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { mostLines, type OwnPolicy } from '#common/accounting/match/match.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { movementsWhere } from '../queries.ts'

/** Returns the sums of the policies with a movement: if there are too many, one more than is compared. */
export async function policySums(tx: UnitTx, condition: RawBuilder<SqlBool>, own: string | undefined): Promise<OwnPolicy[]> {
  const { rows } = await sql<OwnPolicy>`
    select policy_id as id, number, reference, sum(gross_cents)::float8 as gross, sum(earned_cents)::float8 as commission
    from (${movementsWhere(condition)}) as movement
    where ${own === undefined ? sql`true` : sql`seller_id = ${own}`}
    group by policy_id, number, reference order by number limit ${mostLines + 1}`.execute(tx)
  return rows.map(row => ({ ...row, number: row.number ?? '' }))
}
