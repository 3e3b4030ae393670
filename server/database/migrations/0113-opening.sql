-- The sales of before the money book were booked as open debt (0055-money-book.sql), although agencies and insurer had settled them. An opening, at the end of
-- the month before that update, sets account and commission to nothing against the bank (decision 85).
alter table money_book drop constraint money_book_kind_check, drop constraint commission_balanced, drop constraint of_a_policy;

alter table money_book
  add constraint money_book_kind_check check (kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement', 'unwanted',
    'refund_sent', 'refund_failed', 'refund_transferred', 'chargeback', 'correction', 'payment', 'write_off', 'netting', 'stamp_duty',
    'opening')) not valid,
  add constraint commission_balanced check (commission_expense = -commission_payable
    or kind in ('correction', 'payment', 'write_off', 'netting', 'stamp_duty', 'opening')) not valid,
  add constraint of_a_policy check ((policy_id is not null and policy_version is not null)
    or kind in ('correction', 'payment', 'write_off', 'netting', 'stamp_duty', 'opening')) not valid;

create index money_book_opening on money_book (business_unit_id, currency, at) where kind = 'opening';

-- A correction settles, too.
create index money_book_settled on money_book (business_unit_id, at) where kind in ('payment', 'write_off', 'correction');

drop index money_book_settlements;

set local row_security = on;

set local role portolan_service;

-- An agency with closed months gets a correction in the open month instead, of what is still open: what was paid or given up beyond the new sales has
-- settled some of the old ones. A row is old by its day and by its id, which begins with the milliseconds of its writing.
insert into money_book (business_unit_id, id, at, kind, currency, bank, agency_account, commission_payable, taxes)
select business_unit_id, (substr(id_now, 1, 8) || '-' || substr(id_now, 9, 4) || '-7' || substr(gen_random_uuid()::text, 16))::uuid,
  case when closed then now() else starts - interval '1 millisecond' end, case when closed then 'correction' else 'opening' end, currency,
  account - commission, -account, commission, '{}'
from (
  select business_unit_id, currency, starts, closed, lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 1000)::bigint), 12, '0') as id_now,
    case when not closed then account when account > 0 then least(account, greatest(0, account_now))
      else greatest(account, least(0, account_now)) end as account,
    case when not closed then commission when commission > 0 then least(commission, greatest(0, commission_now))
      else greatest(commission, least(0, commission_now)) end as commission
  from (
    select business_unit_id, currency, starts, bool_or(is_old) as has_old,
      exists (select from statements where statements.business_unit_id = each.business_unit_id) as closed,
      sum(agency_account) as account_now, -sum(commission_payable) as commission_now,
      coalesce(sum(agency_account) filter (where is_old), 0) as account, coalesce(-sum(commission_payable) filter (where is_old), 0) as commission
    from (
      select book.business_unit_id, book.currency, book.agency_account, book.commission_payable, month.starts,
        -- A closing set the commission of an old month against the account when the month ended, and withheld its duty.
        book.at < month.starts and (book.id < booked.first_id or book.kind in ('netting', 'stamp_duty'))
          or book.at = month.starts and book.kind = 'netting' as is_old
      from money_book as book
      join business_units as unit on unit.id = book.business_unit_id
      cross join (
        select timestamp::timestamptz as at,
          (lpad(to_hex(floor(extract(epoch from timestamp::timestamptz) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid as first_id
        from kysely_migration where name = '0055-money-book') as booked
      cross join lateral (
        select date_trunc('month', booked.at at time zone (unit.settings->>'timeZone')) at time zone (unit.settings->>'timeZone') as starts) as month
      ) as each
    group by business_unit_id, currency, starts) as sums
  where has_old) as off
where not closed or account <> 0 or commission <> 0;

-- The room on the account grows by what is owed no longer.
insert into account_headroom as room (business_unit_id, currency, slot, cents)
select business_unit_id, currency, 0, -sum(agency_account) from money_book
where kind in ('opening', 'correction') and agency_account <> 0 group by business_unit_id, currency
on conflict (business_unit_id, currency, slot) do update set cents = room.cents + excluded.cents;

reset role;

set local row_security = off;
