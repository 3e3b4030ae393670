import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { addDays, addMonths, addYears, startOfDay } from '#common/kit/dates.ts'
import { ticketActiveMonths, timesOf } from '#common/privacy/classes.ts'
import type { PrivacyUnitTx } from '#server/kit/database.ts'

/** A unit, and a day in its time zone. */
export type UnitDay = { country: number; timeZone: string; today: string }

// Each subquery names the unit: a distributed database cannot lock rows if a subquery only compares its unit with the object's.

/** True for objects without a hold on that day. */
const isFree = (tx: PrivacyUnitTx, id: RawBuilder<unknown>, { today }: UnitDay) => sql<SqlBool>`
  not exists (select from holds where holds.business_unit_id = ${tx.businessUnitId} and holds.object_id = ${id}
    and holds.lifted_at is null and holds.until >= ${today}::date)`

/** True for policies with a payment that may have been made, a refund on its way or an open change. */
const hasOpenMoney = ({ businessUnitId }: PrivacyUnitTx) => sql<SqlBool>`(
  exists (select from payments where payments.business_unit_id = ${businessUnitId} and payments.policy_id = object.id and payments.state = 'open'
    and payments.check_at is not null)
  or exists (select from refunds join payments on payments.business_unit_id = refunds.business_unit_id and payments.id = refunds.payment_id
    where payments.business_unit_id = ${businessUnitId} and payments.policy_id = object.id and refunds.state = 'due')
  or exists (select from open_changes where open_changes.business_unit_id = ${businessUnitId} and open_changes.policy_id = object.id
    and open_changes.ended_at is null))`

/** True for policies with a ticket that is still in use. */
const hasTicket = (tx: PrivacyUnitTx, statuses: RawBuilder<SqlBool>) => sql<SqlBool>`
  exists (select from tickets where tickets.business_unit_id = ${tx.businessUnitId} and tickets.policy_id = object.id and ${statuses})`

const isQuiet = (tx: PrivacyUnitTx) =>
  sql<SqlBool>`not ${hasOpenMoney(tx)} and not ${hasTicket(tx, sql<SqlBool>`tickets.status <> 'blocked'`)}`

/** Returns what is open at each policy, if anything. A closed ticket does not count when a person asks. */
export async function openOf(tx: PrivacyUnitTx, ids: string[]): Promise<Map<string, 'open_claim' | 'open_money'>> {
  const { rows } = await sql<{ id: string; open: 'open_claim' | 'open_money' }>`
    select id, case when money then 'open_money' else 'open_claim' end as open from (
      select id, ${hasOpenMoney(tx)} as money, ${hasTicket(tx, sql<SqlBool>`tickets.status not in ('closed', 'blocked')`)} as ticket
      from policies as object where business_unit_id = ${tx.businessUnitId} and id = any(${ids}::uuid[])) as policy
    where money or ticket`.execute(tx)
  return new Map(rows.map(({ id, open }) => [id, open]))
}

/** Selects saved quotes whose price ended long enough ago. */
const budgetsDue = (tx: PrivacyUnitTx, unit: UnitDay) => sql`
    from policies as object
    where business_unit_id = ${tx.businessUnitId} and erased_at is null and status in ('budgeted', 'pending', 'deleted')
      and price_valid_until < ${new Date(startOfDay(addDays(unit.today, -timesOf(unit.country).budgetDays), unit.timeZone))}
      and ${isQuiet(tx)} and ${isFree(tx, sql`object.id`, unit)}`

/** Selects sold policies whose last day was long enough ago: by the index to about a day, then exactly. */
function policiesDue(tx: PrivacyUnitTx, unit: UnitDay) {
  const { policyActiveYears: years } = timesOf(unit.country)
  return sql`
    from policies as object
    where business_unit_id = ${tx.businessUnitId} and status in ('purchased', 'cancelled')
      and end_date <= ${addDays(addYears(unit.today, -years), 1)}::date and (end_date + make_interval(years => ${years}))::date < ${unit.today}::date
      and ${isQuiet(tx)} and ${isFree(tx, sql`object.id`, unit)}`
}

/** Selects closed tickets whose last event was long enough ago. */
const ticketsDue = (tx: PrivacyUnitTx, unit: UnitDay) => sql`
    from tickets as object
    where business_unit_id = ${tx.businessUnitId} and status = 'closed'
      and updated_at < ${new Date(startOfDay(addMonths(unit.today, -ticketActiveMonths), unit.timeZone))} and ${isFree(tx, sql`object.id`, unit)}`

/** Selects blocked data whose retention period is over. */
const blockedDue = (tx: PrivacyUnitTx, unit: UnitDay) => sql`
    from blocked_data as object
    where business_unit_id = ${tx.businessUnitId} and until <= ${unit.today}::date and ${isFree(tx, sql`object.object_id`, unit)}`

/** Selects copies whose link is spent or has expired. No hold keeps them: the data that they were made of is still there. */
const copiesDue = (tx: PrivacyUnitTx, { today, timeZone }: UnitDay) => sql`
    from person_copies as object
    where business_unit_id = ${tx.businessUnitId} and least(expires_at, spent_at) < ${new Date(startOfDay(today, timeZone))}`

const due = { budget: budgetsDue, policy: policiesDue, ticket: ticketsDue, blocked: blockedDue, copy: copiesDue }
export type DueClass = keyof typeof due

/** The objects of a batch, and how many were found due before they were locked. */
type Taken = { ids: string[]; found: number }

/** Locks a batch of due objects: until it is done, no other node takes them and no hold can be set. */
export async function takeDue(tx: PrivacyUnitTx, kind: DueClass, unit: UnitDay, most: number): Promise<Taken> {
  const found = await idsOf(tx, sql`select object.id ${due[kind](tx, unit)} limit ${most} for update of object skip locked`)
  if (found.length === 0) return { ids: [], found: 0 }
  const locked = kind === 'blocked' ? await lockObjects(tx, found) : found
  // Checked again under the locks, as a hold may have been set since the query began. A later one waits for this batch.
  const ids = await idsOf(tx, sql`select object.id ${due[kind](tx, unit)} and object.id = any(${locked}::uuid[])`)
  return { ids, found: found.length }
}

/** Locks the policies and tickets of blocked data, as a hold does. Returns the blocked data of those that no one else had locked. */
async function lockObjects(tx: PrivacyUnitTx, blocked: string[]): Promise<string[]> {
  const locked: string[] = []
  for (const table of ['policies', 'tickets'])
    locked.push(
      ...(await idsOf(
        tx,
        sql`
          select blocked.id from blocked_data as blocked
            join ${sql.table(table)} as object on object.business_unit_id = blocked.business_unit_id and object.id = blocked.object_id
          where blocked.business_unit_id = ${tx.businessUnitId} and blocked.id = any(${blocked}::uuid[]) for update of object skip locked`,
      )),
    )
  return locked
}

const idsOf = async (tx: PrivacyUnitTx, query: RawBuilder<unknown>): Promise<string[]> =>
  (await sql<{ id: string }>`${query}`.execute(tx)).rows.map(({ id }) => id)

/** Counts the due objects, for a dry run. */
export async function countDue(tx: PrivacyUnitTx, kind: DueClass, unit: UnitDay): Promise<number> {
  const { rows } = await sql<{ many: number }>`select count(*)::bigint as many ${due[kind](tx, unit)}`.execute(tx)
  return rows[0]?.many ?? 0
}
