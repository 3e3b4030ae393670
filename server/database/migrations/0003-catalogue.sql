-- The catalogue is reference data: versions are added, never overwritten, so that what was sold keeps what it was sold with.
create table catalogue_versions (
  version integer primary key,
  loaded_at timestamptz not null,
  hash text not null,
  content jsonb not null
);

create table products (
  id uuid primary key,
  code text not null unique,
  version integer not null
);

create table product_versions (
  product_id uuid not null references products (id),
  version integer not null,
  loaded_at timestamptz not null,
  hash text not null,
  content jsonb not null,
  primary key (product_id, version)
);

create table tariffs (
  product_id uuid not null references products (id),
  version text not null,
  loaded_at timestamptz not null,
  hash text not null,
  content jsonb not null,
  primary key (product_id, version)
);

grant select on catalogue_versions, products, product_versions, tariffs to portolan_app;

-- What each unit sells, at which commission, and how it may be paid.
create table unit_products (
  business_unit_id uuid not null references business_units (id),
  product_id uuid not null references products (id),
  commission_percent integer not null check (commission_percent between 0 and 100),
  enabled boolean not null default true,
  primary key (business_unit_id, product_id)
);

alter table unit_products enable row level security;

create policy own_unit on unit_products to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select on unit_products to portolan_app;

create table unit_gateways (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  name text not null check (name in ('Deferred', 'StripeV2')),
  enabled boolean not null default true,
  primary key (business_unit_id, id),
  unique (business_unit_id, name)
);

alter table unit_gateways enable row level security;

create policy own_unit on unit_gateways to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select on unit_gateways to portolan_app;
