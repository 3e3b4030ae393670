-- The facts of the money that a person booked on an agency's account, by hand or from a bank's file: the money book has its entries. Append-only.
set local row_security = on;

create table account_bookings (
  business_unit_id uuid not null,
  -- That of the booking in the money book.
  id uuid not null,
  way text not null check (way in ('received', 'paid', 'write_off')),
  cents bigint not null check (cents > 0),
  currency text not null,
  -- The day of the payment, as the bank has it.
  paid_on date not null,
  -- The bank's. What was written off has none.
  reference text not null,
  reason text,
  from_file boolean not null,
  -- The bank took an earlier payment back.
  taken_back boolean not null,
  booked_by uuid,
  -- The booking that this one takes back.
  reverses uuid,
  primary key (business_unit_id, id),
  constraint reversed_once unique (business_unit_id, reverses)
);

alter table account_bookings enable row level security;

create policy own_unit on account_bookings to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on account_bookings to portolan_service using (true);

create policy administration on account_bookings to portolan_admin using (true);

create policy no_owner on account_bookings as restrictive to current_user using (false);

alter table account_bookings force row level security;

grant select, insert on account_bookings to portolan_app;

grant select on account_bookings to portolan_admin;

revoke update, delete on account_bookings from portolan_service;

set local role portolan_service;

-- The audit has the facts of the bookings so far. The entry of one by hand is the first of its amount that was written
-- in its millisecond (the first digits of an id) or later.
with done as materialized (
  select id, business_unit_id, user_id, reason, details, round((details->>'amount')::numeric * 100)::bigint as cents
  from audit where action in ('administration.account_payment', 'administration.account_written_off') and outcome = 'done')
insert into account_bookings (business_unit_id, id, way, cents, currency, paid_on, reference, reason, from_file, taken_back, booked_by)
select book.business_unit_id, book.id, case when book.kind = 'write_off' then 'write_off' when book.bank > 0 then 'received' else 'paid' end,
  abs(book.bank + book.write_off), book.currency,
  coalesce((told.details->>'on')::date, (book.at at time zone (unit.settings->>'timeZone'))::date), coalesce(told.details->>'reference', ''),
  told.reason, entry.id is not null, coalesce((told.details->>'isReversal')::boolean, false), told.user_id
from money_book as book
join business_units as unit on unit.id = book.business_unit_id
left join bank_entries as entry on entry.id = book.request_id
left join lateral (
  select * from done
  where done.business_unit_id = book.business_unit_id and done.cents = abs(book.bank + book.write_off)
    and coalesce(done.details->>'bankEntry', '') = coalesce(entry.id::text, '') and (entry.id is not null or left(done.id::text, 13) >= left(book.id::text, 13))
  order by done.id limit 1) as told on true
where book.kind in ('payment', 'write_off') and book.bank + book.write_off <> 0;

reset role;

create index account_bookings_amount on account_bookings (cents, currency, way);

alter table account_bookings add foreign key (business_unit_id, id) references money_book (business_unit_id, id);

alter table account_bookings add foreign key (business_unit_id, reverses) references account_bookings (business_unit_id, id);

analyze account_bookings;

set local row_security = off;
