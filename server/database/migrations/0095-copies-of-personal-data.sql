-- The language of the letter that answers a request; null for requests from before there were letters.
alter table person_requests add column locale text;

-- A person's copy of their data, which waits for them behind a link. Its id is that of its file.
create table person_copies (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  request_id uuid not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  -- Made when the email leaves. The link works once.
  token_hash bytea,
  spent_at timestamptz,
  -- Whose it is, hashed like people in blocked data: an erasure finds it.
  document_hash bytea,
  birth_date_hash bytea,
  email_hash bytea,
  name_hash bytea,
  primary key (business_unit_id, id),
  unique (business_unit_id, request_id),
  foreign key (business_unit_id, request_id) references person_requests (business_unit_id, id)
);

-- A link names no unit.
create index person_copies_token on person_copies (token_hash) where token_hash is not null;

alter table person_copies enable row level security;

create policy service on person_copies to portolan_service using (true);

create policy privacy on person_copies to portolan_privacy using (true);

create policy no_owner on person_copies as restrictive to current_user using (false);

alter table person_copies force row level security;

grant select, insert, update, delete on person_copies to portolan_privacy;

grant insert on mails to portolan_privacy;

-- What a copy says of a policy besides what blocking takes out of it.
grant select on policy_price_lines to portolan_privacy;

create policy privacy on policy_price_lines to portolan_privacy using (true);

-- Copies are sealed in the store like uploads.
alter table files drop constraint files_check3;

alter table files add constraint sealed_kinds check (sealed_by is null or kind in ('ticket', 'copy'));

drop index files_sealed;

create index files_sealed on files (sealed_by) where kind in ('ticket', 'copy');
