-- The views of the policy lists that a user has saved in an agency: a filter, an order and the hidden columns under a name. A view holds no search text,
-- and thus no client's name. The slots limit their number, also when several are saved at once.
create table policy_views (
  business_unit_id uuid not null references business_units (id),
  user_id uuid not null references users (id),
  id uuid not null,
  slot integer not null check (slot between 1 and 20),
  list text not null check (list in ('purchased', 'budgeted')),
  name text not null check (char_length(name) between 1 and 40),
  params jsonb not null,
  hidden text[] not null,
  created_at timestamptz not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, user_id, slot),
  unique (business_unit_id, user_id, list, name)
);

alter table policy_views enable row level security;

create policy own_unit on policy_views to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on policy_views to portolan_service using (true);

create policy no_owner on policy_views as restrictive to current_user using (false);

alter table policy_views force row level security;

grant select, insert, update, delete on policy_views to portolan_app;
