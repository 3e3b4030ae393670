import { sql } from 'kysely'
import type { Database } from '#server/kit/database.ts'

/**
 * What is always true of sales (design 5), looked at across all units: for tests, drills, and whoever wants to be sure. Each line tells of one
 * row that breaks a rule; no line, all is well. The schema holds most of this by itself; a checker that trusts it would not be one.
 */
export async function brokenInvariants(database: Database): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'I1 sold without exactly one settled payment of its amount: ' || policy.id as fault
    from policies policy
    where policy.status in ('purchased', 'cancelled') and 1 <> (
      select count(*) from payments payment
      where payment.business_unit_id = policy.business_unit_id and payment.policy_id = policy.id and payment.state = 'settled'
        and payment.amount_cents = policy.total_cents and payment.currency = policy.currency)
    union all
    select 'I1 settled, but not sold: ' || payment.id
    from payments payment join policies policy on policy.business_unit_id = payment.business_unit_id and policy.id = payment.policy_id
    where payment.state = 'settled' and policy.status not in ('purchased', 'cancelled')
    union all
    select 'I1 on account without exactly one ledger entry of its amount: ' || payment.id
    from payments payment
    where payment.gateway = 'Deferred' and payment.state = 'settled' and 1 <> (
      select count(*) from agency_ledger entry
      where entry.business_unit_id = payment.business_unit_id and entry.payment_id = payment.id and entry.kind = 'sale'
        and entry.amount_cents = payment.amount_cents and entry.currency = payment.currency)
    union all
    select 'I1 a ledger entry for what was not settled: ' || entry.id
    from agency_ledger entry
    where entry.kind = 'sale' and not exists (
      select from payments payment
      where payment.business_unit_id = entry.business_unit_id and payment.id = entry.payment_id and payment.state = 'settled')
    union all
    select 'I2 more than once: ' || name from (
      select 'intent ' || intent_id as name from payments where intent_id is not null group by intent_id having count(*) > 1
      union all
      select 'number ' || number from policies where number is not null group by business_unit_id, number having count(*) > 1) twice
    union all
    select 'I3 sold more than once, or changed after it was: ' || policy_id from policy_history
    group by business_unit_id, policy_id
    having count(*) filter (where what = 'purchased') > 1
      or max(at) filter (where what in ('saved', 'registered', 'deleted')) > min(at) filter (where what = 'purchased')
    union all
    select 'I6 more given back than was paid: ' || payment.id
    from payments payment
    where payment.received_cents < (
      select coalesce(sum(amount_cents), 0) from refunds refund
      where refund.business_unit_id = payment.business_unit_id and refund.payment_id = payment.id)
    union all
    select 'a sale of which the listeners do not hear exactly once: ' || policy.id
    from policies policy
    where policy.status = 'purchased' and 1 <> (
      select count(*) from jobs
      where jobs.business_unit_id = policy.business_unit_id and jobs.subscriber = 'policies.purchased'
        and jobs.payload->>'policyId' = policy.id::text)
    union all
    select 'counted wrongly: ' || counted.business_unit_id
    from (select business_unit_id, sum(budgeted) budgeted, sum(pending) pending, sum(purchased) purchased from policy_counts group by 1) counted
    where (counted.budgeted, counted.pending, counted.purchased) <> (
      select count(*) filter (where status = 'budgeted'), count(*) filter (where status = 'pending'), count(*) filter (where status = 'purchased')
      from policies policy where policy.business_unit_id = counted.business_unit_id)`.execute(database.kysely)
  return rows.map(({ fault }) => fault)
}
