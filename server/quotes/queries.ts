import type pg from 'pg'
import type { Quote, TripSent } from '#common/quotes/schemas.ts'
import type { Database, Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'

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

/** Each row carries the unit of the scope that it was priced for (keep.ts). However many there are, it is one statement, planned once. */
export const insertQuotes = (client: pg.PoolClient, rows: QuoteRow[]) =>
  client.query({
    name: 'quotes.insert',
    text: `insert into quotes (business_unit_id, id, user_id, product_id, tariff_version, created_at, valid_until, question, answer)
      select * from json_to_recordset($1::json) as quote (business_unit_id uuid, id uuid, user_id uuid, product_id uuid, tariff_version text,
        created_at timestamptz, valid_until timestamptz, question jsonb, answer jsonb)`,
    values: [JSON.stringify(rows)],
  })

/** A quote of this unit, as long as it is good. */
export async function findQuote(scope: Scope, tx: Tx, id: string, now: Date): Promise<Quote | undefined> {
  const row = await tx
    .selectFrom('quotes')
    .where('business_unit_id', '=', scope.businessUnitId)
    .where('id', '=', id)
    .where('valid_until', '>', now)
    .select('answer')
    .executeTakeFirst()
  return row?.answer
}

/** Quotes have served their time when they are no longer good. */
export const purgeQuotes = (database: Database, now: Date) =>
  database.asService(tx => tx.deleteFrom('quotes').where('valid_until', '<=', now).execute())
