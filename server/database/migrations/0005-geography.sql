-- One row a state with its cities in it: a question is one row read, and a country is replaced whole.
create table geo_states (
  id integer primary key,
  country_id integer not null,
  code text not null,
  name text not null,
  cities jsonb not null
);

create index geo_states_country on geo_states (country_id);

-- Raised by every import, so that a node knows when what it holds in memory is old.
create table geo_version (
  singleton boolean primary key default true check (singleton),
  version integer not null,
  source text not null,
  at timestamptz not null
);

grant select on geo_states, geo_version to portolan_app;
