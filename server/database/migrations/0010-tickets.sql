-- Claims and requests (spec 1). What was asked is kept with the answers, in all five languages, whatever the catalogue says later.
create table tickets (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  reference text not null,
  kind text not null check (kind in ('claim', 'request')),
  type_key text not null,
  form jsonb not null,
  status text not null check (status in ('open', 'in_progress', 'answered', 'closed')),
  subject text not null,
  description text not null,
  policy_id uuid,
  policy_number text,
  incident_date date,
  contact_name text not null,
  contact_email text not null,
  contact_phone text not null,
  locale text not null,
  user_id uuid not null references users (id),
  user_name text not null,
  -- How many messages it has: also the place of the last.
  messages integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Lower-case and without accents.
  search text not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, reference),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id),
  check ((policy_id is null) = (policy_number is null)),
  check ((kind = 'claim') = (incident_date is not null))
);

create index tickets_created on tickets (business_unit_id, kind, created_at, id);

create index tickets_user on tickets (business_unit_id, user_id, created_at);

create index tickets_policy on tickets (business_unit_id, policy_id) where policy_id is not null;

create index tickets_search on tickets using gin (business_unit_id, search gin_trgm_ops);

alter table tickets enable row level security;

create policy own_unit on tickets to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on tickets to portolan_app;

create table ticket_messages (
  business_unit_id uuid not null references business_units (id),
  ticket_id uuid not null,
  -- 1, 2, 3 …
  position integer not null,
  id uuid not null,
  at timestamptz not null,
  from_support boolean not null,
  user_id uuid references users (id),
  author text not null,
  body text not null,
  -- Of a message that came by mail: its Message-ID, so that it comes in once.
  mail_id text,
  primary key (business_unit_id, ticket_id, position),
  unique (business_unit_id, id),
  foreign key (business_unit_id, ticket_id) references tickets (business_unit_id, id)
);

create unique index ticket_messages_mail on ticket_messages (business_unit_id, ticket_id, mail_id) where mail_id is not null;

create index ticket_messages_user on ticket_messages (business_unit_id, user_id, at);

alter table ticket_messages enable row level security;

create policy own_unit on ticket_messages to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on ticket_messages to portolan_app;

-- A file belongs to one ticket, or to one of its messages; position 0 is the ticket itself.
create table ticket_files (
  business_unit_id uuid not null references business_units (id),
  file_id uuid not null,
  ticket_id uuid not null,
  position integer not null,
  place integer not null,
  primary key (business_unit_id, file_id),
  foreign key (business_unit_id, file_id) references files (business_unit_id, id),
  foreign key (business_unit_id, ticket_id) references tickets (business_unit_id, id)
);

create index ticket_files_ticket on ticket_files (business_unit_id, ticket_id, position, place);

alter table ticket_files enable row level security;

create policy own_unit on ticket_files to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert on ticket_files to portolan_app;

-- Up to which message somebody has read; without a row he has not seen the ticket yet.
create table ticket_reads (
  business_unit_id uuid not null references business_units (id),
  ticket_id uuid not null,
  user_id uuid not null references users (id),
  position integer not null,
  primary key (business_unit_id, ticket_id, user_id),
  foreign key (business_unit_id, ticket_id) references tickets (business_unit_id, id)
);

alter table ticket_reads enable row level security;

create policy own_unit on ticket_reads to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on ticket_reads to portolan_app;

create table ticket_numbers (
  business_unit_id uuid primary key references business_units (id),
  next_number bigint not null
);

alter table ticket_numbers enable row level security;

create policy own_unit on ticket_numbers to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on ticket_numbers to portolan_app;

-- What somebody brought lately, and what of it nobody ever used.
create index files_brought on files (business_unit_id, user_id, created_at) where kind = 'ticket';
