-- A search for any part of a text reads a trigram index; with the unit in the same index a search reads only its own unit's share of it.
create extension if not exists pg_trgm;

create extension if not exists btree_gin;

-- What lists show and sort by. What a policy was sold with stands in its versions. `…_sort` and `search` are lower-case and without accents.
create table policies (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  -- deleted: a budget that nobody is shown any more. Its row stays, for money that may still come in.
  status text not null check (status in ('budgeted', 'pending', 'purchased', 'cancelled', 'deleted')),
  version integer not null check (version >= 1),
  number text collate "C",
  product_id uuid not null references products (id),
  product_name text not null,
  product_sort text collate "C" not null,
  taker text not null,
  taker_sort text collate "C" not null,
  seller_id uuid not null references users (id),
  seller_name text not null,
  seller_sort text collate "C" not null,
  reference text not null,
  reference_sort text collate "C" not null,
  start_date date not null,
  end_date date not null,
  locale text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total_cents bigint not null check (total_cents >= 0),
  -- Nothing is missing that a sale needs: a budget without it can be kept, not bought.
  complete boolean not null,
  price_valid_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  purchased_at timestamptz,
  search text not null,
  paid boolean generated always as (case when status in ('purchased', 'cancelled') then true end) stored,
  primary key (business_unit_id, id),
  unique (business_unit_id, number),
  unique (business_unit_id, id, paid),
  check (end_date >= start_date),
  check ((number is not null) = (status in ('purchased', 'cancelled'))),
  check ((purchased_at is not null) = (status in ('purchased', 'cancelled')))
);

-- One index for each order that the list offers; the id decides between equals.
create index policies_created on policies (business_unit_id, status, created_at, id);

create index policies_number on policies (business_unit_id, status, number, id);

create index policies_product on policies (business_unit_id, status, product_sort, id);

create index policies_product_id on policies (business_unit_id, status, product_id, id);

create index policies_taker on policies (business_unit_id, status, taker_sort, id);

create index policies_seller on policies (business_unit_id, status, seller_sort, id);

create index policies_reference on policies (business_unit_id, status, reference_sort, id);

create index policies_start on policies (business_unit_id, status, start_date, id);

create index policies_end on policies (business_unit_id, status, end_date, id);

-- One's own, where a permission narrows to them.
create index policies_own on policies (business_unit_id, seller_id, status, created_at, id);

create index policies_search on policies using gin (business_unit_id, search gin_trgm_ops);

alter table policies enable row level security;

create policy own_unit on policies to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on policies to portolan_app;

