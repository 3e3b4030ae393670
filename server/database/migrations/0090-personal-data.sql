-- With row security the owner sees no row, so the new foreign keys hold for what is written from here on.
set local row_security = on;

-- `blocked`: a sold policy whose personal data was taken out of everybody's sight (decision 64). It still counts as sold: money, days and payments stay.
-- `erased_at`: its personal data is gone for good, or, of a saved quote, its people.
alter table policies drop constraint purchased_is_settled;

alter table payments drop constraint settled_is_purchased;

alter table policies
  drop constraint policies_status_check, drop constraint policies_check1, drop constraint policies_check2, drop constraint ended_with,
  drop constraint policies_business_unit_id_id_paid_key, drop column paid;

alter table policies
  add column paid boolean generated always as (case when status in ('purchased', 'cancelled', 'blocked') then true end) stored,
  add column erased_at timestamptz,
  add constraint policies_status_check check (status in ('budgeted', 'pending', 'purchased', 'cancelled', 'deleted', 'blocked')),
  add constraint policies_check1 check ((number is not null) = (status in ('purchased', 'cancelled', 'blocked'))),
  add constraint policies_check2 check ((purchased_at is not null) = (status in ('purchased', 'cancelled', 'blocked'))),
  add constraint ended_with check ((ended_kind is null) = (ended_at is null) and (ended_kind is null or status in ('cancelled', 'blocked'))),
  add constraint erased_is_out_of_sight check (erased_at is null or status in ('deleted', 'blocked')),
  add constraint policies_business_unit_id_id_paid_key unique (business_unit_id, id, paid);

alter table policies add constraint purchased_is_settled
  foreign key (business_unit_id, id, paid, sold_cents, currency)
  references payments (business_unit_id, policy_id, settled, amount_cents, currency) deferrable initially deferred;

alter table payments add constraint settled_is_purchased foreign key (business_unit_id, policy_id, settled)
  references policies (business_unit_id, id, paid) deferrable initially deferred;

-- Saved quotes by the day on which their people are due to be erased.
create index policies_to_erase on policies (business_unit_id, price_valid_until) where erased_at is null and status in ('budgeted', 'pending', 'deleted');

alter table policy_counts add column blocked bigint not null default 0;

alter table tickets drop constraint tickets_status_check;

alter table tickets add constraint tickets_status_check check (status in ('open', 'in_progress', 'answered', 'closed', 'blocked'));

-- A blocked ticket is out of the sight of its agency, in every query at once.
create policy in_sight on tickets as restrictive to portolan_app using (status <> 'blocked');

create index tickets_to_block on tickets (business_unit_id, updated_at) where status = 'closed';

-- What blocking took out of a policy or a ticket, sealed with a key that the database does not have.
create table blocked_data (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  kind text not null check (kind in ('policy', 'ticket')),
  object_id uuid not null,
  cause text not null check (cause in ('age', 'erasure', 'objection', 'restriction')),
  blocked_at timestamptz not null,
  -- Erased on this day.
  until date not null,
  sealed bytea not null,
  sealed_by text not null,
  primary key (business_unit_id, id),
  unique (business_unit_id, kind, object_id)
);

create index blocked_data_until on blocked_data (business_unit_id, until);

-- Who is in blocked data, by keyed hashes of their facts: a person who asks for their data is found there, too.
create table blocked_people (
  business_unit_id uuid not null,
  blocked_id uuid not null,
  position integer not null,
  document_hash bytea,
  birth_date_hash bytea,
  email_hash bytea,
  name_hash bytea,
  primary key (business_unit_id, blocked_id, position),
  foreign key (business_unit_id, blocked_id) references blocked_data (business_unit_id, id) on delete cascade
);

create index blocked_people_document on blocked_people (business_unit_id, document_hash) where document_hash is not null;

create index blocked_people_email on blocked_people (business_unit_id, email_hash) where email_hash is not null;

create index blocked_people_name on blocked_people (business_unit_id, name_hash) where name_hash is not null;

-- Nothing of it is blocked or erased before that day: a lawsuit, an audit of the authority.
create table holds (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  kind text not null check (kind in ('policy', 'ticket')),
  object_id uuid not null,
  until date not null,
  reason text not null,
  user_id uuid not null references users (id),
  at timestamptz not null,
  lifted_at timestamptz,
  primary key (business_unit_id, id)
);

create index holds_object on holds (business_unit_id, object_id) where lifted_at is null;

-- How much was blocked and erased, by day and class: the certificate of a month is their sum.
create table retention_counts (
  business_unit_id uuid not null references business_units (id),
  day date not null,
  class text not null,
  what text not null check (what in ('blocked', 'erased')),
  objects bigint not null,
  primary key (business_unit_id, day, class, what)
);

-- The nights that are done, with what belongs to no agency.
create table retention_runs (
  day date primary key,
  finished_at timestamptz,
  counts jsonb not null default '{}'
);

-- What the retention looks for each night.
create index mails_to_shorten on mails (business_unit_id, at) where state <> 'queued' and content->'params' <> '{}';

