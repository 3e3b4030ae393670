import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { renewDays } from '#common/changes/renew.ts'
import { addDays, startOfDay } from '#common/kit/dates.ts'
import type { ServiceTx, UnitTx } from '#server/kit/database.ts'

export type Unit = { id: string; timeZone: string }

/** Returns the units that are not suspended, with their time zones. */
export const activeUnits = (tx: ServiceTx): Promise<Unit[]> =>
  tx
    .selectFrom('business_units')
    .select(['id', sql<string>`settings ->> 'timeZone'`.as('timeZone')])
    .where('suspended', '=', false)
    .orderBy('id')
    .execute()

/** Returns the products that are, or were, sold by the term. */
export const termProducts = async (tx: ServiceTx): Promise<string[]> =>
  (await tx.selectFrom('tariffs').select('product_id').distinct().where(sql<SqlBool>`content -> 'base' ->> 'kind' = 'term'`).execute()).map(
    ({ product_id }) => product_id,
  )

export type Due = { id: string; version: number; end_date: string }

/** The last days of the policies that are due, and the last policy of the batch before. */
type Window = { products: string[]; from: string; to: string; after: Pick<Due, 'id' | 'end_date'> | undefined; limit: number }

/**
 * Marks a batch of policies whose next term was not judged in their present version, and returns them by their last day. The index on the last day finds
 * them, each once a night. One with a live renewal is left out. What another node has taken, this one skips.
 */
export async function takeDue(tx: UnitTx, { products, from, to, after, limit }: Window): Promise<Due[]> {
  const unit = tx.businessUnitId
  const due = await tx
    .selectFrom('policies')
    .select(['id', 'version', 'end_date'])
    .where('status', '=', 'purchased')
    .where('end_date', '>=', after?.end_date ?? from)
    .where('end_date', '<=', to)
    .where('product_id', 'in', products)
    .where(sql<SqlBool>`renewal_judged is distinct from version`)
    .where(
      sql<SqlBool>`not exists (select from policies as renewal where renewal.business_unit_id = ${unit} and renewal.renews = policies.id
        and renewal.status in ('budgeted', 'pending', 'purchased'))`,
    )
    .$if(after !== undefined, query => query.where(sql<SqlBool>`(end_date, id) > (${after?.end_date}::date, ${after?.id}::uuid)`))
    .orderBy('end_date')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length > 0)
    await tx
      .updateTable('policies')
      .set({ renewal_judged: sql<number>`version` })
      .where(
        'id',
        'in',
        due.map(({ id }) => id),
      )
      .execute()
  return due
}

/** The day in the unit's zone, how many days before the end clients are reminded, and the last renewal of the batch before. */
type Reminding = { day: string; timeZone: string; daysBefore: number; after: string; limit: number }

/**
 * Returns unsold renewals whose policy ends within these days, in the order of their ids: those that were made before, and reached the client by email. No
 * email about one was refused, none has reminded of it, and the client has not answered. The policy is as it was renewed; that of a person who objected is
 * blocked.
 */
export async function renewalsToRemind(tx: UnitTx, { day, timeZone, daysBefore, after, limit }: Reminding) {
  const unit = tx.businessUnitId
  const mailed = (what: RawBuilder<unknown>) => sql<SqlBool>`exists (select from mails
    where mails.business_unit_id = ${unit} and mails.about = policies.id and ${what})`
  return tx
    .selectFrom('policies')
    .selectAll('policies')
    .where('renews', 'is not', null)
    .where('status', '=', 'budgeted')
    .where('created_at', '>=', new Date(startOfDay(addDays(day, -renewDays - 1), timeZone)))
    .where('start_date', '>', day)
    .where('start_date', '<=', addDays(day, daysBefore + 1))
    .where(sql<SqlBool>`(created_at at time zone ${timeZone})::date < start_date - ${daysBefore + 1}::integer`)
    .where(
      sql<SqlBool>`exists (select from policies as renewed where renewed.business_unit_id = ${unit} and renewed.id = policies.renews
        and renewed.status = 'purchased' and renewed.renewal_judged = renewed.version)`,
    )
    .where(mailed(sql`state = 'sent' and template in ('renewal_quote', 'budget_offer')`))
    .where(eb => eb.not(mailed(sql`(state = 'refused' or template = 'renewal_reminder')`)))
    .where(
      sql<SqlBool>`not exists (select from quote_link_policies own
        join quote_links as link on link.business_unit_id = own.business_unit_id and link.id = own.link_id
        where own.business_unit_id = ${unit} and own.policy_id = policies.id and (link.decision is not null or link.revoked_at is not null))`,
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}
