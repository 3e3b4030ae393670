-- What changed, or what was asked for, beside who and when.
alter table audit add column if not exists details jsonb;

-- An agency's profile is changed by several people: whoever saves says which version he saw.
alter table business_units add column version integer not null default 1;

-- Append-only: what was changed of a profile, by whom, from what to what.
create table business_unit_changes (
  business_unit_id uuid not null references business_units (id),
  version integer not null,
  at timestamptz not null,
  user_id uuid references users (id),
  changes jsonb not null,
  primary key (business_unit_id, version)
);

alter table business_unit_changes enable row level security;

create policy own_unit on business_unit_changes to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on business_unit_changes to portolan_app;

-- Whoever is invited is no member before he accepts: until then the unit knows the name that it wrote, and nothing of a user who is there.
alter table memberships add column invited_at timestamptz;

alter table memberships add column invited_name text;

alter table memberships add column accepted_at timestamptz;

update memberships set accepted_at = created_at;

-- What follows a person to every device.
alter table users add column locale text;

alter table users add column density text check (density in ('comfortable', 'compact'));

alter table users add column last_sign_in_at timestamptz;

-- An invitation is of one unit.
alter table one_time_tokens add column invited_to uuid references business_units (id);

alter table one_time_tokens drop constraint one_time_tokens_purpose_check;

alter table one_time_tokens add constraint one_time_tokens_purpose_check check (purpose in ('sign-in', 'password', 'invitation'));

-- The app on the telephone: `last_step` is the moment of the last code that was taken, so that none is taken twice.
create table second_factors (
  user_id uuid primary key references users (id),
  secret bytea not null,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  confirmed_at timestamptz
);

create table recovery_codes (
  user_id uuid not null references users (id),
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
