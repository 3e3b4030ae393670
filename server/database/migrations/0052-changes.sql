-- With row security the owner sees no row, so new foreign keys hold for what is written from here on. Existing rows keep what they had.
set local row_security = on;

-- The price that the sale was settled with never moves; the total does. The sale's payment is tied to the former.
alter table policies drop constraint purchased_is_settled;

alter table policies add column sold_version integer, add column sold_cents bigint,
  add column ended_kind text check (ended_kind in ('cancellation', 'withdrawal')), add column ended_at timestamptz, add column cover_ends date;

-- One rewrite of the table is much faster than an update of every row, which writes every index.
alter table policies
  alter column sold_version type integer using case when status in ('purchased', 'cancelled') then version end,
  alter column sold_cents type bigint using case when status in ('purchased', 'cancelled') then total_cents end;

alter table policies add constraint sold_with check ((number is not null) = (sold_version is not null and sold_cents is not null)),
  add constraint ended_with check ((ended_kind is null) = (ended_at is null) and (ended_kind is null or status = 'cancelled'));

-- A change has a payment of its own. Only the sale's is the one that a policy is sold by.
alter table payments add column purpose text not null default 'sale' check (purpose in ('sale', 'change', 'reinstatement'));

alter table payments drop column settled;

alter table payments add column settled boolean generated always as (case when state = 'settled' and purpose = 'sale' then true end) stored;

alter table payments add unique (business_unit_id, policy_id, settled), add unique (business_unit_id, policy_id, settled, amount_cents, currency),
  add constraint settled_is_purchased foreign key (business_unit_id, policy_id, settled) references policies (business_unit_id, id, paid)
    deferrable initially deferred;

alter table policies add constraint purchased_is_settled
  foreign key (business_unit_id, id, paid, sold_cents, currency)
  references payments (business_unit_id, policy_id, settled, amount_cents, currency) deferrable initially deferred;

-- A payment on account is credited there, too. Never more is given back than was paid.
alter table payments drop constraint payments_check;

alter table payments add constraint refunded_at_most
  check (refunded_cents between 0 and case when gateway = 'Deferred' and state = 'settled' then amount_cents else received_cents end);

-- Each step of a sold policy: from one version to the next, with its money. Append-only.
create table policy_deeds (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('change', 'undo', 'cancellation', 'withdrawal', 'reinstatement')),
  from_version integer not null,
  to_version integer not null,
  at timestamptz not null,
  user_id uuid not null references users (id),
  user_name text not null,
  -- A repeated request finds its own first try by it, also on another node.
  request_key text,
  basis text,
  reason text,
  note text,
  asked jsonb not null,
  wait_until timestamptz,
  difference_cents bigint not null,
  charge_cents bigint not null check (charge_cents >= 0),
  refund_cents bigint not null check (refund_cents >= 0),
  -- The part of an earlier refund that had not left.
  stopped_cents bigint not null check (stopped_cents >= 0),
  kept_cents bigint not null check (kept_cents >= 0),
  -- The part of the charge that no gateway takes; negative where a change with such a part is undone.
  waived_cents bigint not null,
  commission_cents bigint not null,
  currency text not null,
  routes jsonb not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, policy_id, from_version),
  unique (business_unit_id, policy_id, to_version),
  unique (business_unit_id, request_key),
  foreign key (business_unit_id, policy_id, from_version) references policy_versions (business_unit_id, policy_id, version),
  foreign key (business_unit_id, policy_id, to_version) references policy_versions (business_unit_id, policy_id, version),
  check (to_version = from_version + 1),
  check (charge_cents = 0 or refund_cents = 0),
  check (difference_cents = charge_cents + stopped_cents - refund_cents)
);

alter table policy_deeds enable row level security;

create policy own_unit on policy_deeds to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on policy_deeds to portolan_service using (true);

create policy no_owner on policy_deeds as restrictive to current_user using (false);

alter table policy_deeds force row level security;

grant select, insert on policy_deeds to portolan_app;

revoke update, delete on policy_deeds from portolan_service;

-- The parts of a version's premium and the days that they pay. A version without rows has one part: the premium, from the first day to the last.
create table policy_segments (
  business_unit_id uuid not null references business_units (id),
  policy_id uuid not null,
  version integer not null,
  position integer not null check (position >= 0),
  from_day date not null,
  to_day date not null,
  premium_cents bigint not null,
  joined integer not null check (joined >= 0),
  primary key (business_unit_id, policy_id, version, position),
  foreign key (business_unit_id, policy_id, version) references policy_versions (business_unit_id, policy_id, version)
);

alter table policy_segments enable row level security;

create policy own_unit on policy_segments to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on policy_segments to portolan_service using (true);

create policy no_owner on policy_segments as restrictive to current_user using (false);

alter table policy_segments force row level security;

grant select, insert on policy_segments to portolan_app;

revoke update, delete on policy_segments from portolan_service;

-- The premium by the tariff, where a lower price was kept. Null: as charged.
alter table policy_versions add column tariff_premium_cents bigint;

-- The same id for a person in all versions. Null: known by the position in the version that was sold.
alter table policy_people add column person_id uuid;

-- Changes of sold policies: with equal counts of all statuses and of these, a search finds the same.
alter table policy_counts add column changed bigint not null default 0;

-- A deed's refund leaves at this moment. Until then the next deed can stop it.
alter table refunds add column deed_id uuid, add column leave_at timestamptz,
  add foreign key (business_unit_id, deed_id) references policy_deeds (business_unit_id, id);

alter table refunds drop constraint refunds_state_check;

alter table refunds add constraint refunds_state_check check (state in ('due', 'done', 'refused', 'stopped'));

-- A deed's charge or credit on the agency's account.
alter table agency_ledger add column deed_id uuid, add foreign key (business_unit_id, deed_id) references policy_deeds (business_unit_id, id),
  add unique (business_unit_id, deed_id, payment_id), drop constraint agency_ledger_business_unit_id_payment_id_kind_key,
  drop constraint agency_ledger_kind_check, add constraint agency_ledger_kind_check check ((kind <> 'sale' or deed_id is null)
    and kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement'));

create unique index agency_ledger_sale on agency_ledger (business_unit_id, payment_id) where kind = 'sale';

set local row_security = off;
