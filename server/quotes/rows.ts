import type { Insertable, Kysely } from 'kysely'
import type { Quote } from '#common/quotes/calls.ts'
import type { Tables } from '#server/database/tables.ts'
import type { Database, Tx } from '#server/kit/database.ts'
import type { Scope } from '#server/kit/scope.ts'

export type QuoteRow = Insertable<Tables['quotes']>

/** Each row carries the unit of the scope that it was priced for (keep.ts). */
export const insertQuotes = (db: Kysely<Tables> | Tx, rows: QuoteRow[]) => db.insertInto('quotes').values(rows).execute()

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
