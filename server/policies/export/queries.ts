import { type RawBuilder, sql } from 'kysely'
import type { StoredStatus } from '#common/policies/states.ts'
import type { UnitTx } from '#server/kit/database.ts'
import { quarterMs } from '#server/kit/workbook/days.ts'
import { type Filter, narrowing, ofStatus, ordered, type Sorting } from '../list/queries.ts'
import { betweenRows, betweenValues } from './write-rows.ts'

const bytesPerId = 16

/**
 * Returns all matching ids in order, sixteen bytes each, so that a million fit in memory. PostgreSQL joins `atOnce` of them to a part, and sends it as
 * text of more than twice its length.
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

/** The day from which spreadsheets count days. */
const epoch = sql`date '1899-12-30'`

/** Returns ids as a binary array of PostgreSQL, which reads it three times as fast as a text. */
export function asArray(ids: Buffer): Buffer {
  const many = ids.length / bytesPerId
  const array = Buffer.alloc(headOfArray.length + many * (lengthBytes + bytesPerId))
  headOfArray.copy(array)
  array.writeInt32BE(many, manyAt)
  for (let index = 0, at = headOfArray.length; index < many; index += 1) {
    at = array.writeInt32BE(bytesPerId, at)
    at += ids.copy(array, at, index * bytesPerId, (index + 1) * bytesPerId)
  }
  return array
}

const lengthBytes = 4
const uuidType = 2950
const manyAt = 12
/** One dimension, no nulls, the type of the elements, how many there are, and the index of the first. */
const headOfArray = Buffer.alloc(20)
for (const [index, word] of [1, 0, uuidType, 0, 1].entries()) headOfArray.writeInt32BE(word, index * 4)

/** The values of rows in their order, in the order of `kinds`, in texts of some hundred rows. */
export type RowsRead = { many: number; rows: string[] }

/** The garbage collector treats a longer text as a large object, and it is copied several times while it is received. */
const rowsOfText = 400

/**
 * Reads the rows to export in their order, without policies whose status has changed since. Returns a few long texts, as a million objects
 * would keep the thread that serves requests busy.
 */
export async function rowsById(tx: UnitTx, statuses: StoredStatus[], ids: Buffer): Promise<RowsRead> {
  const text = sql`(place - 1) / ${sql.lit(rowsOfText)}`
  const { rows } = await sql<{ many: number; rows: string }>`
    select count(*)::int as many, string_agg(case when ${isPlain} then ${joined(plain)} else ${joined(cleaned)} end, ${betweenRows} order by place) as rows
    from unnest(${ids}::uuid[]) with ordinality as chosen (chosen_id, place)
    join (${ofStatus(tx, statuses).selectAll()}) as policies on policies.id = chosen_id
    group by ${text} order by ${text}`.execute(tx)
  return { many: rows.reduce((sum, { many }) => sum + many, 0), rows: rows.map(each => each.rows) }
}

type Typed = 'product_name' | 'taker' | 'seller_name' | 'reference'

const joined = (
  text: (column: Typed) => RawBuilder<string>,
) => sql`concat_ws(${sql.lit(betweenValues)}, coalesce(number, ''), ${text('product_name')},
  ${text('taker')}, ${text('seller_name')}, start_date - ${epoch}, end_date - ${epoch},
  floor(date_part('epoch', created_at) * 1000 / ${sql.lit(quarterMs)}), status, ${text('reference')}, total_cents, commission_cents, currency)`

const plain = (column: Typed) => sql.ref<string>(column)
/** Typed texts may hold any character, even a separator. */
const cleaned = (column: Typed) =>
  sql<string>`replace(replace(${sql.ref(column)}, ${sql.lit(betweenRows)}, ''), ${sql.lit(betweenValues)}, '')`

/** True for texts without such characters, as most are. Checking all four at once takes a third of the time of replacing. */
const isPlain = sql.join(
  [betweenRows, betweenValues].map(each => sql`strpos(product_name || taker || seller_name || reference, ${sql.lit(each)}) = 0`),
  sql` and `,
)
