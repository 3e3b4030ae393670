import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { sortKeys } from '#common/policies/search.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { isIndexed, wordPatterns } from '#server/kit/store/search.ts'
import type { PolicyRow } from '../queries.ts'
import type { StoredStatus } from '../tables.ts'

export type Sorting = { key: (typeof sortKeys)[number]; order: 'asc' | 'desc' }

/** What a list is asked for. `words` is searchable text, `sellerId` narrows to one's own, `ids` to those named. */
export type Filter = {
  statuses: StoredStatus[]
  words: string
  from: string | undefined
  to: string | undefined
  sellerId: string | undefined
  ids: string[] | undefined
}

const columns = {
  policyUuid: 'id',
  policyNumber: 'number',
  productUuid: 'product_id',
  productName: 'product_sort',
  policyTaker: 'taker_sort',
  username: 'seller_sort',
  startDate: 'start_date',
  endDate: 'end_date',
  createdAt: 'created_at',
  status: 'status',
  buReference: 'reference_sort',
} as const satisfies Record<Sorting['key'], keyof Tables['policies']>

/** The policies of these statuses, before anything narrows them. */
const ofStatus = (tx: UnitTx, statuses: StoredStatus[]) => tx.selectFrom('policies').where('status', 'in', statuses)

/** What else a policy has to be. `asked`: how its words are looked for. */
function narrowing({ sellerId, from, to, ids, words }: Filter, asked: (words: string) => RawBuilder<SqlBool> = found) {
  const all = [sql<SqlBool>`true`]
  if (sellerId !== undefined) all.push(sql`seller_id = ${sellerId}`)
  if (from !== undefined) all.push(sql`start_date >= ${from}`)
  if (to !== undefined) all.push(sql`start_date <= ${to}`)
  if (ids !== undefined) all.push(sql`id = any(${ids}::uuid[])`)
  if (words !== '') all.push(asked(words))
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

/** Asked of each row that is looked at. */
const contains = (words: string) => sql<SqlBool>`search like all (${wordPatterns(words)}::text[])`

/** Taken from the index of words, which only this function can read (0020-search-words.sql). */
const found = (words: string) =>
  isIndexed(words) ? sql<SqlBool>`id in (select found.id from policies_found(${wordPatterns(words)}::text[]) as found)` : contains(words)

/** How many match; and which, where a search finds few. */
export type Found = { matches: number; ids?: string[] }
const few = 100

/** Counted one by one. */
export async function countPolicies(tx: UnitTx, filter: Filter): Promise<Found> {
  const { words, statuses } = filter
  if (isIndexed(words)) {
    const { rows } = await sql<{
      id: string
      many: number
    }>`select id, count(*) over () as many from policies_found(${wordPatterns(words)}::text[])
      where status = any(${statuses}::text[]) and ${narrowing({ ...filter, words: '' })} limit ${few + 1}`.execute(tx)
    const matches = rows[0]?.many ?? 0
    return matches <= few ? { matches, ids: rows.map(({ id }) => id) } : { matches }
  }
  const { many } = await ofStatus(tx, statuses)
    .where(narrowing(filter))
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return { matches: many }
}

/** `offset` counts rows. */
export type Window = { sorting: Sorting[]; offset: number; limit: number }

/**
 * One page. Its ids are found first, from the index of the order that is asked for, and only these rows are then read. Each status has its own
 * stretch of every index, so several are merged from their first rows each.
 */
export async function pageOfPolicies(tx: UnitTx, filter: Filter, window: Window): Promise<PolicyRow[]> {
  const { sorting, offset, limit } = window
  const page = ordered(tx.derived.selectFrom(firstOf(tx, filter, sorting, offset + limit).as('policies')).select('id'), sorting)
  return policiesById(tx, await idsOf(page.offset(offset).limit(limit)))
}

const idsOf = async (query: { execute(): Promise<{ id: string }[]> }): Promise<string[]> => (await query.execute()).map(({ id }) => id)

/** The first so many by the index of that order, of each status for itself. */
function firstOf(tx: UnitTx, filter: Filter, sorting: Sorting[], many: number) {
  const [first, ...others] = filter.statuses.map(status =>
    tx.derived
      .selectFrom(
        ordered(
          ofStatus(tx, [status])
            .where(narrowing(filter))
            .select(['id', ...keysOf(sorting)]),
          sorting,
        )
          .limit(many)
          .as('found'),
      )
      .selectAll(),
  )
  if (!first) throw new Error('a list of no status')
  return others.reduce((merged, each) => merged.unionAll(each), first)
}

/**
 * One page of a search, of which is known how many match and among how many. Where many do, they are met soon along the order's own index, which
 * is followed for as far as they should be found in; where few do, or they lie elsewhere, all of them come from the index of words, if the count
 * has not told which they are, and are then put in order. Either is chosen by what it costs, not by the planner's guess of how often a word is met.
 */
export async function pageOfFound(
  tx: UnitTx,
  filter: Filter,
  { sorting, offset, limit }: Window,
  { matches, among, ids }: Found & { among: number },
): Promise<PolicyRow[]> {
  const wanted = Math.min(limit, matches - offset)
  if (wanted <= 0) return []
  const reach = Math.ceil((4 * (offset + wanted) * among) / matches)
  if (!ids && sorting.length === 1 && reach <= matches) {
    const met = await idsAlong(tx, filter, { sorting, offset, limit: wanted }, reach)
    if (met.length === wanted) return policiesById(tx, met)
  }
  const all = ofStatus(tx, filter.statuses)
    .where(narrowing(ids ? { ...filter, words: '', ids } : filter))
    .select(['id', ...keysOf(sorting)])
  const found = tx.derived.with(
    cte => cte('policies').materialized(),
    () => all,
  )
  return policiesById(tx, await idsOf(ordered(found.selectFrom('policies').select('id'), sorting).offset(offset).limit(wanted)))
}

/** Those that match among the first `reach` of the whole list. */
function idsAlong(tx: UnitTx, filter: Filter, { sorting, offset, limit }: Window, reach: number): Promise<string[]> {
  const told = [...new Set(['id', 'seller_id', 'start_date', 'search', ...keysOf(sorting)] as const)]
  const stretches = filter.statuses.map(status => sql`(${ordered(ofStatus(tx, [status]).select(told), sorting).limit(reach)})`)
  const along = sql`(select * from (${sql.join(stretches, sql` union all `)}) as policies order by ${orderOf(sorting)} limit ${reach})`
  return sql<{
    id: string
  }>`select id from ${along} as policies where ${narrowing(filter, contains)} order by ${orderOf(sorting)} offset ${offset} limit ${limit}`
    .execute(tx)
    .then(({ rows }) => rows.map(({ id }) => id))
}

const keysOf = (sorting: Sorting[]) => [...new Set(sorting.map(({ key }) => columns[key]))].filter(column => column !== 'id')

type Step = { column: (typeof columns)[Sorting['key']]; order: 'asc' | 'desc' }

/** The id decides between equals, in the direction of the first order, so that an index is read from one end to the other. */
const stepsOf = (sorting: Sorting[]): Step[] => [
  ...sorting.map(({ key, order }) => ({ column: columns[key], order })),
  { column: 'id', order: sorting[0]?.order ?? 'asc' },
]

const ordered = <Query extends { orderBy: (column: never, direction: never) => Query }>(query: Query, sorting: Sorting[]): Query =>
  stepsOf(sorting).reduce((sorted, { column, order }) => sorted.orderBy(column as never, order as never), query)

const orderOf = (sorting: Sorting[]) => sql.join(stepsOf(sorting).map(({ column, order }) => sql`${sql.ref(column)} ${sql.raw(order)}`))

const idBytes = 16

/**
 * The ids of all that match, in order and one after the other: sixteen bytes each, so that a million of them can be held. They are fetched in
 * parts, since each comes as text of twice its length and more.
 */
export async function idsInOrder(tx: UnitTx, filter: Filter, sorting: Sorting[], most: number, atOnce = 5000): Promise<Buffer> {
  const all = ofStatus(tx, filter.statuses)
    .where(narrowing(filter))
    .select(['id', sql<number>`row_number() over (order by ${orderOf(sorting)})`.as('place')])
  await sql`declare ids no scroll cursor for
    select string_agg(uuid_send(id), ''::bytea order by place) as ids from (${all} order by place limit ${most}) as found
    group by (place - 1) / ${sql.lit(atOnce)} order by min(place)`.execute(tx)
  const parts: Buffer[] = []
  for (;;) {
    const { rows } = await sql<{ ids: Buffer }>`fetch 8 from ids`.execute(tx)
    if (rows.length === 0) return Buffer.concat(parts)
    parts.push(...rows.map(({ ids }) => ids))
  }
}

/** So many ids from a place on. */
export const idsAt = (ids: Buffer, place: number, many: number): string[] =>
  Array.from({ length: Math.min(many, ids.length / idBytes - place) }, (_, index) => {
    const hex = ids.toString('hex', (place + index) * idBytes, (place + index + 1) * idBytes)
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  })

export const manyIds = (ids: Buffer): number => ids.length / idBytes

const exported = [
  'id',
  'number',
  'product_name',
  'taker',
  'seller_name',
  'start_date',
  'end_date',
  'created_at',
  'status',
  'reference',
  'total_cents',
  'currency',
] as const

export type ExportedRow = Pick<PolicyRow, (typeof exported)[number]>

/** What a workbook tells of these, as far as they are still what was asked for. */
export async function exportedById(tx: UnitTx, statuses: StoredStatus[], ids: string[]): Promise<ExportedRow[]> {
  const rows = await ofStatus(tx, statuses).where(sql<SqlBool>`id = any(${ids}::uuid[])`).select(exported).execute()
  return inOrder(ids, rows)
}

function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

export async function policiesById(tx: UnitTx, ids: string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return []
  const rows = await tx.selectFrom('policies').selectAll().where(sql<SqlBool>`id = any(${ids}::uuid[])`).execute()
  return inOrder(ids, rows)
}

/** What was sold under a number, if he who asks may know of it. */
export const soldPolicy = (tx: UnitTx, number: string, sellerId: string | undefined): Promise<PolicyRow | undefined> => {
  const found = tx.selectFrom('policies').selectAll().where('number', '=', number).where('status', 'in', ['purchased', 'cancelled'])
  return (sellerId === undefined ? found : found.where('seller_id', '=', sellerId)).executeTakeFirst()
}

/** The policies that bear a number, one a unit at most: found by each unit's own index. */
export const policiesNumbered = (tx: ServiceTx, number: string) =>
  tx
    .selectFrom('business_units')
    .innerJoin('policies', 'policies.business_unit_id', 'business_units.id')
    .where('policies.number', '=', number)
    .where('policies.status', 'in', ['purchased', 'cancelled'])
    .select(['policies.id', 'policies.status', 'policies.start_date', 'policies.end_date'])
    .select(sql<string>`business_units.settings->>'timeZone'`.as('time_zone'))
    .execute()

export type Numbered = Awaited<ReturnType<typeof policiesNumbered>>[number]
