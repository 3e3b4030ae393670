import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { sortKeys } from '#common/policies/search.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { Tables } from '#server/kit/sql/tables.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { containing, isIndexed, wordPatterns } from '#server/kit/store/search.ts'
import { hasPerson, peopleFound, type PeopleSought } from '../people/queries.ts'
import type { PolicyRow } from '../queries.ts'

export type Sorting = { key: (typeof sortKeys)[number]; order: 'asc' | 'desc' }

/**
 * The filter of a list. `words` is searchable text; `person` is who the same text may mean, if the caller may look for people. `from` and `to`
 * limit departures, `returnFrom` and `returnTo` returns. `sellerId` limits to own sales, `soldBy` to an agent's, `ids` to the chosen policies.
 */
export type Filter = {
  statuses: [StoredStatus, ...StoredStatus[]]
  words: string
  person: PeopleSought | undefined
  from: string | undefined
  to: string | undefined
  returnFrom: string | undefined
  returnTo: string | undefined
  soldBy: string | undefined
  productId: string | undefined
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
  total: 'total_cents',
  commission: 'commission_cents',
  priceValidUntil: 'price_valid_until',
} as const satisfies Record<Sorting['key'], keyof Tables['policies']>

/** Selects the policies of these statuses, before any other condition. */
export const ofStatus = (tx: UnitTx, statuses: StoredStatus[]) => tx.selectFrom('policies').where('status', 'in', statuses)

type Sought = Pick<Filter, 'words' | 'person'>

/** Returns all other conditions. `match` is how the words are searched. */
export function narrowing({ words, person, ids, ...filter }: Filter, match: (sought: Sought) => RawBuilder<SqlBool> = found) {
  const all = [sql<SqlBool>`true`]
  if (filter.sellerId !== undefined) all.push(sql`seller_id = ${filter.sellerId}`)
  if (filter.soldBy !== undefined) all.push(sql`seller_id = ${filter.soldBy}`)
  if (filter.productId !== undefined) all.push(sql`product_id = ${filter.productId}`)
  if (filter.from !== undefined) all.push(sql`start_date >= ${filter.from}`)
  if (filter.to !== undefined) all.push(sql`start_date <= ${filter.to}`)
  if (filter.returnFrom !== undefined) all.push(sql`end_date >= ${filter.returnFrom}`)
  if (filter.returnTo !== undefined) all.push(sql`end_date <= ${filter.returnTo}`)
  if (ids !== undefined) all.push(sql`id = any(${ids}::uuid[])`)
  if (words !== '') all.push(match({ words, person }))
  return sql<SqlBool>`${sql.join(all, sql` and `)}`
}

/** Compares each row that is read. */
const contains = ({ words, person }: Sought) => {
  const inText = sql<SqlBool>`search like all (${wordPatterns(words)}::text[])`
  return person ? sql<SqlBool>`(${inText} or ${hasPerson(person)})` : inText
}

/** Uses the indexes of words and of people, which only these functions can read (0020-search-words.sql, 0039-people-search.sql). */
function found({ words, person }: Sought) {
  if (!isIndexed(words)) return contains({ words, person })
  const inText = sql`select found.id from policies_found(${wordPatterns(words)}::text[]) as found`
  return sql<SqlBool>`id in (${person ? sql`${inText} union all select person.id from ${peopleFound(person)} as person` : inText})`
}

/** Selects each policy once that matches by its text or by its people. */
function matched({ words, person }: Sought) {
  const patterns = wordPatterns(words)
  const inText = sql`policies_found(${patterns}::text[])`
  if (!person) return inText
  return sql`(select id, status, seller_id, start_date from ${inText} union all
    select id, status, seller_id, start_date from ${peopleFound(person)} as person where not search like all (${patterns}::text[]))`
}

/** The most policies in a response of similar ones. */
const maxNear = 5

/**
 * Returns the newest policies with a similar word, found by a part that they must have. The index of words has no order, so all with such a part are
 * compared.
 */
