-- At the close of a month, an agency's commission is set against what it owes (decision 56).
alter table money_book drop constraint money_book_kind_check, drop constraint commission_balanced, drop constraint of_a_policy;

alter table money_book
  add constraint money_book_kind_check check (kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement', 'unwanted',
    'refund_sent', 'refund_failed', 'chargeback', 'correction', 'payment', 'write_off', 'netting')) not valid,
  add constraint commission_balanced check (commission_expense = -commission_payable
    or kind in ('correction', 'payment', 'write_off', 'netting')) not valid,
  add constraint of_a_policy check ((policy_id is not null and policy_version is not null)
    or kind in ('correction', 'payment', 'write_off', 'netting')) not valid;

-- Payments and corrections are few among the deeds.
create index money_book_settlements on money_book (business_unit_id, at) where kind in ('payment', 'write_off');

-- How an agency settles its account with the insurer. Without a row: netted, and without a credit limit.
create table account_terms (
  business_unit_id uuid not null references business_units (id),
  netted boolean not null,
  primary key (business_unit_id)
);

-- What an agency earned and owes for a month, in one currency. Written once, when the month is closed, and never changed. Its lines are the rows of the
-- money book from `starts_at` until before `ends_at`.
create table statements (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  next_id uuid not null,
  number text not null,
  month date not null,
  currency text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  closed_at timestamptz not null,
  due_on date not null,
  netted boolean not null,
  -- The deeds of the month, and all rows of the book that moved the agency's balance.
  deeds integer not null,
  gross_cents bigint not null,
  account_cents bigint not null,
  earned_cents bigint not null,
  -- What stood open when the month began, and when it ended: owed by the agency, and owed to it as commission.
  account_before_cents bigint not null,
  commission_before_cents bigint not null,
  account_after_cents bigint not null,
  commission_after_cents bigint not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, month, currency),
  unique (business_unit_id, number)
);

-- The sums of a statement by month of the deeds, product, seller, way of the money and kind of deed, for the earnings of past months.
create table statement_sums (
  business_unit_id uuid not null,
  statement_id uuid not null,
  month date not null,
  product_id uuid not null,
  seller_id uuid not null,
  way text not null check (way in ('account', 'card', 'both', 'none')),
  kind text not null,
  deeds integer not null,
  gross_cents bigint not null,
  account_cents bigint not null,
  earned_cents bigint not null,
  primary key (business_unit_id, statement_id, month, product_id, seller_id, way, kind),
  foreign key (business_unit_id, statement_id) references statements (business_unit_id, id)
);

alter table account_terms enable row level security;

alter table statements enable row level security;

alter table statement_sums enable row level security;

create policy own_unit on account_terms to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy own_unit on statements to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy own_unit on statement_sums to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on account_terms to portolan_service using (true);

create policy service on statements to portolan_service using (true);

create policy service on statement_sums to portolan_service using (true);

create policy no_owner on account_terms as restrictive to current_user using (false);

create policy no_owner on statements as restrictive to current_user using (false);

create policy no_owner on statement_sums as restrictive to current_user using (false);

alter table account_terms force row level security;

alter table statements force row level security;

alter table statement_sums force row level security;

grant select on account_terms to portolan_app;

grant select, insert on statements to portolan_app;

grant select, insert on statement_sums to portolan_app;

revoke update, delete on statements from portolan_service;

revoke update, delete on statement_sums from portolan_service;
