-- What a user, and his unit as a whole, has spent of what costs dear: until when it counts. `who` is the user, or the unit itself.
create table allowances (
  business_unit_id uuid not null references business_units (id),
  who uuid not null,
  kind text not null,
  used_until timestamptz not null,
  primary key (business_unit_id, who, kind)
);

alter table allowances enable row level security;

create policy own_unit on allowances to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on allowances to portolan_app;
