import { type Insertable, sql } from 'kysely'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'
import { lastStatements, type StatementRow } from '../statements/queries.ts'
import type { AccountingTables } from '../tables.ts'

type Mark = Omit<Insertable<AccountingTables['account_notices']>, 'business_unit_id'>

/** Marks an agency as notified. False if it was already, or another node did it. */
export const markNotice = async (tx: UnitTx, mark: Mark): Promise<boolean> =>
  (await tx
    .insertInto('account_notices')
    .values(mark)
    .onConflict(conflict => conflict.columns(['business_unit_id', 'kind', 'subject']).doNothing())
    .returning('kind')
    .executeTakeFirst()) !== undefined

/** Raises the used level of the limit that an agency was notified of. False if it knows this level or a higher one. */
export const raiseLevel = async (tx: UnitTx, mark: Mark): Promise<boolean> =>
  (await tx
    .insertInto('account_notices')
    .values(mark)
    .onConflict(conflict =>
      conflict
        .columns(['business_unit_id', 'kind', 'subject'])
        .doUpdateSet({ level: mark.level, at: mark.at })
        .where('account_notices.level', '<', mark.level),
    )
    .returning('kind')
    .executeTakeFirst()) !== undefined

export const dropLevels = (tx: UnitTx) => tx.deleteFrom('account_notices').where('kind', '=', 'limit').execute()

/** Returns the limit in force, and what is left of it. */
export async function limitUse(tx: UnitTx, now: Date): Promise<{ limit: number; headroom: number; currency: string } | undefined> {
  const { rows } = await sql<{ limit: number; headroom: number; currency: string }>`
    select terms.limit_cents as limit, terms.currency, (
      select coalesce(sum(cents), 0)::bigint from account_headroom as room
      where room.business_unit_id = terms.business_unit_id and room.currency = terms.currency) as headroom
    from account_terms as terms
    where terms.business_unit_id = ${tx.businessUnitId} and terms.limit_cents is not null and coalesce(terms.lifted_until <= ${now}, true)`.execute(
    tx,
  )
  return rows[0]
}

/** Returns the units that have used most of their limit in force, and those that were notified of it. */
export async function unitsNearLimit(tx: ServiceTx, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select terms.business_unit_id as id from account_terms as terms
    where terms.limit_cents is not null and coalesce(terms.lifted_until <= ${now}, true) and terms.limit_cents >= 5 * (
      select coalesce(sum(cents), 0) from account_headroom as room
      where room.business_unit_id = terms.business_unit_id and room.currency = terms.currency)
    union
    select business_unit_id from account_notices where kind = 'limit'`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Returns the units whose last statement is due within some days, and that were not notified yet. */
export async function unitsDueSoon(tx: ServiceTx, now: Date, days: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct unit.id
    ${lastStatements}
    cross join lateral (select (${now}::timestamptz at time zone (unit.settings->>'timeZone'))::date as today) as local
    where last.due > 0 and last.due_on between local.today and local.today + ${days}::int and not exists (
      select from account_notices as notice where notice.business_unit_id = own.business_unit_id and notice.kind = 'due' and notice.subject = last.number)`.execute(
    tx,
  )
  return rows.map(({ id }) => id)
}

export const statementById = (tx: UnitTx, id: string): Promise<StatementRow | undefined> =>
  tx.selectFrom('statements').selectAll().where('id', '=', id).executeTakeFirst()