create index audit_to_shorten on audit (at) where network <> '' or user_agent <> '';

create index audit_to_empty on audit (at) where details is not null;

-- What persons ask about their data, with the last day of the answer: a month, or up to three.
create table person_requests (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  kind text not null check (kind in ('export', 'erase', 'object', 'restrict', 'rectify')),
  asked_by text not null check (asked_by in ('person', 'guardian', 'representative')),
  reason text not null,
  at timestamptz not null,
  due_on date not null,
  extension text,
  user_id uuid not null references users (id),
  done_at timestamptz,
  -- Objects and what became of them. It names nobody.
  outcome jsonb,
  primary key (business_unit_id, id)
);

create index person_requests_due on person_requests (due_on) where done_at is null;

alter table person_requests enable row level security;

create policy service on person_requests to portolan_service using (true);

create policy privacy on person_requests to portolan_privacy using (true);

create policy no_owner on person_requests as restrictive to current_user using (false);

alter table person_requests force row level security;

grant select, insert, update on person_requests to portolan_privacy;

revoke update, delete on person_requests from portolan_service;

alter table blocked_data enable row level security;

create policy service on blocked_data to portolan_service using (true);

create policy privacy on blocked_data to portolan_privacy using (true);

create policy no_owner on blocked_data as restrictive to current_user using (false);

alter table blocked_data force row level security;

alter table blocked_people enable row level security;

create policy service on blocked_people to portolan_service using (true);

create policy privacy on blocked_people to portolan_privacy using (true);

create policy no_owner on blocked_people as restrictive to current_user using (false);

alter table blocked_people force row level security;

alter table holds enable row level security;

create policy service on holds to portolan_service using (true);

create policy privacy on holds to portolan_privacy using (true);

create policy no_owner on holds as restrictive to current_user using (false);

alter table holds force row level security;

alter table retention_counts enable row level security;

create policy service on retention_counts to portolan_service using (true);

create policy privacy on retention_counts to portolan_privacy using (true);

create policy no_owner on retention_counts as restrictive to current_user using (false);

alter table retention_counts force row level security;

-- A backup reads them and a restore writes them; only the role of the retention changes and deletes.
revoke update, delete on blocked_data, blocked_people, holds, retention_counts, retention_runs from portolan_service;

-- The role of the retention: the only one that changes people, versions and histories after they were written.
revoke update, delete on policy_people, policy_versions, policy_history from portolan_service;

grant select on business_units, policies, policy_versions, policy_people, policy_history, policy_deeds, withdrawals, open_changes, payments,
  refunds, tickets, ticket_messages, ticket_files, ticket_reads, files, paper_sources, mails, client_tokens, policy_notices, policy_counts, audit, jobs,
  blocked_data, blocked_people, holds, retention_counts, retention_runs to portolan_privacy;

grant update on policies, policy_people, policy_versions, policy_history, policy_deeds, withdrawals, tickets, mails, policy_counts, audit,
  retention_counts, retention_runs, blocked_data to portolan_privacy;

grant update (state) on payments to portolan_privacy;

grant insert on holds to portolan_privacy;

grant update (lifted_at) on holds to portolan_privacy;

grant select (id, name) on users to portolan_privacy;

grant update (name) on files to portolan_privacy;

grant insert on policy_counts, policy_history, audit, jobs, blocked_data, blocked_people, retention_counts, retention_runs to portolan_privacy;

grant delete on tickets, ticket_messages, ticket_files, ticket_reads, files, paper_sources, mails, client_tokens, policy_notices,
  blocked_data, blocked_people to portolan_privacy;

create policy privacy on business_units to portolan_privacy using (true);

create policy privacy on policies to portolan_privacy using (true);

create policy privacy on policy_versions to portolan_privacy using (true);

create policy privacy on policy_people to portolan_privacy using (true);

create policy privacy on policy_history to portolan_privacy using (true);

create policy privacy on policy_deeds to portolan_privacy using (true);

create policy privacy on withdrawals to portolan_privacy using (true);

create policy privacy on open_changes to portolan_privacy using (true);

create policy privacy on payments to portolan_privacy using (true);

create policy privacy on refunds to portolan_privacy using (true);

create policy privacy on tickets to portolan_privacy using (true);

create policy privacy on ticket_messages to portolan_privacy using (true);

create policy privacy on ticket_files to portolan_privacy using (true);

create policy privacy on ticket_reads to portolan_privacy using (true);

create policy privacy on files to portolan_privacy using (true);

create policy privacy on paper_sources to portolan_privacy using (true);

create policy privacy on mails to portolan_privacy using (true);

create policy privacy on client_tokens to portolan_privacy using (true);

create policy privacy on policy_notices to portolan_privacy using (true);

create policy privacy on policy_counts to portolan_privacy using (true);

create policy privacy on audit to portolan_privacy using (true);

create policy privacy on jobs to portolan_privacy using (true);

set local row_security = off;
