-- A change, an undo or a reinstatement that waits for its payment by card. The deed that is made of it has its id.
create table open_changes (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  policy_id uuid not null,
  kind text not null check (kind in ('change', 'undo', 'reinstatement')),
  from_version integer not null,
  state text not null check (state in ('awaiting_payment', 'done', 'expired', 'taken_back')),
  -- What was asked, and what will be written when it is paid: exactly what was shown. Removed once it has ended, as both hold people's data.
  asked jsonb,
  step jsonb,
  at timestamptz not null,
  until timestamptz not null,
  ended_at timestamptz,
  user_id uuid not null references users (id),
  user_name text not null,
  -- A repeated request finds its own first try by it, also on another node.
  request_key text,
  payment_id uuid not null,
  difference_cents bigint not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, payment_id),
  unique (business_unit_id, request_key),
  foreign key (business_unit_id, policy_id, from_version) references policy_versions (business_unit_id, policy_id, version),
  foreign key (business_unit_id, payment_id) references payments (business_unit_id, id),
  check ((ended_at is null) = (state = 'awaiting_payment')),
  check ((ended_at is null) = (step is not null) and (ended_at is null) = (asked is not null)),
  check (ended_at is null or request_key is null)
);

-- At most one on a policy.
create unique index open_changes_one on open_changes (business_unit_id, policy_id) where ended_at is null;

alter table open_changes enable row level security;

create policy own_unit on open_changes to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on open_changes to portolan_service using (true);

create policy no_owner on open_changes as restrictive to current_user using (false);

alter table open_changes force row level security;

grant select, insert, update on open_changes to portolan_app;

revoke delete on open_changes from portolan_service;
