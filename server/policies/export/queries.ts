import { sql } from 'kysely'
import type { UnitTx } from '#server/kit/database.ts'
import { type Filter, narrowing, ofStatus, ordered, type Sorting } from '../list/queries.ts'
import type { StoredStatus } from '../tables.ts'
import { betweenRows, betweenValues, quarterMs } from './write-rows.ts'

const bytesPerId = 16

/**
 * Returns all matching ids in order, in parts of so many, sixteen bytes each, so that a million fit in memory. PostgreSQL joins them as it meets them along
 * the order, and sends each part as text of more than twice its length.
 */
export async function idsInOrder(tx: UnitTx, filter: Filter, sorting: Sorting[], max: number, atOnce: number): Promise<Buffer[]> {
  const all = ordered(ofStatus(tx, filter.statuses).where(narrowing(filter)).select('id'), sorting).limit(max)
  const size = sql.lit(atOnce * bytesPerId)
  await sql`declare ids no scroll cursor for
    select substr(ids, part * ${size} + 1, ${size}) as ids
    from (select string_agg(uuid_send(id), ''::bytea) as ids from (${all}) as found) as whole, generate_series(0, (length(ids) - 1) / ${size}) as part`.execute(
    tx,
  )
  const parts: Buffer[] = []
  for (;;) {
    const { rows } = await sql<{ ids: Buffer }>`fetch 16 from ids`.execute(tx)
    if (rows.length === 0) return parts
    parts.push(...rows.map(({ ids }) => ids))
  }
}

/** Returns ids as the text of an array. */
export const asArray = (ids: Buffer): string => `{${(ids.toString('hex').match(/.{32}/g) ?? []).join(',')}}`

/** The values of rows, in the order of `kinds`. */
export type RowsRead = { many: number; rows: string }

/**
 * Reads the rows to export in their order, without policies whose status changed since. They are one text: a million objects would keep the thread that
 * serves requests busy.
 */
export async function rowsById(tx: UnitTx, statuses: StoredStatus[], ids: string): Promise<RowsRead> {
  const { rows } = await sql<RowsRead>`
    select count(*)::int as many, coalesce(string_agg(concat_ws(${betweenValues}, coalesce(number, ''), ${text('product_name')}, ${text('taker')},
      ${text('seller_name')}, start_date, end_date, floor(date_part('epoch', created_at) * 1000 / ${sql.lit(quarterMs)}), status, ${text('reference')},
      total_cents, commission_cents, currency), ${betweenRows} order by place), '') as rows
    from unnest(${ids}::uuid[]) with ordinality as chosen (chosen_id, place)
    join (${ofStatus(tx, statuses).selectAll()}) as policies on policies.id = chosen_id`.execute(tx)
  // Safe: an aggregate without groups has one row.
  return rows[0] as RowsRead
}

/** Typed texts may hold any character, also those that stand between values. */
const text = (column: 'product_name' | 'taker' | 'seller_name' | 'reference') =>
  sql`replace(replace(${sql.ref(column)}, ${sql.lit(betweenRows)}, ''), ${sql.lit(betweenValues)}, '')`
