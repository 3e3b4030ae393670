import { type Kysely, sql } from 'kysely'
import { OperatorError } from '#server/config/operator-error.ts'
import { atLeisureAlone, type Database } from '#server/kit/database.ts'
import type { Tables } from '#server/kit/sql/tables.ts'

/**
 * Tables that stay on the first machine: those written at every sign-in or in batches of many units, and those without a unit that no unit's query reads.
 * Their rows refer to no row on another machine.
 */
const localTables = new Set([
  'audit',
  'audit_repeats',
  'client_finds',
  'kysely_migration',
  'kysely_migration_lock',
  'one_time_tokens',
  'policy_numbering',
  'quotes',
  'recovery_codes',
  'retention_runs',
  'sessions',
  'sign_in_failures',
  'wrong_codes',
])

/** Tables of units that every machine has as a whole, like shared ones: few rows, rarely written, and read for all units at once. */
const copiedTables = new Set(['bordereau_units', 'memberships', 'unit_gateways', 'unit_products'])

/** The place of a table's rows: each unit's on one machine, all on every machine, or all on the first. */
export type Place = 'distributed' | 'copied' | 'local'

/** Citus is missing, has no machine to distribute to, or refuses the schema. */
class NotDistributable extends OperatorError {}

/** How many tables were placed where, without those that were there already. */
export type Distribution = Record<Place, number> & { nodes: number }

type Table = { name: string; place: Place; isDone: boolean }
type Key = { table: string; name: string; definition: string }

/**
 * Distributes the tables over the machines of a Citus cluster, by unit (docs/scaling.md). It can be repeated: it goes on where it was broken off, and
 * places the tables of later migrations. No other session may work meanwhile, as references are dropped and made again.
 */
export async function distribute(database: Database, { shards }: { shards: number }, say: (text: string) => void): Promise<Distribution> {
  if (database.embedded) throw new NotDistributable('The embedded database runs on one machine. Name a server by DATABASE_URL')
  return atLeisureAlone(database, async db => {
    const nodes = await demandCluster(db)
    await demandAlone(db)
    const tables = await tablesOf(db)
    const obstacles = await obstaclesIn(
      db,
      tables.filter(({ place }) => place === 'distributed').map(({ name }) => name),
    )
    if (obstacles.length > 0) throw new NotDistributable(`This schema cannot be distributed: ${obstacles.join('; ')}`)
    await sql`select set_config('citus.shard_count', ${String(shards)}, false), set_config('citus.multi_shard_modify_mode', 'sequential', false)`.execute(
      db,
    )
    const open = tables.filter(({ place, isDone }) => !isDone && place !== 'local')
    if (open.length > 0) {
      await keepKeys(db)
      // The shared tables first, as those of units refer to them.
      for (const { name, place } of open.toSorted((a, b) => a.place.localeCompare(b.place))) {
        say(name)
        await placeTable(db, name, place)
      }
    }
    for (const { name, place } of tables) if (place !== 'local') await emptyFirst(db, name)
    await restoreKeys(db)
    await letWorkersFollow(db)
    const count = (place: Place) => open.filter(table => table.place === place).length
    return {
      distributed: count('distributed'),
      copied: count('copied'),
      local: tables.filter(({ place }) => place === 'local').length,
      nodes,
    }
  })
}

/** Returns the place of a table. `isOfUnits`: it has a unit's column. */
export function placeOf(name: string, isOfUnits: boolean): Place {
  if (localTables.has(name)) return 'local'
  return isOfUnits && !copiedTables.has(name) ? 'distributed' : 'copied'
}

/** Returns the number of machines that hold rows of units. */
async function demandCluster(db: Kysely<Tables>): Promise<number> {
  const { rows: found } = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  if (found.length === 0)
    throw new NotDistributable(
      'The database has no extension citus: load it by shared_preload_libraries on each machine, then create extension citus',
    )
  const { rows } = await sql<{ nodes: number; first: number }>`
    select count(*) filter (where shouldhaveshards and isactive) as nodes, count(*) filter (where groupid = 0) as first
    from pg_dist_node where noderole = 'primary'`.execute(db)
  const [{ nodes, first } = { nodes: 0, first: 0 }] = rows
  if (first === 0) throw new NotDistributable('The first machine is not named: select citus_set_coordinator_host(HOST, PORT)')
  if (nodes === 0) throw new NotDistributable('There is no machine to distribute to: select citus_add_node(HOST, PORT)')
  return nodes
}

