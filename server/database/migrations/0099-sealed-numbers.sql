-- Document numbers, sealed each for its policy. Then `document_number` is null, and the hash, by a key that is not here, finds the whole number within
-- its unit. What an older version stored is sealed by the start (decision 66).
alter table policy_people
  add column sealed bytea,
  add column sealed_by text,
  add column document_hash bytea,
  add constraint sealed_by_a_key check ((sealed is null) = (sealed_by is null)),
  add constraint nothing_beside_the_seal check (sealed is null or document_number is null),
  add constraint hash_of_the_sealed check (document_hash is null or sealed is not null);

create index policy_people_hash on policy_people (business_unit_id, document_hash) where document_hash is not null;

-- By them the start finds what another key sealed.
create index policy_people_sealed on policy_people (sealed_by) where sealed_by is not null;

-- The numbers of the people in `step`, which then has none.
alter table open_changes
  add column sealed bytea,
  add column sealed_by text,
  add constraint sealed_by_a_key check ((sealed is null) = (sealed_by is null)),
  add constraint no_seal_after_the_end check (sealed is null or step is not null);

create index open_changes_sealed on open_changes (sealed_by) where sealed_by is not null;

-- The source of a document shows numbers, too: with a key, the whole of it is sealed.
alter table paper_sources add column sealed_by text;

create index paper_sources_sealed on paper_sources (sealed_by) where sealed_by is not null;

create index paper_sources_open on paper_sources (content_id) where sealed_by is null;

-- Replies say again what was sent. With a seal `reply` is null.
alter table idempotency
  add column sealed bytea,
  add column sealed_by text,
  add constraint sealed_by_a_key check ((sealed is null) = (sealed_by is null)),
  add constraint nothing_beside_the_seal check (sealed is null or (reply is null and status is not null));

create index idempotency_sealed on idempotency (sealed_by) where sealed_by is not null;

-- The roles see every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_privacy;

-- A step's numbers are those of the version that it led to.
update policy_deeds
set asked = jsonb_set(asked, '{change,users}', (
  select coalesce(jsonb_agg(each - 'docNumber' order by place), '[]')
  from jsonb_array_elements(asked #> '{change,users}') with ordinality as users (each, place)))
where jsonb_typeof(asked #> '{change,users}') = 'array';

set local role portolan_service;

update open_changes
set asked = jsonb_set(asked, '{change,users}', (
  select coalesce(jsonb_agg(each - 'docNumber' order by place), '[]')
  from jsonb_array_elements(asked #> '{change,users}') with ordinality as users (each, place)))
where jsonb_typeof(asked #> '{change,users}') = 'array';

reset role;

drop function people_found(text, text, text[], text[]);

-- 0039-people-search.sql says what it is for. `hashes` are those of one number, by each key; `document` is the number as it was stored before.
create function people_found(hashes bytea[], document text, email_start text, phone_starts text[], prefixes text[])
  returns table (business_unit_id uuid, policy_id uuid, version integer)
  language sql stable parallel restricted security definer rows 20 set enable_seqscan = off set jit = off
  begin atomic
    select person.business_unit_id, person.policy_id, person.version from unnest(hashes) as wanted (hash)
    join policy_people as person on person.document_hash = wanted.hash
    where person.business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid
    union
    select person.business_unit_id, person.policy_id, person.version from policy_people as person
    where person.business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and person.document_number = document
    union
    select person.business_unit_id, person.policy_id, person.version from policy_people as person
    where person.business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and person.email is not null
      and lower(person.email) collate "C" >= email_start and lower(person.email) collate "C" < email_start || U&'\+10FFFF'
    union
    select person.business_unit_id, person.policy_id, person.version from unnest(phone_starts, prefixes) as wanted (phone, prefix)
    cross join lateral (
      select * from policy_people
      where policy_people.business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and phone_number is not null
        and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" >= wanted.phone
        and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" < wanted.phone || ':'
        and (wanted.prefix is null or regexp_replace(phone_prefix, '\D', '', 'g') = wanted.prefix)) as person; end;

set local row_security = off;

grant create on schema public to portolan_service;

alter function people_found(bytea[], text, text, text[], text[]) owner to portolan_service;

revoke create on schema public from portolan_service;

revoke execute on function people_found(bytea[], text, text, text[], text[]) from public;

grant execute on function people_found(bytea[], text, text, text[], text[]) to portolan_app;
