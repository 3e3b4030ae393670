-- Events of a policy that came without the user who began them, such as the client’s answer to an offer. Each is there until that user opens the policy.
create table policy_notices (
  business_unit_id uuid not null references business_units (id),
  user_id uuid not null references users (id),
  policy_id uuid not null,
  kind text not null check (kind in ('offer_paid', 'offer_declined')),
  at timestamptz not null,
  primary key (business_unit_id, user_id, policy_id),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

alter table policy_notices enable row level security;

create policy own_unit on policy_notices to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on policy_notices to portolan_service using (true);

create policy no_owner on policy_notices as restrictive to current_user using (false);

alter table policy_notices force row level security;

grant select, insert, update, delete on policy_notices to portolan_app;
