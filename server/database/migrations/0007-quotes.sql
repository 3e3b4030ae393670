-- What was offered, for the day that it is good for: what was asked, what was answered, by which tariff.
create table quotes (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  user_id uuid not null,
  product_id uuid not null references products (id),
  tariff_version text not null,
  created_at timestamptz not null,
  valid_until timestamptz not null,
  question jsonb not null,
  answer jsonb not null,
  primary key (business_unit_id, id)
);

create index quotes_age on quotes (valid_until);

alter table quotes enable row level security;

create policy own_unit on quotes to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on quotes to portolan_app;
