-- The links by which clients open the page of a policy. A link is known by its hash alone; each mail has one of its own.
create table client_tokens (
  business_unit_id uuid not null references business_units (id),
  token_hash bytea not null,
  purpose text not null check (purpose in ('policy')),
  policy_id uuid not null,
  -- The address that it was mailed to. The policyholder alone may withdraw.
  recipient_hash bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (business_unit_id, token_hash),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

-- A link names no unit.
create index client_tokens_hash on client_tokens (token_hash);

create index client_tokens_expiry on client_tokens (expires_at);

alter table client_tokens enable row level security;

create policy own_unit on client_tokens to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on client_tokens to portolan_service using (true);

create policy no_owner on client_tokens as restrictive to current_user using (false);

alter table client_tokens force row level security;

grant select, insert on client_tokens to portolan_app;

-- A client's statement of withdrawal: received with its row, whatever is down afterwards. Append-only, and one a policy.
create table withdrawals (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  policy_id uuid not null,
  policy_version integer not null,
  at timestamptz not null,
  name text not null,
  confirm_to text not null,
  basis text not null,
  -- With a claim on the policy, the insurer decides what comes back.
  claimed boolean not null,
  refund_cents bigint not null check (refund_cents >= 0),
  currency text not null,
  way text not null check (way in ('card', 'agency', 'both', 'none')),
  refund_by date not null,
  request_key text,
  request_hash text not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, policy_id),
  foreign key (business_unit_id, policy_id, policy_version) references policy_versions (business_unit_id, policy_id, version)
);

alter table withdrawals enable row level security;

create policy own_unit on withdrawals to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on withdrawals to portolan_service using (true);

create policy no_owner on withdrawals as restrictive to current_user using (false);

alter table withdrawals force row level security;

grant select, insert on withdrawals to portolan_app;

revoke update, delete on withdrawals from portolan_service;

-- Tries to find a policy without its link. They are counted before a number is known to exist, so they belong to no unit.
create table client_finds (
  id uuid primary key,
  number_hash bytea not null,
  network text not null,
  at timestamptz not null
);

create index client_finds_number on client_finds (number_hash, at);

create index client_finds_network on client_finds (network, at);