/** Throws if another session is connected. Even an idle service counts, as it would continue as on one machine. */
async function demandAlone(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and application_name not like 'citus%'`.execute(
    db,
  )
  if (rows.length > 0) throw new NotDistributable(`${rows.length} other sessions are open in this database: stop the service first`)
}

async function tablesOf(db: Kysely<Tables>): Promise<Table[]> {
  const { rows } = await sql<{ name: string; isOfUnits: boolean; isDone: boolean }>`
    select relname as name, exists (
        select from pg_attribute where attrelid = found.oid and attname = 'business_unit_id' and not attisdropped) as "isOfUnits",
      exists (select from pg_dist_partition where logicalrelid = found.oid and (partmethod = 'h' or repmodel = 't')) as "isDone"
    from pg_class as found where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`.execute(db)
  return rows.map(({ name, isOfUnits, isDone }) => ({ name, isDone, place: placeOf(name, isOfUnits) }))
}

/** Returns what keeps tables from being distributed by unit. */
export async function obstaclesIn(db: Kysely<Tables>, tables: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ obstacle: string }>`
    with table_of_units as (select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relname = any(${tables}::text[]))
    select 'the unique index ' || indexrelid::regclass || ' does not begin with the unit' as obstacle
    from pg_index join table_of_units on oid = indrelid join pg_attribute on attrelid = indrelid and attnum = indkey[0]
    where indisunique and attname <> 'business_unit_id'
    union all
    select 'the table ' || relname || ' has the trigger ' || tgname from pg_trigger join table_of_units on table_of_units.oid = tgrelid
    where not tgisinternal and tgname not like 'truncate_trigger%'
    union all
    select 'the table ' || relname || ' has the exclusion constraint ' || conname from pg_constraint join table_of_units on table_of_units.oid = conrelid
    where contype = 'x'
    union all
    select 'the table ' || relname || ' inherits' from pg_inherits join table_of_units on oid = inhrelid
    union all
    select 'the reference ' || conname || ' of ' || conrelid::regclass || ' leads from no unit to a unit’s rows'
    from pg_constraint join table_of_units on table_of_units.oid = confrelid
    where contype = 'f' and not (conrelid = any(select oid from table_of_units))
    union all
    select 'the reference ' || conname || ' of ' || relname || ' may lead to another unit'
    from pg_constraint join table_of_units on table_of_units.oid = conrelid
      join pg_attribute as own on own.attrelid = conrelid and own.attnum = conkey[1]
      join pg_attribute as other on other.attrelid = confrelid and other.attnum = confkey[1]
    where contype = 'f' and confrelid = any(select oid from table_of_units)
      and (own.attname <> 'business_unit_id' or other.attname <> 'business_unit_id')
    order by 1`.execute(db)
  return rows.map(({ obstacle }) => obstacle)
}

/** Drops the references, as some tables refer to each other. Their text is kept beside the schema until they are created again. */
async function keepKeys(db: Kysely<Tables>): Promise<void> {
  await db.transaction().execute(async tx => {
    await sql`create schema if not exists distributing`.execute(tx)
    await sql`create table if not exists distributing.keys ("table" text, name text, definition text, primary key ("table", name))`.execute(
      tx,
    )
    const { rows } = await sql<Key>`
      insert into distributing.keys
      select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0
      on conflict do nothing
      returning *`.execute(tx)
    for (const { table, name } of rows) await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  })
}

async function placeTable(db: Kysely<Tables>, name: string, place: Place): Promise<void> {
  await db.transaction().execute(async tx => {
    const table = sql.table(name)
    const { rows } = await sql<{
      forced: boolean
    }>`select relforcerowsecurity as forced from pg_class where oid = ${name}::regclass`.execute(tx)
    // Row-level security shows no unit's row to the owner, who would copy none.
    if (rows[0]?.forced) await sql`alter table ${table} no force row level security`.execute(tx)
    if (place === 'copied') await sql`select create_reference_table(${name}::regclass)`.execute(tx)
    else
      await sql`select create_distributed_table(${name}::regclass, 'business_unit_id', colocate_with => ${await besideWhich(tx)})`.execute(
        tx,
      )
    if (rows[0]?.forced) await sql`alter table ${table} force row level security`.execute(tx)
  })
}

/** Empties the first machine's own copy, which no query reads once the rows are distributed. */
const emptyFirst = (db: Kysely<Tables>, name: string): Promise<unknown> =>
  sql`select truncate_local_data_after_distributing_table(${name}::regclass) where pg_relation_size(${name}::regclass) > 0`.execute(db)

/** Returns a distributed table, beside whose rows of a unit those of other tables are placed. */
async function besideWhich(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
    where partmethod = 'h' and relnamespace = 'public'::regnamespace order by 1 limit 1`.execute(db)
  return rows[0]?.name ?? 'none'
}

async function restoreKeys(db: Kysely<Tables>): Promise<void> {
  const { rows: known } = await sql<{ isKept: boolean }>`select to_regclass('distributing.keys') is not null as "isKept"`.execute(db)
  if (!known[0]?.isKept) return
  const { rows: keys } = await sql<Key>`select * from distributing.keys order by 1, 2`.execute(db)
  for (const { table, name, definition } of keys)
    await db.transaction().execute(async tx => {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(tx)
      await sql`delete from distributing.keys where "table" = ${table} and name = ${name}`.execute(tx)
    })
  await sql`drop schema distributing cascade`.execute(db)
}

/**
 * Lets the other machines take a transaction's role and unit from the first. It connects to them as the role, and sends the settings of the
 * transaction.
 */
async function letWorkersFollow(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set citus.propagate_set_commands = 'local'`.execute(db)
  const { rows: roles } = await sql<{
    name: string
  }>`select rolname as name from pg_roles where rolname like 'portolan\\_%' and not rolcanlogin`.execute(db)
  for (const { name } of roles) await sql`alter role ${sql.ref(name)} login`.execute(db)
  await letFunctionsFind(db)
}

/** The functions of a search. The service's role owns them, and the unit's role calls them. */
const finders = ['policies_found(text[])', 'tickets_found(text[])', 'people_found(bytea[], text, text, text[], text[])']

/**
 * Lets the functions of a search run on the machine of the unit's rows, where a query calls them. They read no other machine's rows. Where the first
 * machine calls one, it connects as the service's role, which must be able to take the role of the transaction.
 */
async function letFunctionsFind(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  await sql`alter database ${sql.ref(rows[0]?.name ?? '')} set citus.allow_nested_distributed_execution = on`.execute(db)
  await sql`grant portolan_app to portolan_service`.execute(db)
  for (const finder of finders) {
    await sql`select create_distributed_function(${finder}::regprocedure)`.execute(db)
    const named = sql.raw(finder)
    await sql`alter function ${named} reset plan_cache_mode`.execute(db)
    await sql`revoke execute on function ${named} from public`.execute(db)
    await sql`grant execute on function ${named} to portolan_app`.execute(db)
  }
}
