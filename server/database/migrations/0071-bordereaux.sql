-- The insurer's file of the deeds of a closed month, over some units (decision 59). One administrator prepares it, another one releases it.
create table bordereaux (
  id uuid not null primary key,
  -- The client's, so that a repeated request prepares nothing more.
  request_id uuid not null unique,
  kind text not null check (kind in ('premium')),
  -- Its first day.
  month date not null,
  units uuid[] not null,
  state text not null check (state in ('preparing', 'prepared', 'released')),
  prepared_by uuid not null,
  prepared_at timestamptz not null,
  released_by uuid,
  released_at timestamptz,
  -- The control sums, once the files are written.
  sums jsonb,
  constraint has_sums check ((sums is null) = (state = 'preparing')),
  constraint released_by_another check ((state = 'released') = (released_by is not null and released_at is not null) and released_by <> prepared_by)
);

create index bordereaux_month on bordereaux (month);

create table bordereau_files (
  bordereau_id uuid not null references bordereaux (id) on delete cascade,
  name text not null,
  size bigint not null,
  sha256 text not null,
  primary key (bordereau_id, name)
);

-- The compressed bytes of a file, in pieces that are small enough for a copy of the database.
create table bordereau_parts (
  bordereau_id uuid not null references bordereaux (id) on delete cascade,
  name text not null,
  position integer not null,
  content bytea not null,
  primary key (bordereau_id, name, position)
);

-- The released month of a unit, of which there is one.
create table bordereau_units (
  business_unit_id uuid not null references business_units (id),
  month date not null,
  bordereau_id uuid not null references bordereaux (id),
  primary key (business_unit_id, month)
);

alter table bordereau_units enable row level security;

create policy own_unit on bordereau_units to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on bordereau_units to portolan_service using (true);

create policy administration on bordereau_units to portolan_admin using (true);

create policy no_owner on bordereau_units as restrictive to current_user using (false);

alter table bordereau_units force row level security;

grant select on bordereau_units to portolan_app;

grant select, insert on bordereau_units to portolan_admin;

grant select, insert, delete, update (state, released_by, released_at) on bordereaux to portolan_admin;

grant select on bordereau_files, bordereau_parts to portolan_admin;

-- What is written stays as it is. A file that was never released is deleted with its bordereau.
revoke update on bordereau_files from portolan_service;

revoke update on bordereau_parts from portolan_service;

revoke update, delete on bordereau_units from portolan_service;
