-- The role under which every unit's transaction runs. It belongs to the whole server, so another database may have made it already.
do $$ begin
  create role portolan_app nologin nobypassrls;
exception when duplicate_object or unique_violation then null;
end $$;

do $$ begin
  execute format('grant portolan_app to %I', current_user);
end $$;

create table business_units (
  id uuid primary key,
  key text not null unique,
  settings jsonb not null,
  suspended boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

alter table business_units enable row level security;

create policy own_unit on business_units to portolan_app
  using (id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, update on business_units to portolan_app;

-- Jobs: written in the transaction that causes them, done by a worker afterwards (decision 0004).
create table jobs (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  topic text not null,
  subscriber text not null,
  payload jsonb not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  attempts integer not null default 0,
  run_at timestamptz not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  last_error text,
  primary key (business_unit_id, id)
);

create index jobs_due on jobs (run_at) where state in ('waiting', 'running');

create index jobs_failed on jobs (business_unit_id, created_at) where state = 'failed';

alter table jobs enable row level security;

create policy own_unit on jobs to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on jobs to portolan_app;

-- The first reply to a call that may be repeated, kept for a day.
create table idempotency (
  business_unit_id uuid not null references business_units (id),
  user_id uuid not null,
  key text not null,
  call text not null,
  question_hash bytea not null,
  status integer,
  reply text,
  claimed_at timestamptz not null,
  primary key (business_unit_id, user_id, key)
);

create index idempotency_age on idempotency (claimed_at);

alter table idempotency enable row level security;

create policy own_unit on idempotency to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update, delete on idempotency to portolan_app;
