-- The reports that users run, or that a schedule has made for them (decision 61). Their files are deleted after some days.
create table reports (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  -- Those who may open it: the user who ran it, or the recipients of its schedule.
  readers uuid[] not null,
  -- The seller to whose sales it is narrowed; null for the whole agency.
  own_of uuid,
  schedule_id uuid,
  -- Report, groups, filters and format.
  choice jsonb not null,
  from_day date not null,
  to_day date not null,
  locale text not null,
  state text not null check (state in ('making', 'ready', 'failed')),
  -- The attempt of its job whose parts are the file.
  attempt integer,
  created_at timestamptz not null,
  primary key (business_unit_id, id),
  constraint ready_has_attempt check ((state = 'ready') = (attempt is not null))
);

create index reports_created on reports (business_unit_id, created_at);

-- A file in pieces that are small enough for a copy of the database.
create table report_parts (
  business_unit_id uuid not null,
  report_id uuid not null,
  attempt integer not null,
  position integer not null,
  content bytea not null,
  primary key (business_unit_id, report_id, attempt, position),
  foreign key (business_unit_id, report_id) references reports (business_unit_id, id) on delete cascade
);

-- The slots limit their number, also when several are made at once.
create table report_schedules (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  slot integer not null check (slot between 1 and 20),
  user_id uuid not null,
  choice jsonb not null,
  period text not null,
  month_day smallint check (month_day between 1 and 28),
  weekday smallint check (weekday between 1 and 7),
  hour smallint not null check (hour between 0 and 23),
  recipients uuid[] not null,
  next_at timestamptz not null,
  created_at timestamptz not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, slot),
  constraint monthly_or_weekly check ((month_day is null) <> (weekday is null))
);

create index report_schedules_next on report_schedules (next_at);

alter table reports enable row level security;

create policy own_unit on reports to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on reports to portolan_service using (true);

create policy no_owner on reports as restrictive to current_user using (false);

alter table reports force row level security;

alter table report_parts enable row level security;

create policy own_unit on report_parts to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on report_parts to portolan_service using (true);

create policy no_owner on report_parts as restrictive to current_user using (false);

alter table report_parts force row level security;

alter table report_schedules enable row level security;

create policy own_unit on report_schedules to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on report_schedules to portolan_service using (true);

create policy no_owner on report_schedules as restrictive to current_user using (false);

alter table report_schedules force row level security;

grant select, insert, update, delete on reports, report_parts, report_schedules to portolan_app;

-- A report's choice is saved as a view, as the conditions of a list are.
alter table policy_views drop constraint policy_views_list_check;

alter table policy_views add constraint policy_views_list_check
  check (list in ('purchased', 'budgeted', 'claim', 'request', 'report'));
