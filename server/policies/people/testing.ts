import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '#server/kit/scope.ts'
import type { TestApp } from '#server/kit/testing.ts'

/**
 * Returns the plan of a query among thousands of analysed people, each of a policy of their own, who are added for one transaction. With only three the
 * planner would accept any index.
 */
export async function planAmongThousands(app: TestApp, scope: Scope, query: RawBuilder<unknown>): Promise<string> {
  const tx = await app.world.database.kysely.startTransaction().execute()
  try {
    // The rows need not be whole policies.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const [table, changes] of Object.entries(thousands)) {
      const { rows: written } = await sql<{ name: string }>`
        select attname as name from pg_attribute
        where attrelid = ${table}::regclass and attnum > 0 and attgenerated = '' and not attisdropped`.execute(tx)
      const columns = sql.join(written.map(({ name }) => sql.ref(name)))
      await sql`
        insert into ${sql.table(table)} (${columns})
        select ${columns} from (
          select (jsonb_populate_record(null::${sql.table(table)}, to_jsonb(one) || ${changes})).*
          from (select * from ${sql.table(table)} where business_unit_id = ${scope.businessUnitId} limit 1) as one, generate_series(1, 2000) as n
        ) as added`.execute(tx)
      await sql`analyze ${sql.table(table)}`.execute(tx)
    }
    await sql`select set_config('role', 'portolan_app', true), set_config('portolan.business_unit', ${scope.businessUnitId}, true)`.execute(
      tx,
    )
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(tx)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  } finally {
    await tx.rollback().execute()
  }
}

/** The columns in which the added rows differ from the one that is copied. */
const thousands = {
  policies: sql`jsonb_build_object('id', md5(n::text)::uuid, 'number', case when one.number is not null then 'X' || n end)`,
  policy_versions: sql`jsonb_build_object('policy_id', md5(n::text)::uuid)`,
  policy_people: sql`jsonb_build_object(
    'policy_id', md5(n::text)::uuid, 'document_hash', '\\x' || md5(n::text), 'sealed', '\\x00', 'sealed_by', 'key', 'document_number', null,
    'name_sort', 'name ' || n, 'given_sort', 'given ' || n)`,
}
