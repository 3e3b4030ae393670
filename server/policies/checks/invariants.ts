import { sql } from 'kysely'
import { firstNumber } from '#common/policies/number.ts'
import type { StoredStatus } from '#common/policies/states.ts'
import type { Database } from '#server/kit/database.ts'
import { brokenBook } from './book.ts'
import { brokenMovements } from './movements.ts'

/** The status after each event. All other events leave the status unchanged. */
const leadsTo: Record<string, StoredStatus> = {
  saved: 'budgeted',
  registered: 'pending',
  payment_lapsed: 'budgeted',
  deleted: 'deleted',
  restored: 'budgeted',
  purchased: 'purchased',
  cancelled: 'cancelled',
  reinstated: 'purchased',
  blocked: 'blocked',
}

/**
 * Invariant I3: the events that may follow each event. Only a deletion is undone, within the hour, and an unpaid sale becomes a saved quote again.
 */
const unsold = ['saved', 'registered', 'deleted', 'purchased']
const eventsAfter: Record<string, string[]> = {
  '': ['saved', 'registered'],
  saved: unsold,
  registered: [...unsold, 'payment_lapsed'],
  payment_lapsed: unsold,
  restored: unsold,
  deleted: ['restored'],
  purchased: ['cancelled', 'blocked'],
  // Invariant I12: a cancelled policy may be put in force again, and cancelled again.
  cancelled: ['reinstated', 'blocked'],
  reinstated: ['cancelled', 'blocked'],
}

/** True for a number that is unique in the whole installation. Two agencies may share an older one (0037-policy-numbers.sql). */
const isShared = sql`split_part(number, '-', 1)::bigint >= (select ${sql.lit(firstNumber)} + shared_from from policy_numbering)`

/**
 * Orders the events by their ids, which follow the order of writing, whatever the clock says. Within one millisecond the order is unknown.
 */
const events = sql`
  select business_unit_id, policy_id, what, at, moment, moment = max(moment) over (partition by business_unit_id, policy_id) as is_last,
    lag(what) over steps as before, lag(at) over steps as before_at, lag(moment) over steps as before_moment
  from (
    select business_unit_id, policy_id, what, at, id, left(id::text, 13) as moment
    from policy_history where what = any(${Object.keys(leadsTo)}::text[])) event
  window steps as (partition by business_unit_id, policy_id order by id)`

/**
 * Returns every row of any unit that breaks an invariant of sales, after its number; none means all is well. Tests, fault tests and operators use it.
 * The schema enforces most invariants, too, but a checker must not rely on that.
 */
