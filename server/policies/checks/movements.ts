import { sql } from 'kysely'
import { stepDocumentKinds } from '#common/documents/kinds.ts'

/** True for both rows of the same policy. */
const samePolicy = (alias: string) =>
  sql`${sql.ref(`${alias}.business_unit_id`)} = policy.business_unit_id and ${sql.ref(`${alias}.policy_id`)} = policy.id`

/** Selects every sold policy whose movements and money disagree (invariants I7 to I12). */
export const brokenMovements = sql`
    select 'I7 the version is not the sold one and its movements: ' || policy.id
    from policies policy
    where policy.status in ('purchased', 'cancelled', 'blocked') and policy.version <> policy.sold_version + (
      select count(*) from policy_deeds movement where ${samePolicy('movement')})
    union all
    select 'I8 the total is not the price sold and its differences: ' || policy.id
    from policies policy
    where policy.status in ('purchased', 'cancelled', 'blocked') and policy.total_cents <> policy.sold_cents + (
      select coalesce(sum(difference_cents), 0) from policy_deeds movement where ${samePolicy('movement')})
    union all
    select 'I8 the lines of the current version are not its total: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and policy.total_cents <> (
      select coalesce(sum(amount_cents), 0) from policy_price_lines line
      where ${samePolicy('line')} and line.version = policy.version and line.kind <> 'commission')
    union all
    select 'I8 the money that was paid is not the total: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and policy.total_cents <> (
      select coalesce(sum(amount_cents - refunded_cents), 0) from payments payment where ${samePolicy('payment')} and payment.state = 'settled')
      + (select coalesce(sum(waived_cents), 0) from policy_deeds movement where ${samePolicy('movement')})
      - (select coalesce(sum(refund.amount_cents), 0) from refunds refund join policy_deeds movement
          on movement.business_unit_id = refund.business_unit_id and movement.id = refund.deed_id
        where ${samePolicy('movement')} and refund.state in ('refused', 'transferred'))
    union all
    select 'I1 a movement that was not paid for by exactly its charge: ' || movement.id
    from policy_deeds movement join policies policy on policy.business_unit_id = movement.business_unit_id and policy.id = movement.policy_id
    where movement.charge_cents - greatest(movement.waived_cents, 0) <> (
      select coalesce(sum(amount_cents), 0) from payments payment
      where ${samePolicy('payment')} and payment.state = 'settled' and payment.purpose <> 'sale' and payment.policy_version = movement.to_version)
    union all
    select 'I1 settled for a change that was not made: ' || payment.id
    from payments payment
    where payment.state = 'settled' and payment.purpose <> 'sale' and not exists (
      select from policy_deeds movement
      where movement.business_unit_id = payment.business_unit_id and movement.policy_id = payment.policy_id and movement.to_version = payment.policy_version)
    union all
    select 'I1 an open change whose payment is not open, or of another version or policy: ' || change.id
    from open_changes change join policies policy on policy.business_unit_id = change.business_unit_id and policy.id = change.policy_id
    where change.ended_at is null and (policy.version <> change.from_version or change.state <> 'offered' and not exists (
      select from payments payment
      where ${samePolicy('payment')} and payment.id = change.payment_id and payment.state = 'open' and payment.purpose <> 'sale'))
    union all
    select 'I1 done as a change, but not made or not paid: ' || change.id
    from open_changes change left join payments payment on payment.business_unit_id = change.business_unit_id and payment.id = change.payment_id
    where (change.state = 'done') <> coalesce(payment.state = 'settled', false) or (change.state = 'done') <> exists (
      select from policy_deeds movement where movement.business_unit_id = change.business_unit_id and movement.id = change.id)
    union all
    select 'I9 the parts are not the premium: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and (
      select coalesce(sum(premium_cents), 0) from policy_segments segment where ${samePolicy('segment')} and segment.version = policy.version)
      <> (select coalesce(sum(amount_cents), 0) from policy_price_lines line
        where ${samePolicy('line')} and line.version = policy.version and line.kind in ('travel', 'cancellation'))
    union all
    select 'I10 the commission is not its differences: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and policy.commission_cents <> (
      select coalesce(sum(amount_cents), 0) from policy_price_lines line
      where ${samePolicy('line')} and line.version = policy.sold_version and line.kind = 'commission')
      + (select coalesce(sum(commission_cents), 0) from policy_deeds movement where ${samePolicy('movement')})
    union all
    select 'I11 a document of a version that is not there: ' || file.id
    from files file join policies policy on ${samePolicy('file')}
    where policy.sold_version is not null and file.policy_version not between policy.sold_version and policy.version
      and file.kind = any(${[...stepDocumentKinds]}::text[])
    union all
    select 'I11 not exactly one certificate that holds, or one of a policy that ended: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and policy.status <> 'blocked' and (policy.status = 'purchased')::int <> (
      select count(*) from files file
      where ${samePolicy('file')} and file.kind = 'certificate' and file.replaced_by is null)
    union all
    select 'I11 the certificate that holds is not the newest: ' || file.id
    from files file join files newer on newer.business_unit_id = file.business_unit_id and newer.policy_id = file.policy_id
      and newer.kind = 'certificate' and newer.policy_version > coalesce(file.policy_version, 0)
    where file.kind = 'certificate' and file.replaced_by is null
    union all
    select 'I12 the status is not that of its movements: ' || policy.id
    from policies policy
    where policy.version > policy.sold_version and policy.status <> 'blocked' and (policy.status = 'cancelled') <> (
      select movement.kind in ('cancellation', 'withdrawal') from policy_deeds movement
      where ${samePolicy('movement')} and movement.to_version = policy.version)
    union all
    select 'I12 reinstated after a withdrawal: ' || movement.id
    from policy_deeds movement join policy_deeds ended on ended.business_unit_id = movement.business_unit_id and ended.policy_id = movement.policy_id
      and ended.to_version = movement.from_version
    where movement.kind = 'reinstatement' and ended.kind <> 'cancellation'
    union all
    select 'I7 a movement whose subscribers are not called exactly once: ' || movement.id
    from policy_deeds movement
    where 1 <> (
      select count(*) from jobs
      where jobs.business_unit_id = movement.business_unit_id and jobs.subscriber = 'policies.changed' and jobs.payload->>'deedId' = movement.id::text)`
