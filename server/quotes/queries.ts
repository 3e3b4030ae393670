import { type CompiledQuery, sql } from 'kysely'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import type { Instant, Json, UnitId } from '#server/kit/sql/tables.ts'
import { compiler } from '#server/kit/sql/prepared.ts'
import type { Database, UnitTx } from '#server/kit/database.ts'

type QuoteTables = {
  quotes: {
    business_unit_id: UnitId
    id: string
    user_id: string
    product_id: string
    tariff_version: string
    created_at: Instant
    valid_until: Instant
    question: Json<TripSent>
    answer: Json<Quote>
  }
}

declare module '#server/kit/sql/tables.ts' {
  interface Tables extends QuoteTables {}
}

export type QuoteRow = {
  business_unit_id: string
  id: string
  user_id: string
  product_id: string
  tariff_version: string
  created_at: Date
  valid_until: Date
  question: TripSent
  answer: Quote
}

/** Inserts rows, written as JSON, by one statement, planned once. Each carries the unit that it was priced for (quote-store.ts). */
export const insertQuotes = (rows: string[]): CompiledQuery =>
  sql`
    insert into quotes (business_unit_id, id, user_id, product_id, tariff_version, created_at, valid_until, question, answer)
    select * from json_to_recordset(${`[${rows.join()}]`}::json) as quote (business_unit_id uuid, id uuid, user_id uuid, product_id uuid,
      tariff_version text, created_at timestamptz, valid_until timestamptz, question jsonb, answer jsonb)`.compile(compiler)

/** Finds a quote of this unit that is still valid. */
export async function findQuote(tx: UnitTx, id: string, now: Date): Promise<Quote | undefined> {
  const row = await tx
    .selectFrom('quotes')
    .where('id', '=', id)
    .where('valid_until', '>', now)
    .select(['question', 'answer'])
    .executeTakeFirst()
  // A quote of an older version has its dates only in the question.
  return row && { ...row.answer, startDate: row.question.startDate, endDate: row.question.endDate }
}

/** Deletes quotes that are no longer valid. */
export const purgeQuotes = (database: Database, now: Date) =>
  database.asService(tx => tx.deleteFrom('quotes').where('valid_until', '<=', now).execute())
