import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#server/kit/scope.ts'
import type { TestApp } from '#server/kit/testing.ts'

/** Returns the plan of a query among thousands of analysed people, added for one transaction: with only three the planner would accept any index. */
export async function planAmongThousands(app: TestApp, scope: Scope, query: RawBuilder<unknown>): Promise<string> {
  const tx = await app.world.database.kysely.startTransaction().execute()
  try {
    await sql`
      insert into policy_people
      select person.* from (select * from policy_people where business_unit_id = ${scope.businessUnitId} limit 1) as one,
        generate_series(1, 2000) as n,
        jsonb_populate_record(null::policy_people, to_jsonb(one) || jsonb_build_object(
          'position', 100 + n, 'document_number', n || 'X', 'name_sort', 'name ' || n, 'given_sort', 'given ' || n)) as person`.execute(tx)
    await sql`analyze policy_people`.execute(tx)
    await sql`select set_config('role', 'portolan_app', true), set_config('portolan.business_unit', ${scope.businessUnitId}, true)`.execute(
      tx,
    )
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  } finally {
    await tx.rollback().execute()
  }
}