export async function nearIds(
  tx: UnitTx,
  { similar, parts }: { similar: string; parts: readonly string[] },
  { statuses, sellerId }: { statuses: StoredStatus[]; sellerId: string | undefined },
): Promise<string[]> {
  const candidates = parts.map(
    part => sql`select id from policies_found(${[containing(part)]}::text[]) where status = any(${statuses}::text[])`,
  )
  const own = sellerId === undefined ? sql`` : sql`and seller_id = ${sellerId}`
  const { rows } = await sql<{ id: string }>`
    select id from policies where business_unit_id = ${tx.businessUnitId} and id in (${sql.join(candidates, sql` union all `)})
      and search ~ ${similar} ${own} order by created_at desc, id desc limit ${maxNear}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The number of matches, and their ids if a search has few. */
export type MatchCount = { matches: number; ids?: string[] }
const few = 100

/** True for conditions on columns that `policies_found` does not return. */
const isBeyondSearch = ({ productId, returnFrom, returnTo }: Filter): boolean =>
  [productId, returnFrom, returnTo].some(each => each !== undefined)

/** Counts exactly. */
export async function countPolicies(tx: UnitTx, filter: Filter): Promise<MatchCount> {
  const { words, statuses } = filter
  if (isIndexed(words) && !isBeyondSearch(filter)) {
    const { rows } = await sql<{
      id: string
      many: number
    }>`select id, count(*) over () as many from ${matched(filter)} as matched
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

/** The sums of the prices and of the agency's commissions, in cents, and the number of policies in them. */
export type Sums = { policies: number; total: number; commission: number }

/** Counts and adds up all matches, or the ids that a count has found. With `openFrom`, it adds up only departures from that day on. */
export async function addUp(tx: UnitTx, filter: Filter, ids: string[] | undefined, openFrom?: string): Promise<Sums & { matches: number }> {
  const isByIndex = isIndexed(filter.words) && !ids && !filter.ids
  const all = sql`(${ofStatus(tx, filter.statuses)
    .selectAll()
    .where(narrowing(ids ? { ...filter, words: '', ids } : filter))})`
  const { rows } = await sql<Sums & { matches: number }>`
    select sum(matches)::bigint as matches, sum(policies)::bigint as policies, sum(total)::bigint as total, sum(commission)::bigint as commission
    from (${isByIndex ? sumsOfMatched(filter, openFrom) : sumsOf(all, openFrom)}) as parts`.execute(tx)
  // Safe: an aggregate without groups has one row.
  return rows[0] as Sums & { matches: number }
}

function sumsOf(policies: RawBuilder<unknown>, openFrom: string | undefined): RawBuilder<unknown> {
  const isOpen = openFrom === undefined ? sql`true` : sql`start_date >= ${openFrom}`
  return sql`select count(*) as matches, count(*) filter (where ${isOpen}) as policies,
    coalesce(sum(total_cents) filter (where ${isOpen}), 0)::bigint as total, coalesce(sum(commission_cents) filter (where ${isOpen}), 0)::bigint as commission
    from ${policies} as policies`
}

/** Reads the index of words in one pass (0108-summed-matches.sql), and adds the policies that only their people match. */
function sumsOfMatched(filter: Filter, openFrom: string | undefined): RawBuilder<unknown> {
  const { words, person, statuses, sellerId, soldBy, productId, from, to, returnFrom, returnTo } = filter
  const limits = sql.join([...[sellerId, soldBy, productId].map(asUuid), ...[from, to, returnFrom, returnTo, openFrom].map(asDay)])
  const inText = sql`select * from policies_summed(${wordPatterns(words)}::text[], ${statuses}::text[], ${limits})`
  if (!person) return inText
  const byPerson = sql`(select * from ${peopleFound(person)} as policies where status = any(${statuses}::text[])
    and not search like all (${wordPatterns(words)}::text[]) and ${narrowing({ ...filter, words: '' })})`
  return sql`${inText} union all ${sumsOf(byPerson, openFrom)}`
}

const asUuid = (id: string | undefined) => sql`${id ?? null}::uuid`
const asDay = (day: string | undefined) => sql`${day ?? null}::date`

/** `offset` counts rows. */
export type Window = { sorting: Sorting[]; offset: number; limit: number }

/**
 * Returns one page. Finds its ids first by the index of the order, then reads only these rows. Each index has a range per status, so
 * several statuses are merged from the first rows of each.
 */
export async function pageOfPolicies(tx: UnitTx, filter: Filter, window: Window): Promise<PolicyRow[]> {
  const { sorting, offset, limit } = window
  const page = ordered(tx.derived.selectFrom(firstOf(tx, filter, sorting, offset + limit).as('policies')).select('id'), sorting)
  return policiesById(tx, await idsOf(page.offset(offset).limit(limit)))
}

const idsOf = async (query: { execute(): Promise<{ id: string }[]> }): Promise<string[]> => (await query.execute()).map(({ id }) => id)

/** Selects the first `many` ids of each status by the index of the order. */
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
 * Returns one page of a search or of some days, given the number of matches and of all policies. Many matches are found soon in the order's index, which
 * is scanned as far as needed. Few or distant matches all come from the word index, unless already known, and are sorted. The choice is by cost, not by
 * the planner's estimate.
 */
export async function pageOfSearch(
  tx: UnitTx,
  filter: Filter,
  { sorting, offset, limit }: Window,
  { matches, among, ids }: MatchCount & { among: number },
): Promise<PolicyRow[]> {
  const wanted = Math.min(limit, matches - offset)
  if (wanted <= 0) return []
  const scanned = Math.ceil((4 * (offset + wanted) * among) / matches)
  if (!ids && sorting.length === 1 && scanned <= matches) {
    const matched = await idsAlong(tx, filter, { sorting, offset, limit: wanted }, scanned)
    if (matched.length === wanted) return policiesById(tx, matched)
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

/**
 * Returns one page before its matches are counted, if they are frequent and more follow; else undefined. Looks only through the
 * first rows of the order, and through more if some of these match.
 */
export async function pageUncounted(
  tx: UnitTx,
  filter: Filter,
  { sorting, offset, limit }: Window,
  [looked, lookedOn] = [2000, 20_000],
): Promise<PolicyRow[] | undefined> {
  if (sorting.length > 1) return undefined
  const more = { sorting, offset: 0, limit: offset + limit + 1 }
  const first = await idsAlong(tx, filter, more, looked)
  const isHopeful = first.length < more.limit && (first.length * lookedOn) / looked >= 2 * more.limit
  const found = isHopeful ? await idsAlong(tx, filter, more, lookedOn) : first
  return found.length === more.limit ? policiesById(tx, found.slice(offset, -1)) : undefined
}

/** The columns that the conditions read. */
const filtered = ['id', 'business_unit_id', 'version', 'seller_id', 'product_id', 'start_date', 'end_date', 'search'] as const

/** Returns the matches among the first `scanned` rows of the list. */
function idsAlong(tx: UnitTx, filter: Filter, { sorting, offset, limit }: Window, scanned: number): Promise<string[]> {
  const selected = [...new Set([...filtered, ...keysOf(sorting)])]
  const stretches = filter.statuses.map(status => sql`(${ordered(ofStatus(tx, [status]).select(selected), sorting).limit(scanned)})`)
  const along = sql`(select * from (${sql.join(stretches, sql` union all `)}) as policies order by ${orderOf(sorting)} limit ${scanned})`
  return sql<{
    id: string
  }>`select id from ${along} as policies where ${narrowing(filter, contains)} order by ${orderOf(sorting)} offset ${offset} limit ${limit}`
    .execute(tx)
    .then(({ rows }) => rows.map(({ id }) => id))
}

const keysOf = (sorting: Sorting[]) => [...new Set(sorting.map(({ key }) => columns[key]))].filter(column => column !== 'id')

type Step = { column: (typeof columns)[Sorting['key']]; order: 'asc' | 'desc' }

/** Adds the id to break ties. Its direction is that of the first order, so that an index is read from one end to the other. */
const stepsOf = (sorting: Sorting[]): Step[] => [
  ...sorting.map(({ key, order }) => ({ column: columns[key], order })),
  { column: 'id', order: sorting[0]?.order ?? 'asc' },
]

export const ordered = <Query extends { orderBy: (column: never, direction: never) => Query }>(query: Query, sorting: Sorting[]): Query =>
  // Safe: every query passed here has these columns.
  stepsOf(sorting).reduce((sorted, { column, order }) => sorted.orderBy(column as never, order as never), query)

const orderOf = (sorting: Sorting[]) => sql.join(stepsOf(sorting).map(({ column, order }) => sql`${sql.ref(column)} ${sql.raw(order)}`))

function inOrder<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

export async function policiesById(tx: UnitTx, ids: string[]): Promise<PolicyRow[]> {
  if (ids.length === 0) return []
  const rows = await tx.selectFrom('policies').selectAll().where(sql<SqlBool>`id = any(${ids}::uuid[])`).execute()
  return inOrder(ids, rows)
}
