-- The rows that a sale must leave, in plain tables: keys led by the agency, and the indexes that lists, searches and checks need. The widths are
-- those of a real sale. Nothing of the service reads or writes them (bench/sale/least.ts).
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create schema least;
set search_path = least, public;

create table policies (
  unit uuid, id uuid, status text not null, version integer not null, number text collate "C", product_id uuid not null, product text not null,
  holder text not null, seller_id uuid not null, seller text not null, reference text not null, start_date date not null, end_date date not null,
  locale text not null, currency text not null, total bigint not null, commission bigint not null, valid_until timestamptz not null,
  created_at timestamptz not null, updated_at timestamptz not null, purchased_at timestamptz, search text not null,
  primary key (unit, id), unique (unit, number)
);
create index on policies (unit, status, created_at, id);
create index on policies (unit, status, number, id);
create index on policies (unit, status, product collate "C", id);
create index on policies (unit, status, holder collate "C", id);
create index on policies (unit, status, seller collate "C", id);
create index on policies (unit, status, reference collate "C", id);
create index on policies (unit, status, start_date, id);
create index on policies (unit, status, end_date, id);
create index on policies (unit, status, total, id);
create index on policies (unit, seller_id, status, created_at, id);
create index on policies using gin (unit, search gin_trgm_ops);

create table versions (
  unit uuid, policy_id uuid, version integer, at timestamptz not null, user_id uuid not null, catalogue integer not null, tariff text not null,
  total bigint not null, currency text not null, content jsonb not null, primary key (unit, policy_id, version)
);

create table people (
  unit uuid, policy_id uuid, version integer, position integer, holder boolean not null, name text, last_name text, birth_date date,
  document bytea, document_hash bytea, email text, phone text, address text, city text, zip_code text, premium bigint,
  name_sort text collate "C" not null, primary key (unit, policy_id, version, position)
);
create index on people (unit, name_sort);
create index on people (unit, document_hash);
create index on people (unit, email) where email is not null;

create table price_lines (
  unit uuid, policy_id uuid, version integer, position integer, kind text not null, code text, rate numeric, amount bigint not null,
  primary key (unit, policy_id, version, position)
);

create table events (
  unit uuid, policy_id uuid, id uuid, at timestamptz not null, user_id uuid, user_name text, what text not null, details jsonb not null,
  primary key (unit, policy_id, id)
);

create table audit (
  unit uuid, id uuid, at timestamptz not null, user_id uuid, action text not null, object text, outcome text not null, network text not null,
  user_agent text not null, request_id text not null, details jsonb, primary key (unit, id)
);
create index on audit (unit, at);
create index on audit (object, at);

create table payments (
  unit uuid, id uuid, policy_id uuid not null, version integer not null, gateway text not null, gateway_id uuid not null, user_id uuid not null,
  amount bigint not null, currency text not null, state text not null, request_key text, reply jsonb, created_at timestamptz not null,
  settled_at timestamptz, primary key (unit, id), unique (unit, request_key)
);
create index on payments (unit, policy_id);

create table bookings (
  unit uuid, id uuid, at timestamptz not null, kind text not null, policy_id uuid, payment_id uuid, currency text not null,
  premium bigint not null, commission_expense bigint not null, commission_payable bigint not null, account bigint not null, tax bigint not null,
  taxes jsonb not null, primary key (unit, id)
);
create index on bookings (unit, policy_id, at);
create index on bookings (unit, at, id);

create table documents (
  unit uuid, id uuid, policy_id uuid not null, kind text not null, name text not null, media_type text not null, locale text, state text not null,
  content_id uuid, size bigint, sha256 text, user_id uuid, created_at timestamptz not null, primary key (unit, id)
);
create index on documents (unit, policy_id);

create table jobs (
  unit uuid, id uuid, topic text not null, subscriber text not null, payload jsonb not null, state text not null, attempts integer not null default 0,
  run_at timestamptz not null, created_at timestamptz not null, primary key (unit, id)
);
create index on jobs (subscriber, run_at) where state in ('waiting', 'running');

create table counts (unit uuid, part integer, pending bigint not null default 0, purchased bigint not null default 0, primary key (unit, part));
insert into counts (unit, part) select '019aa000-0000-7000-8000-000000000001', part from generate_series(0, 15) part;
