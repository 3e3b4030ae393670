import { sql } from 'kysely'
import { languageOf } from '#common/kit/locales.ts'
import { unitSettings } from '#server/business-unit/rows.ts'
import type { Database, Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import { offeredProducts, unitGateways } from '#server/products/rows.ts'
import { takeNumbers } from '../rows.ts'
import { openDice } from './dice.ts'
import { type Ground, invent, type Invented } from './invent.ts'

const batch = 1000
const years = 3

/** Writes so many invented policies of the unit, as from the last three years to this moment. The same seed on the same database gives the same. */
export async function seedPolicies(
  database: Database,
  scope: Scope,
  { many, seed, now, show }: { many: number; seed: number; now: Date; show: (policies: number, rows: number) => void },
): Promise<number> {
  const ground = await database.asService(tx => groundOf(scope, tx))
  const types = await database.asService(columnTypes)
  const first = await database.asService(tx => takeNumbers(scope, tx, many))
  const began = now.getTime() - years * 365 * 86_400_000
  const step = (now.getTime() - began) / many
  const starts = Array.from({ length: Math.ceil(many / batch) }, (_, part) => part * batch)
  let [done, rows] = [0, 0]
  const work = async (): Promise<void> => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      const from = start
      const size = Math.min(batch, many - from)
      // Each batch throws its own dice, and what is there already is another chance: no id comes twice.
      const dice = openDice(seed + first + from)
      const invented = Array.from({ length: size }, (_, at) =>
        invent(ground, dice, Math.floor(began + (from + at) * step), first + from + at),
      )
      const written = await database.asService(tx => writeAll(scope, tx, types, invented))
      rows += written
      done += size
      show(done, rows)
    }
  }
  await Promise.all([work(), work()])
  await sql`vacuum (analyze) policies`.execute(database.kysely)
  return rows
}

async function groundOf(scope: Scope, tx: Tx): Promise<Ground> {
  const unit = await unitSettings(scope, tx)
  const offered = await offeredProducts(scope, tx)
  const gateway = (await unitGateways(scope, tx)).find(({ name }) => name === 'Deferred')
  const sellers = await tx
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.business_unit_id', '=', scope.businessUnitId)
    .orderBy('users.email')
    .select(['users.id', 'users.name'])
    .execute()
  const versions = await tx.selectFrom('products').select(['id', 'version']).execute()
  const { version } = await tx.selectFrom('catalogue_versions').select('version').orderBy('version', 'desc').executeTakeFirstOrThrow()
  if (!gateway || offered.length === 0 || sellers.length === 0) throw new Error('the unit sells nothing')
  return {
    products: offered.map(({ id, content, commissionPercent }) => ({
      id,
      name: content.name[languageOf(unit.locale)],
      version: versions.find(each => each.id === id)?.version ?? 1,
      tariffVersion: content.tariffVersion,
      commission: commissionPercent,
    })),
    sellers,
    gatewayId: gateway.id,
    country: unit.country,
    timeZone: unit.timeZone,
    locale: unit.locale,
    currency: unit.currency,
    catalogueVersion: version,
  }
}

/** The types of all columns, by table and name: what an array of values is cast to. */
async function columnTypes(tx: Tx): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; type: string }>`
    select table_name || '.' || column_name as name, udt_name as type from information_schema.columns where table_schema = current_schema()`.execute(
    tx,
  )
  return new Map(rows.map(({ name, type }) => [name, type]))
}

/** In the order that the keys between them want. */
const tables = [
  'policies',
  'policy_versions',
  'policy_people',
  'policy_price_lines',
  'policy_history',
  'agency_ledger',
  'payments',
] as const

async function writeAll(scope: Scope, tx: Tx, types: Map<string, string>, invented: Invented[]): Promise<number> {
  let rows = 0
  for (const table of tables) {
    const all = invented.flatMap(each => each[table])
    rows += all.length
    await writeColumns(scope, tx, types, table, all)
  }
  await countAll(scope, tx, invented)
  return rows
}

/** A column at a time: an array each, so that however many rows there are, there are as many parameters as columns. */
async function writeColumns(
  scope: Scope,
  tx: Tx,
  types: Map<string, string>,
  table: string,
  rows: Record<string, unknown>[],
): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  if (names.length === 0) return
  const columns = names.map(name => sql`${rows.map(row => row[name])}::${sql.raw(types.get(`${table}.${name}`) as string)}[]`)
  await sql`insert into ${sql.table(table)} (business_unit_id, ${sql.join(names.map(name => sql.ref(name)))})
    select ${scope.businessUnitId}::uuid, * from unnest(${sql.join(columns)})`.execute(tx)
}

async function countAll(scope: Scope, tx: Tx, invented: Invented[]): Promise<void> {
  const many = (status: string) => invented.filter(({ policies }) => policies[0]?.['status'] === status).length
  const statuses = ['budgeted', 'pending', 'purchased', 'cancelled'] as const
  await tx
    .insertInto('policy_counts')
    .values({ business_unit_id: scope.businessUnitId, part: 0, ...Object.fromEntries(statuses.map(status => [status, many(status)])) })
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'part'])
        .doUpdateSet(Object.fromEntries(statuses.map(status => [status, sql`${sql.ref(`policy_counts.${status}`)} + ${many(status)}`]))),
    )
    .execute()
}
