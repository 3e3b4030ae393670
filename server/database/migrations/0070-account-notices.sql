-- The notices that an agency got about its account, so that it gets each once: a statement is due soon or overdue, and much of its limit is used.
create table account_notices (
  business_unit_id uuid not null references business_units (id),
  kind text not null check (kind in ('due', 'overdue', 'limit')),
  -- The number of the statement, or the currency of the limit.
  subject text not null,
  -- The percentage of the limit that it was notified of.
  level smallint not null,
  at timestamptz not null,
  primary key (business_unit_id, kind, subject)
);

alter table account_notices enable row level security;

create policy own_unit on account_notices to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on account_notices to portolan_service using (true);

create policy no_owner on account_notices as restrictive to current_user using (false);

alter table account_notices force row level security;

grant select, insert, update, delete on account_notices to portolan_app;
