-- The links by which clients read saved quotes, and what became of each. The quotes stay policies; only the reading and the answer are kept here.
create table quote_links (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  at timestamptz not null,
  user_id uuid,
  -- The address that it was mailed to; null for a messenger, and once the people of its quotes are erased.
  recipient_hash bytea,
  message text not null default '',
  opened_at timestamptz,
  completed_at timestamptz,
  decision text check (decision in ('accepted', 'declined')),
  -- The quote that the client accepted, or began to pay. Sold, it was bought by this link.
  decided_policy uuid,
  reason text,
  decided_at timestamptz,
  proof_sha256 text,
  revoked_at timestamptz,
  primary key (business_unit_id, id),
  foreign key (business_unit_id, decided_policy) references policies (business_unit_id, id)
);

-- The retention deletes old links.
create index quote_links_at on quote_links (business_unit_id, at);

create table quote_link_policies (
  business_unit_id uuid not null references business_units (id),
  link_id uuid not null,
  position integer not null,
  policy_id uuid not null,
  primary key (business_unit_id, link_id, position),
  foreign key (business_unit_id, link_id) references quote_links (business_unit_id, id) on delete cascade,
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id)
);

create index quote_link_policies_policy on quote_link_policies (business_unit_id, policy_id);

alter table quote_links enable row level security;

create policy own_unit on quote_links to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on quote_links to portolan_service using (true);

create policy no_owner on quote_links as restrictive to current_user using (false);

alter table quote_links force row level security;

grant select, insert, update on quote_links to portolan_app;

create policy privacy on quote_links to portolan_privacy using (true);

grant select, update (message, recipient_hash), delete on quote_links to portolan_privacy;

alter table quote_link_policies enable row level security;

create policy own_unit on quote_link_policies to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on quote_link_policies to portolan_service using (true);

create policy no_owner on quote_link_policies as restrictive to current_user using (false);

alter table quote_link_policies force row level security;

grant select, insert on quote_link_policies to portolan_app;

create policy privacy on quote_link_policies to portolan_privacy using (true);

grant select, delete on quote_link_policies to portolan_privacy;

-- A link of quotes opens no policy until one of them is bought.
alter table client_tokens
  drop constraint client_tokens_purpose_check,
  add constraint client_tokens_purpose_check check (purpose in ('policy', 'offer', 'quote')),
  alter column policy_id drop not null,
  alter column recipient_hash drop not null,
  add column link_id uuid,
  add constraint client_tokens_opens check ((purpose = 'quote') = (link_id is not null) and (purpose = 'quote') = (policy_id is null)),
  -- Nothing to check: no token has a link yet, and an owner whom row security hides the rows from could not.
  add foreign key (business_unit_id, link_id) references quote_links (business_unit_id, id) on delete cascade not valid;

create index client_tokens_link on client_tokens (business_unit_id, link_id) where link_id is not null;

grant delete on client_tokens to portolan_app;
