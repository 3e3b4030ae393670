create table users (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  name text not null,
  password_hash text,
  active boolean not null default true,
  created_at timestamptz not null
);

create table memberships (
  business_unit_id uuid not null references business_units (id),
  user_id uuid not null references users (id),
  roles text[] not null,
  rank integer not null default 0,
  active boolean not null default true,
  created_at timestamptz not null,
  primary key (business_unit_id, user_id)
);

create index memberships_user on memberships (user_id);

alter table memberships enable row level security;

create policy own_unit on memberships to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on memberships to portolan_app;

-- Only the hash of a token is kept: who reads this table cannot sign in with it.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  token_hash bytea not null unique,
  network text not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  ended_at timestamptz
);

create index sessions_user on sessions (user_id, created_at);

-- The one-time tokens of sign-in and of a forgotten password; `flow_hash` ties the first kind to the browser that began.
create table one_time_tokens (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('sign-in', 'password')),
  user_id uuid not null references users (id),
  flow_hash bytea,
  expires_at timestamptz not null,
  used_at timestamptz
);

create index one_time_tokens_age on one_time_tokens (expires_at);

create table sign_in_failures (
  id uuid primary key,
  email_hash bytea not null,
  network text not null,
  at timestamptz not null
);

create index sign_in_failures_email on sign_in_failures (email_hash, at);

create index sign_in_failures_network on sign_in_failures (network, at);

-- Append-only: nobody is granted update or delete.
create table audit (
  id uuid primary key,
  at timestamptz not null,
  business_unit_id uuid,
  user_id uuid,
  action text not null,
  object text,
  outcome text not null check (outcome in ('done', 'refused')),
  reason text,
  network text not null,
  user_agent text not null,
  request_id text not null
);

create index audit_unit on audit (business_unit_id, at);

create index audit_user on audit (user_id, at);

alter table audit enable row level security;

create policy own_unit on audit to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on audit to portolan_app;
