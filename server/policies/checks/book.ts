import { sql } from 'kysely'

/** True for both rows of the same policy. */
const samePolicy = (alias: string) =>
  sql`${sql.ref(`${alias}.business_unit_id`)} = policy.business_unit_id and ${sql.ref(`${alias}.policy_id`)} = policy.id`

const isSold = sql`policy.status in ('purchased', 'cancelled', 'blocked')`

/** Selects the amounts that are charged for each sold policy now, by account of the book. */
const charged = sql`
  select policy.business_unit_id, policy.id as policy_id, coalesce('tax:' || line.code, 'insurer_premium') as account, sum(line.amount_cents) as cents
  from policies policy join policy_price_lines line on ${samePolicy('line')} and line.version = policy.version
  where ${isSold} and line.kind <> 'commission'
  group by 1, 2, 3`

const booked = sql`
  select business_unit_id, policy_id, 'insurer_premium' as account, -sum(insurer_premium) as cents from money_book where policy_id is not null group by 1, 2
  union all
  select business_unit_id, policy_id, 'tax:' || tax.key, -sum(tax.value::bigint)
  from money_book cross join lateral jsonb_each_text(taxes) tax where policy_id is not null and tax.key not like '% kept' group by 1, 2, 3`

/** Selects the part of a movement's refund that no payment can take back. */
const withoutWay = sql`
  greatest(0, movement.refund_cents + least(0, movement.waived_cents)
    - (select coalesce(sum((way->>'amount')::bigint), 0) from jsonb_array_elements(movement.routes) way))`

const refunds = (states: string) => sql`
  (select coalesce(sum(refund.amount_cents), 0) from refunds refund
    join payments payment on payment.business_unit_id = refund.business_unit_id and payment.id = refund.payment_id
    where ${samePolicy('payment')} and ${sql.raw(states)})`

const sum = (amount: string) => sql`(select coalesce(sum(${sql.raw(amount)}), 0) from money_book booking where ${samePolicy('booking')})`

const payments = (amount: string, which: string) =>
  sql`(select coalesce(sum(${sql.raw(amount)}), 0) from payments payment where ${samePolicy('payment')} and payment.state = 'settled' and ${sql.raw(which)})`

