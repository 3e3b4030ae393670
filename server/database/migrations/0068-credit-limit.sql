-- With row security the owner sees no row, so new foreign keys hold for what is written from here on.
set local row_security = on;

-- The credit limit of an agency, in its own currency. It is lifted until the end of a day.
alter table account_terms
  add column currency text,
  add column limit_cents bigint check (limit_cents >= 0),
  add column lifted_until timestamptz,
  -- The due day of a statement that is overdue: nothing more is sold on account.
  add column overdue_since date,
  add constraint limit_has_currency check (limit_cents is null or currency is not null);

alter table account_terms alter column netted set default true;

grant insert, update on account_terms to portolan_app;

-- What may still be put on an agency's account: the limit, or nothing without one, less what stands on the account. It lies in slots, so that sales at
-- the same time seldom wait for each other.
create table account_headroom (
  business_unit_id uuid not null references business_units (id),
  currency text not null,
  slot smallint not null check (slot between 0 and 15),
  cents bigint not null,
  primary key (business_unit_id, currency, slot)
);

alter table account_headroom enable row level security;

create policy own_unit on account_headroom to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on account_headroom to portolan_service using (true);

create policy no_owner on account_headroom as restrictive to current_user using (false);

alter table account_headroom force row level security;

grant select, insert, update on account_headroom to portolan_app;

create policy administration on account_terms to portolan_admin using (true);

create policy administration on account_headroom to portolan_admin using (true);

create policy administration on statements to portolan_admin using (true);

grant select on account_terms, account_headroom, statements to portolan_admin;

create policy administration on money_book to portolan_admin using (true);

grant select on money_book to portolan_admin;

-- What the client calls a booking by hand, so that a repeated request books nothing more.
alter table money_book add column request_id uuid;

create unique index money_book_request on money_book (business_unit_id, request_id) where request_id is not null;

set local role portolan_service;

insert into account_headroom (business_unit_id, currency, slot, cents)
select business_unit_id, currency, 0, -sum(agency_account) from money_book where agency_account <> 0 group by business_unit_id, currency;

reset role;

set local row_security = off;
