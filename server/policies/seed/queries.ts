import { sql } from 'kysely'
import { moveExposure } from '#server/accounting/public.ts'
import { asOwner, type ServiceTx, type UnitTx } from '#server/kit/database.ts'
import type { InventedRows, Value } from './invent.ts'

/** Ordered by their foreign keys. */
export const seededTables = [
  'policies',
  'policy_versions',
  'policy_people',
  'policy_price_lines',
  'policy_history',
  'money_book',
  'payments',
] as const satisfies (keyof InventedRows)[]

export type ColumnTypes = Map<string, string>

/** Returns the types of all columns by table and name, to which arrays are cast. */
export async function columnTypes(tx: ServiceTx): Promise<ColumnTypes> {
  const { rows } = await sql<{ name: string; type: string }>`
    select table_name || '.' || column_name as name, udt_name as type from information_schema.columns where table_schema = current_schema()`.execute(
    tx,
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

export type Batch = { rows: number; write(tx: UnitTx): Promise<unknown> }

/**
 * Builds the statement that inserts a batch into all tables. Each column is one array, so the number of parameters does not grow with the
 * rows. The arrays are built while the database still works on the batch before.
 */
export function batchOf(types: ColumnTypes, invented: InventedRows[]): Batch {
  const tables = seededTables.map(table => ({ table, rows: invented.flatMap(each => each[table]) })).filter(({ rows }) => rows.length > 0)
  const parts = tables.map(({ table, rows }) => {
    const names = Object.keys(rows[0] ?? {})
    // Safe: the types are those of all columns.
    const columns = names.map(name => sql`${arrayOf(rows, name)}::${sql.raw(types.get(`${table}.${name}`) as string)}[]`)
    return { table, names: sql.join(names.map(name => sql.ref(name))), columns: sql.join(columns) }
  })
  const write = async (tx: UnitTx) => {
    const inserts = parts.map(
      ({ table, names, columns }) => sql`${sql.ref(`into_${table}`)} as (insert into ${sql.table(table)} (business_unit_id, ${names})
        select ${tx.businessUnitId}::uuid, * from unnest(${columns}))`,
    )
    await sql`with ${sql.join(inserts)} ${countOf(tx, invented)}`.execute(tx)
    for (const [currency, cents] of onAccount(invented)) await moveExposure(tx, { cents, currency, at: new Date() }, false)
  }
  return { rows: tables.reduce((sum, { rows }) => sum + rows.length, 0), write }
}

/** Returns the cents that the invented policies put on the agency's account, by currency. */
function onAccount(invented: InventedRows[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { currency, agency_account: cents } of invented.flatMap(({ money_book }) => money_book))
    if (typeof cents === 'number' && typeof currency === 'string') sums.set(currency, (sums.get(currency) ?? 0) + cents)
  return sums
}

/** Formats an array as a PostgreSQL literal. */
const arrayOf = (rows: Record<string, Value>[], name: string): string => `{${rows.map(row => elementOf(row[name])).join(',')}}`

function elementOf(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string') return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return value instanceof Date ? `"${value.toISOString()}"` : String(value)
}

function countOf(tx: UnitTx, invented: InventedRows[]) {
  const statuses = ['budgeted', 'pending', 'purchased', 'cancelled'] as const
  const many = statuses.map(status => invented.filter(({ policies }) => policies[0]?.['status'] === status).length)
  const added = statuses.map(status => sql`${sql.ref(status)} = policy_counts.${sql.ref(status)} + excluded.${sql.ref(status)}`)
  return sql`insert into policy_counts (business_unit_id, part, ${sql.join(statuses.map(status => sql.ref(status)))})
    values (${tx.businessUnitId}, 0, ${sql.join(many)}) on conflict (business_unit_id, part) do update set ${sql.join(added)}`
}

export const isEmpty = async (tx: ServiceTx): Promise<boolean> =>
  (await tx.selectFrom('policies').select('id').limit(1).execute()).length === 0

type Definition = { table: string; name: string; definition: string }

/**
 * Runs `work` without indexes and foreign keys, and creates them again afterwards. This is much faster for many rows. Everything is part of
 * the given transaction, so the schema is never left incomplete. The tables are locked meanwhile, so this is for empty ones.
 */
export async function withoutIndexes(tx: ServiceTx, work: () => Promise<void>, show: (done: number, of: number) => void): Promise<void> {
  await sql`select set_config('maintenance_work_mem', '256MB', true)`.execute(tx)
  const tables = sql`any(${seededTables}::regclass[])`
  const { rows: keys } = await sql<Definition>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = ${tables} order by conrelid, conname`.execute(tx)
  const { rows: indexes } = await sql<Definition>`
    select indrelid::regclass::text as "table", indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = ${tables} and not exists (select from pg_constraint where conindid = indexrelid) order by indrelid, indexrelid`.execute(
    tx,
  )
  await asOwner(tx, async () => {
    for (const { table, name } of keys) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(tx)
  })
  await work()
  const statements = [
    ...indexes.map(({ definition }) => sql.raw(definition)),
    ...keys.map(
      ({ table, name, definition }) => sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`,
    ),
  ]
  await asOwner(tx, async () => {
    for (const [done, statement] of statements.entries()) {
      show(done, statements.length)
      await statement.execute(tx)
    }
  })
}