/** Selects contradictions of the money book with itself, or with policies, movements, payments and refunds (invariants I8 and I10). */
export const brokenBook = sql`
    select 'a booking that does not add up to nothing: ' || booking.id
    from money_book booking
    where 0 <> insurer_premium + insurer_cost + commission_expense + commission_payable + agency_account + card_clearing + refunds_payable
        + chargebacks + bank + write_off + tax + stamp_duty
      or tax <> (select coalesce(sum(value::bigint), 0) from jsonb_each_text(taxes))
    union all
    select 'a movement that is not booked exactly once: ' || movement.id
    from policy_deeds movement
    where 1 <> (
      select count(*) from money_book booking
      where booking.business_unit_id = movement.business_unit_id and booking.deed_id = movement.id and booking.policy_id = movement.policy_id
        and booking.kind = movement.kind and booking.policy_version = movement.to_version and booking.currency = movement.currency)
    union all
    select 'a statement does not carry over the one before: ' || statement.business_unit_id || ' ' || number
    from (
      select *, lag(account_after_cents) over chain as account, lag(commission_after_cents) over chain as commission
      from statements window chain as (partition by business_unit_id, currency order by month)) statement
    cross join lateral (
      select coalesce(sum(agency_account), 0) as account, coalesce(-sum(commission_payable), 0) as commission
      from money_book booking
      where statement.account is null and booking.business_unit_id = statement.business_unit_id and booking.currency = statement.currency
        and booking.at < statement.starts_at and booking.id < statement.next_id) opened
    where account_before_cents <> coalesce(statement.account, opened.account)
      or commission_before_cents <> coalesce(statement.commission, opened.commission)
    union all
    select 'a duty on commission that is not booked as its statement has it: ' || statement.business_unit_id || ' ' || statement.number
    from statements statement
    where stamp_duty_cents <> (
      select coalesce(-sum(booking.stamp_duty), 0) from money_book booking
      where booking.business_unit_id = statement.business_unit_id and booking.currency = statement.currency and booking.kind = 'stamp_duty'
        and booking.at >= statement.starts_at and booking.at < statement.ends_at)
    union all
    select 'a statement is not its sums: ' || statement.business_unit_id || ' ' || statement.number
    from statements statement
    left join (
      select business_unit_id, statement_id, sum(deeds) as deeds, sum(gross_cents) as gross, sum(account_cents) as account, sum(earned_cents) as earned
      from statement_sums group by 1, 2) sums on sums.business_unit_id = statement.business_unit_id and sums.statement_id = statement.id
    where (statement.deeds, statement.gross_cents, statement.account_cents, statement.earned_cents)
      is distinct from (coalesce(sums.deeds, 0), coalesce(sums.gross, 0), coalesce(sums.account, 0), coalesce(sums.earned, 0))
    union all
    select 'the statements do not have what the book has: ' || last.business_unit_id || ' ' || last.number
    from (
      select distinct on (business_unit_id, currency) *, sum(deeds) over (partition by business_unit_id, currency) as all_deeds,
        min(starts_at) over (partition by business_unit_id, currency) as begins, min(next_id::text) over (partition by business_unit_id, currency)::uuid as first_next
      from statements order by business_unit_id, currency, month desc) last
    cross join lateral (
      select coalesce(sum(agency_account), 0) as account, coalesce(-sum(commission_payable), 0) as commission,
        count(*) filter (where kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement')
          and (booking.at >= last.begins or booking.id >= last.first_next)) as deeds
      from money_book booking
      where booking.business_unit_id = last.business_unit_id and booking.currency = last.currency and booking.at < last.ends_at
        and booking.id < last.next_id) had
    where (last.account_after_cents, last.commission_after_cents, last.all_deeds) is distinct from (had.account, had.commission, had.deeds)
    union all
    select 'the room on an account is not its limit less its balance: ' || business_unit_id || ' ' || currency
    from (select business_unit_id, currency, sum(cents) as cents from account_headroom group by 1, 2) room
    full join (select business_unit_id, currency, sum(agency_account) as cents from money_book group by 1, 2) account using (business_unit_id, currency)
    left join account_terms terms using (business_unit_id, currency)
    where coalesce(room.cents, 0) <> coalesce(terms.limit_cents, 0) - coalesce(account.cents, 0)
    union all
    select 'an entry of the bank that is not booked for its agency: ' || entry.id
    from bank_entries entry
    where not exists (
      select from money_book booking
      where booking.business_unit_id = entry.booked_for and booking.request_id = entry.id and booking.kind = 'payment')
    union all
    select 'a payment or write-off whose facts are not those of the book: ' || booking.id
    from money_book booking left join account_bookings fact on fact.business_unit_id = booking.business_unit_id and fact.id = booking.id
    where booking.kind in ('payment', 'write_off')
      and (fact.cents, fact.currency) is distinct from (abs(booking.bank + booking.write_off), booking.currency)
    union all
    select 'a reversal that is not the opposite of its booking: ' || fact.id
    from account_bookings fact
    join money_book booking on booking.business_unit_id = fact.business_unit_id and booking.id = fact.id
    join money_book first on first.business_unit_id = fact.business_unit_id and first.id = fact.reverses
    where (booking.kind, booking.currency, booking.bank, booking.agency_account, booking.commission_payable, booking.write_off)
      is distinct from (first.kind, first.currency, -first.bank, -first.agency_account, -first.commission_payable, -first.write_off)
    union all
    select 'I8 the book is not what is charged: ' || coalesce(charged.policy_id, booked.policy_id) || ' ' || account
    from (${charged}) charged full join (${booked}) booked using (business_unit_id, policy_id, account)
    where coalesce(charged.cents, 0) <> coalesce(booked.cents, 0)
    union all
    select 'I8 the book is not what the account owes: ' || policy.id
    from policies policy
    where ${isSold} and ${sum('agency_account')} <> ${payments('amount_cents - refunded_cents', `payment.gateway = 'Deferred'`)}
    union all
    select 'I8 the book is not what the card network has: ' || policy.id
    from policies policy
    where ${sum('card_clearing + chargebacks')} <> ${payments('amount_cents', `payment.gateway <> 'Deferred'`)}
      + ${refunds('refund.deed_id is null')} - ${refunds(`refund.state = 'done'`)}
    union all
    select 'I8 the book is not what is owed to clients: ' || policy.id
    from policies policy
    where ${sum('-refunds_payable')} <> ${refunds(`refund.state in ('due', 'refused')`)}
      + (select coalesce(sum(${withoutWay}), 0) from policy_deeds movement where ${samePolicy('movement')})
    union all
    select 'I8 the book is not what was sent from the bank: ' || policy.id
    from policies policy
    where ${sum('-bank')} <> ${refunds(`refund.state = 'transferred'`)}
    union all
    select 'I8 the book is not what was waived: ' || policy.id
    from policies policy
    where ${sum('write_off')} <> (select coalesce(sum(waived_cents), 0) from policy_deeds movement where ${samePolicy('movement')})
    union all
    select 'I10 the book is not the commission of the current version: ' || policy.id
    from policies policy
    where ${isSold} and ${sum('-commission_payable')} <> policy.commission_cents`