export async function brokenInvariants(database: Pick<Database, 'asService'>): Promise<string[]> {
  const { rows } = await database.asService(tx =>
    sql<{ violation: string }>`
    select 'I1 sold without exactly one settled payment of its amount: ' || policy.id as violation
    from policies policy
    where policy.status in ('purchased', 'cancelled', 'blocked') and 1 <> (
      select count(*) from payments payment
      where payment.business_unit_id = policy.business_unit_id and payment.policy_id = policy.id and payment.state = 'settled'
        and payment.purpose = 'sale' and payment.amount_cents = policy.sold_cents and payment.currency = policy.currency)
    union all
    select 'I1 settled, but not sold: ' || payment.id
    from payments payment join policies policy on policy.business_unit_id = payment.business_unit_id and policy.id = payment.policy_id
    where payment.state = 'settled' and policy.status not in ('purchased', 'cancelled', 'blocked')
    union all
    select 'I1 settled, but not booked exactly once with its amount: ' || payment.id
    from payments payment
    where payment.state = 'settled' and 1 <> (
      select count(*) from money_book booking
      where booking.business_unit_id = payment.business_unit_id and booking.settles = payment.id and (booking.kind = 'sale') = (payment.purpose = 'sale')
        and case when payment.gateway = 'Deferred' then booking.agency_account else booking.card_clearing end = payment.amount_cents
        and booking.currency = payment.currency)
    union all
    select 'I1 booked, but not settled: ' || booking.id
    from money_book booking
    where booking.settles is not null and not exists (
      select from payments payment
      where payment.business_unit_id = booking.business_unit_id and payment.id = booking.settles and payment.state = 'settled')
    union all
    select 'I1 may still be paid, though it was deleted or is sold: ' || payment.id
    from payments payment join policies policy on policy.business_unit_id = payment.business_unit_id and policy.id = payment.policy_id
    where payment.purpose = 'sale' and payment.state = 'open' and policy.status in ('deleted', 'purchased', 'cancelled', 'blocked')
    union all
    select 'I2 more than once: ' || name from (
      select 'intent ' || intent_id as name from payments where intent_id is not null group by intent_id having count(*) > 1
      union all
      select 'number ' || number from policies where number is not null group by number
      having count(*) > 1 and (count(*) > count(distinct business_unit_id) or ${isShared})
      union all
      select 'key ' || idempotency_key from payments group by business_unit_id, idempotency_key having count(*) > 1
      union all
      select 'refund ' || idempotency_key from refunds group by business_unit_id, idempotency_key having count(*) > 1
      union all
      select 'event ' || event_id from payment_events group by event_id having count(*) > 1) twice
    union all
    select 'I3 not what its history leads to: ' || policy.id || ' is ' || policy.status
    from policies policy
    where not exists (
      select from (${events}) event
      where event.business_unit_id = policy.business_unit_id and event.policy_id = policy.id and event.is_last
        and (${JSON.stringify(leadsTo)}::jsonb)->>event.what = policy.status)
    union all
    select 'I3 a step that is not allowed: ' || policy_id || ' ' || coalesce(before, 'nothing') || ' → ' || what
    from (${events}) step
    where moment is distinct from before_moment
      and (not coalesce((${JSON.stringify(eventsAfter)}::jsonb)->coalesce(before, '') ? what, false)
        or (what = 'restored' and at - before_at > interval '1 hour'))
    union all
    select 'I5 received without a sale, neither refunded nor in review: ' || payment.id
    from payments payment
    where payment.state = 'unwanted'
      and not exists (
        select from payment_reviews review where review.business_unit_id = payment.business_unit_id and review.payment_id = payment.id)
      and payment.received_cents is distinct from (
        select sum(amount_cents)::bigint from refunds refund
        where refund.business_unit_id = payment.business_unit_id and refund.payment_id = payment.id and refund.state <> 'refused')
    union all
    select 'I5 a refund is retried for long, but not in review: ' || refund.id
    from refunds refund join payments payment on payment.business_unit_id = refund.business_unit_id and payment.id = refund.payment_id
    where refund.state = 'due' and payment.check_at > coalesce(refund.leave_at, refund.created_at) + interval '14 minutes' and not exists (
      select from payment_reviews review where review.business_unit_id = payment.business_unit_id and review.payment_id = payment.id)
    union all
    select 'I5 a refund is due, but its payment is not checked: ' || refund.id
    from refunds refund join payments payment on payment.business_unit_id = refund.business_unit_id and payment.id = refund.payment_id
    where refund.state = 'due' and payment.check_at is null
    union all
    select 'I5 perhaps paid, but not checked: ' || payment.id
    from payments payment join policies policy on policy.business_unit_id = payment.business_unit_id and policy.id = payment.policy_id
    where payment.gateway = 'StripeV2' and payment.state = 'open' and payment.check_at is null
      and (policy.status = 'pending' or payment.purpose <> 'sale')
    union all
    select 'I6 the refunds differ from the recorded sum, or exceed the payment: ' || payment.id
    from payments payment join lateral (
      select coalesce(sum(amount_cents), 0)::bigint as cents from refunds refund
      where refund.business_unit_id = payment.business_unit_id and refund.payment_id = payment.id and refund.state not in ('refused', 'stopped', 'transferred')) refunded on true
    where payment.gateway <> 'Deferred' and (refunded.cents <> payment.refunded_cents or refunded.cents > payment.received_cents)
    union all
    select 'I6 the credits differ from the recorded sum, or exceed the charge: ' || payment.id
    from payments payment join lateral (
      select coalesce(sum((way->>'amount')::bigint), 0)::bigint as cents
      from policy_deeds movement cross join lateral jsonb_array_elements(movement.routes) way
      where movement.business_unit_id = payment.business_unit_id and movement.policy_id = payment.policy_id and movement.refund_cents > 0
        and way->>'paymentUuid' = payment.id::text) credited on true
    where payment.gateway = 'Deferred' and (credited.cents <> payment.refunded_cents or credited.cents > payment.amount_cents)
    union all
    ${brokenMovements}
    union all
    ${brokenBook}
    union all
    select 'a sale whose subscribers are not called exactly once: ' || policy.id
    from policies policy
    where policy.status in ('purchased', 'cancelled') and 1 <> (
      select count(*) from jobs
      where jobs.business_unit_id = policy.business_unit_id and jobs.subscriber = 'policies.purchased'
        and jobs.payload->>'policyId' = policy.id::text)
    union all
    select 'of an unknown unit, seller or product: ' || policy.id
    from policies policy
    where not exists (select from business_units unit where unit.id = policy.business_unit_id)
      or not exists (select from users seller where seller.id = policy.seller_id)
      or not exists (select from products product where product.id = policy.product_id)
    union all
    select 'counted wrongly: ' || unit || ' ' || status
    from (
      select business_unit_id as unit, status, sum(many) as many
      from policy_counts, lateral (values
        ('budgeted', budgeted), ('pending', pending), ('purchased', purchased), ('cancelled', cancelled),
        ('deleted', deleted), ('blocked', blocked)) each (status, many)
      group by 1, 2) counted
    full join (select business_unit_id as unit, status, count(*) as many from policies group by 1, 2) there using (unit, status)
    where coalesce(counted.many, 0) <> coalesce(there.many, 0)`.execute(tx),
  )
  return rows.map(({ violation }) => violation)
}
