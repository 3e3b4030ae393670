-- Every mail with its state: what the demo shows, and what a policy's history tells of it.
create table mails (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  at timestamptz not null,
  template text not null,
  recipient_name text not null,
  recipient_address text not null,
  subject text,
  text_body text,
  html_body text,
  attachments jsonb not null,
  content jsonb not null,
  state text not null check (state in ('queued', 'sent', 'refused')),
  reason text,
  finished_at timestamptz,
  primary key (business_unit_id, id)
);

create index mails_at on mails (business_unit_id, at);

alter table mails enable row level security;

create policy own_unit on mails to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update on mails to portolan_app;
