import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { sortKeys } from '#common/policies/calls.ts'
import type { Tables } from '#server/database/tables.ts'
import type { Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'
import type { PolicyRow } from '../rows.ts'
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

/** design 8: beyond this many matches nobody waits until they are counted. */
export const countedAtMost = 100_000

type Policies<Out> = SelectQueryBuilder<Tables, 'policies', Out>

const matching = (scope: Scope, tx: Tx, filter: Filter, status: StoredStatus): Policies<unknown> => {
  let query: Policies<unknown> = tx.selectFrom('policies').where('business_unit_id', '=', scope.businessUnitId).where('status', '=', status)
  if (filter.sellerId !== undefined) query = query.where('seller_id', '=', filter.sellerId)
  if (filter.from !== undefined) query = query.where('start_date', '>=', filter.from)
  if (filter.to !== undefined) query = query.where('start_date', '<=', filter.to)
  if (filter.ids !== undefined) query = query.where(sql<SqlBool>`id = any(${filter.ids}::uuid[])`)
  if (filter.words !== '') query = query.where(contains(filter.words))
  return query
}

/** Any part of the text; what means something to LIKE is taken as it is written. */
const contains = (words: string) => sql<SqlBool>`search like ${`%${words.replaceAll(/[\\%_]/g, letter => `\\${letter}`)}%`}`

/** How many match, as far as they are counted. */
export async function countPolicies(scope: Scope, tx: Tx, filter: Filter): Promise<number> {
  const counts = await Promise.all(
    filter.statuses.map(status =>
      tx
        .selectFrom(
          matching(scope, tx, filter, status)
            .select(sql<number>`1`.as('one'))
            .limit(countedAtMost + 1)
            .as('found'),
        )
        .select(({ fn }) => fn.countAll<number>().as('many'))
        .executeTakeFirstOrThrow(),
    ),
  )
  return counts.reduce((sum, { many }) => sum + many, 0)
}

/** `after`: what follows this row, however far down; `offset` counts rows. */
export type Window = { sorting: Sorting[]; offset: number; limit: number; after?: PolicyRow | undefined }

/**
 * One page. Its ids are found first, from the index of the order that is asked for, and only these rows are then read. Each status has its own
 * stretch of every index, so several are merged from their first rows each.
 */
export async function pageOfPolicies(scope: Scope, tx: Tx, filter: Filter, asked: Window): Promise<PolicyRow[]> {
  const window = areNumbered(filter.statuses) ? asked : { ...asked, sorting: asked.sorting.map(withoutNumber) }
  const [first, ...others] = filter.statuses.map(status => orderedIds(scope, tx, filter, status, window))
  if (!first) return []
  const all = others.reduce((merged, each) => merged.unionAll(each), first)
  const page = ordered(tx.selectFrom(all.as('policies')).select('id'), window.sorting)
    .offset(window.offset)
    .limit(window.limit)
  const ids = (await page.execute()).map(({ id }) => id)
  return policiesById(scope, tx, ids)
}

/** Their ids stand in for what they lack: both ways, as a page may be read from the other end. */
const withoutNumber = (each: Sorting): Sorting => (each.key === 'policyNumber' ? { ...each, key: 'policyUuid' } : each)

/** What was not sold has no number: there is nothing to sort by, and nothing that a next page could begin after. */
const areNumbered = (statuses: StoredStatus[]): boolean => statuses.every(status => status === 'purchased' || status === 'cancelled')

function orderedIds(scope: Scope, tx: Tx, filter: Filter, status: StoredStatus, { sorting, offset, limit, after }: Window) {
  const keys = [...new Set(sorting.map(({ key }) => columns[key]))].filter(column => column !== 'id')
  const found = matching(scope, tx, filter, status).select(['id', ...keys])
  const rest = after ? found.where(follows(sorting, after)) : found
  return tx
    .selectFrom(
      ordered(rest, sorting)
        .limit(offset + limit)
        .as('found'),
    )
    .selectAll()
}

type Step = { column: (typeof columns)[Sorting['key']]; order: 'asc' | 'desc' }

/** The id decides between equals, in the direction of the first order, so that an index is read from one end to the other. */
const stepsOf = (sorting: Sorting[]): Step[] => [
  ...sorting.map(({ key, order }) => ({ column: columns[key], order })),
  { column: 'id', order: sorting[0]?.order ?? 'asc' },
]

const ordered = <Query extends { orderBy: (column: never, direction: never) => Query }>(query: Query, sorting: Sorting[]): Query =>
  stepsOf(sorting).reduce((sorted, { column, order }) => sorted.orderBy(column as never, order as never), query)

/** What comes after a row. In one direction throughout it is one comparison, which an index starts at; otherwise step by step. */
function follows(sorting: Sorting[], row: PolicyRow) {
  const steps = stepsOf(sorting)
  const beyond = ({ column, order }: Step) => sql<SqlBool>`${sql.ref(column)} ${sql.raw(order === 'asc' ? '>' : '<')} ${row[column]}`
  if (steps.every(({ order }) => order === steps[0]?.order)) {
    const names = sql.join(steps.map(({ column }) => sql.ref(column)))
    const values = sql.join(steps.map(({ column }) => row[column]))
    return sql<SqlBool>`(${names}) ${sql.raw(steps[0]?.order === 'asc' ? '>' : '<')} (${values})`
  }
  const same = ({ column }: Step) => sql<SqlBool>`${sql.ref(column)} = ${row[column]}`
  return sql<SqlBool>`(${sql.join(
    steps.map((step, place) => sql`(${sql.join([...steps.slice(0, place).map(same), beyond(step)], sql` and `)})`),
    sql` or `,
  )})`
}

export async function policiesById(scope: Scope, tx: Tx, ids: string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('policies')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

/** What was sold under a number, if he who asks may know of it. */
export const soldPolicy = (scope: Scope, tx: Tx, number: string, sellerId: string | undefined): Promise<PolicyRow | undefined> => {
  const found = tx
    .selectFrom('policies')
    .selectAll()
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('number', '=', number)
    .where('status', 'in', ['purchased', 'cancelled'])
  return (sellerId === undefined ? found : found.where('seller_id', '=', sellerId)).executeTakeFirst()
}

/** The policies that bear a number, one a unit at most: found by each unit's own index. */
export const policiesNumbered = (tx: Tx, number: string) =>
  tx
    .selectFrom('business_units')
    .innerJoin('policies', 'policies.business_unit_id', 'business_units.id')
    .where('policies.number', '=', number)
    .where('policies.status', 'in', ['purchased', 'cancelled'])
    .select(['policies.id', 'policies.status', 'policies.start_date', 'policies.end_date'])
    .select(sql<string>`business_units.settings->>'timeZone'`.as('time_zone'))
    .execute()

export type Numbered = Awaited<ReturnType<typeof policiesNumbered>>[number]