-- All that a policy was registered with, once for each time: a change is a new version, never an overwrite.
create table policy_versions (
  business_unit_id uuid not null references business_units (id),
  policy_id uuid not null,
  version integer not null,
  at timestamptz not null,
  user_id uuid not null references users (id),
  role_first_user integer not null check (role_first_user in (1, 2, 3)),
  pax_number integer not null check (pax_number >= 1),
  catalogue_version integer not null,
  product_version integer not null,
  tariff_version text not null,
  total_cents bigint not null,
  currency text not null,
  -- The trip as it was asked for, the quote as it was answered, and which texts were shown.
  content jsonb not null,
  primary key (business_unit_id, policy_id, version),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

alter table policy_versions enable row level security;

create policy own_unit on policy_versions to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on policy_versions to portolan_app;

-- The policyholder (position 0) and the travellers, in the order of `users`.
create table policy_people (
  business_unit_id uuid not null references business_units (id),
  policy_id uuid not null,
  version integer not null,
  position integer not null check (position >= 0),
  holder boolean not null,
  traveller boolean not null,
  name text,
  middle_name text,
  last_name text,
  company_name text,
  birth_date date,
  document_number text collate "C",
  identification_type_id integer not null check (identification_type_id in (3, 4)),
  email text,
  phone_prefix text,
  phone_number text,
  address text,
  city text,
  state text,
  zip_code text,
  premium_cents bigint,
  -- Surnames first, lower-case, without accents: known people are offered as one types.
  name_sort text collate "C" not null,
  primary key (business_unit_id, policy_id, version, position),
  foreign key (business_unit_id, policy_id, version) references policy_versions (business_unit_id, policy_id, version)
);

create index policy_people_document on policy_people (business_unit_id, document_number) where document_number is not null;

create index policy_people_name on policy_people (business_unit_id, name_sort);

alter table policy_people enable row level security;

create policy own_unit on policy_people to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on policy_people to portolan_app;

create table policy_price_lines (
  business_unit_id uuid not null references business_units (id),
  policy_id uuid not null,
  version integer not null,
  position integer not null,
  kind text not null check (kind in ('travel', 'cancellation', 'tax', 'commission')),
  code text,
  rate numeric,
  amount_cents bigint not null,
  primary key (business_unit_id, policy_id, version, position),
  foreign key (business_unit_id, policy_id, version) references policy_versions (business_unit_id, policy_id, version)
);

alter table policy_price_lines enable row level security;

create policy own_unit on policy_price_lines to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on policy_price_lines to portolan_app;

-- Who did what. Append-only. Without a user it was the service itself.
create table policy_history (
  business_unit_id uuid not null references business_units (id),
  policy_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  user_id uuid references users (id),
  user_name text,
  what text not null,
  details jsonb not null,
  primary key (business_unit_id, policy_id, id),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

alter table policy_history enable row level security;

create policy own_unit on policy_history to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on policy_history to portolan_app;

-- Numbers are taken from here in blocks, outside of sales, so that no sale waits for another's commit. Gaps are no fault.
create table policy_numbers (
  business_unit_id uuid primary key references business_units (id),
  next_number bigint not null
);

alter table policy_numbers enable row level security;

create policy own_unit on policy_numbers to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on policy_numbers to portolan_app;

-- How many policies a unit has in each status: the sum over the parts. In parts, so that sales at the same time do not wait for one row.
create table policy_counts (
  business_unit_id uuid not null references business_units (id),
  part integer not null,
  budgeted bigint not null default 0,
  pending bigint not null default 0,
  purchased bigint not null default 0,
  cancelled bigint not null default 0,
  deleted bigint not null default 0,
  primary key (business_unit_id, part)
);

alter table policy_counts enable row level security;

create policy own_unit on policy_counts to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on policy_counts to portolan_app;

-- What an agency owes for what it sold on its own account.
create table agency_ledger (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  at timestamptz not null,
  payment_id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('sale', 'cancellation')),
  amount_cents bigint not null,
  currency text not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, payment_id, kind),
  unique (business_unit_id, id, payment_id, amount_cents, currency),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

create index agency_ledger_at on agency_ledger (business_unit_id, at);

alter table agency_ledger enable row level security;

create policy own_unit on agency_ledger to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on agency_ledger to portolan_app;

-- One for each time a policy is registered: its id is the purchaseUUID. Written before the provider is spoken to, with the key for that.
create table payments (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  policy_id uuid not null,
  policy_version integer not null,
  gateway text not null check (gateway in ('Deferred', 'StripeV2')),
  gateway_id uuid not null,
  user_id uuid not null references users (id),
  amount_cents bigint not null check (amount_cents >= 0),
  currency text not null,
  -- open: may still be paid. closed: never will be. unwanted: paid, but there is nothing to give for it; refunded, or on the review list.
  state text not null check (state in ('open', 'settled', 'closed', 'unwanted')),
  idempotency_key text not null,
  -- What the register call was told to be known by, so that a repeated one finds its own first try even on another node.
  request_key text,
  intent_id text,
  received_cents bigint not null default 0 check (received_cents >= 0),
  refunded_cents bigint not null default 0,
  ledger_entry_id uuid,
  created_at timestamptz not null,
  -- When the provider is asked next what became of it.
  check_at timestamptz,
  settled_at timestamptz,
  settled boolean generated always as (case when state = 'settled' then true end) stored,
  primary key (business_unit_id, id),
  unique (business_unit_id, idempotency_key),
  unique (business_unit_id, request_key),
  unique (business_unit_id, intent_id),
  unique (business_unit_id, policy_id, settled),
  unique (business_unit_id, policy_id, settled, amount_cents, currency),
  foreign key (business_unit_id, policy_id, policy_version) references policy_versions (business_unit_id, policy_id, version),
  foreign key (business_unit_id, ledger_entry_id, id, amount_cents, currency)
    references agency_ledger (business_unit_id, id, payment_id, amount_cents, currency),
  -- Never more is given back than was paid.
  check (refunded_cents between 0 and received_cents),
  check ((gateway = 'Deferred' and state = 'settled') = (ledger_entry_id is not null)),
  check (gateway <> 'StripeV2' or state <> 'settled' or (intent_id is not null and received_cents = amount_cents)),
  check ((settled_at is not null) = (state = 'settled')),
  constraint settled_is_purchased foreign key (business_unit_id, policy_id, settled) references policies (business_unit_id, id, paid)
    deferrable initially deferred
);

create index payments_policy on payments (business_unit_id, policy_id);

create index payments_to_check on payments (check_at) where check_at is not null;

alter table payments enable row level security;

create policy own_unit on payments to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on payments to portolan_app;

-- Purchased if and only if there is a settled payment of just this amount and currency; the other direction is in `payments`.
alter table policies add constraint purchased_is_settled
  foreign key (business_unit_id, id, paid, total_cents, currency)
  references payments (business_unit_id, policy_id, settled, amount_cents, currency) deferrable initially deferred;

-- The provider's events that were heard: each is acted upon once.
create table payment_events (
  business_unit_id uuid not null references business_units (id),
  event_id text not null,
  kind text not null,
  intent_id text not null,
  at timestamptz not null,
  primary key (business_unit_id, event_id)
);

alter table payment_events enable row level security;

create policy own_unit on payment_events to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on payment_events to portolan_app;

create table refunds (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  payment_id uuid not null,
  amount_cents bigint not null check (amount_cents > 0),
  currency text not null,
  reason text not null,
  state text not null check (state in ('due', 'done')),
  idempotency_key text not null,
  provider_refund_id text,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (business_unit_id, id),
  unique (business_unit_id, idempotency_key),
  unique (business_unit_id, provider_refund_id),
  foreign key (business_unit_id, payment_id) references payments (business_unit_id, id),
  check ((state = 'done') = (provider_refund_id is not null and done_at is not null))
);

create index refunds_payment on refunds (business_unit_id, payment_id);

alter table refunds enable row level security;

create policy own_unit on refunds to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on refunds to portolan_app;

-- What the service cannot decide by itself: somebody has to look.
create table payment_reviews (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  at timestamptz not null,
  payment_id uuid not null,
  reason text not null,
  details jsonb not null,
  resolved_at timestamptz,
  resolved_by uuid references users (id),
  primary key (business_unit_id, id),
  unique (business_unit_id, payment_id, reason),
  foreign key (business_unit_id, payment_id) references payments (business_unit_id, id)
);

create index payment_reviews_open on payment_reviews (business_unit_id, at) where resolved_at is null;

alter table payment_reviews enable row level security;

create policy own_unit on payment_reviews to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on payment_reviews to portolan_app;
