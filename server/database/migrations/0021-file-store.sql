-- Of this installation: the id that its file store carries as a marker. `marked`: the store was seen to carry it.
create table file_store (
  one boolean primary key default true check (one),
  id uuid not null,
  marked boolean not null
);

-- What a paper was printed of, packed: with it the very same bytes are made again when the file store has lost them.
create table paper_sources (
  business_unit_id uuid not null references business_units (id),
  content_id uuid not null,
  source bytea not null,
  -- The picture that went with it.
  logo_sha256 text,
  primary key (business_unit_id, content_id)
);

alter table paper_sources enable row level security;

create policy own_unit on paper_sources to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on paper_sources to portolan_app;

-- Each picture once, however many papers bear it.
create table paper_logos (
  business_unit_id uuid not null references business_units (id),
  sha256 text not null,
  kind text not null,
  content bytea not null,
  primary key (business_unit_id, sha256)
);

alter table paper_logos enable row level security;

create policy own_unit on paper_logos to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on paper_logos to portolan_app;
