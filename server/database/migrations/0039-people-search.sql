-- A phone's own digits, however it was written: without the country's prefix and without zeros in front. `phoneOf` in common/policies/search.ts does
-- the same to the text that is searched.
create function phone_digits(prefix text, number text) returns text
  language sql immutable parallel safe
  return ltrim(case
    when number ~ '^\s*(\+|00)' and starts_with(ltrim(regexp_replace(number, '\D', '', 'g'), '0'), regexp_replace(prefix, '\D', '', 'g'))
      then substr(ltrim(regexp_replace(number, '\D', '', 'g'), '0'), length(regexp_replace(prefix, '\D', '', 'g')) + 1)
    when length(regexp_replace(number, '\D', '', 'g')) >= length(regexp_replace(prefix, '\D', '', 'g')) + 9
      and starts_with(regexp_replace(number, '\D', '', 'g'), regexp_replace(prefix, '\D', '', 'g'))
      then substr(regexp_replace(number, '\D', '', 'g'), length(regexp_replace(prefix, '\D', '', 'g')) + 1)
    else regexp_replace(number, '\D', '', 'g') end, '0');

create index policy_people_email on policy_people (business_unit_id, lower(email) collate "C") where email is not null;

create index policy_people_phone on policy_people (business_unit_id, phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C")
  where phone_number is not null;

-- The function reads as its later owner, whom a policy lets through.
set local row_security = on;

-- The people with this document number, or an email or phone that begins so, each policy's version once. Under row-level security no index would be read
-- (0016-search.sql says why). What is null finds nothing; the prefixes stand beside the phones, null for any country. The planner cannot know how few
-- they are, so it is told: and never reads all people, nor compiles for so few.
create function people_found(document text, email_start text, phone_starts text[], prefixes text[])
  returns table (business_unit_id uuid, policy_id uuid, version integer)
  language sql stable parallel restricted security definer rows 20 set enable_seqscan = off set jit = off
  begin atomic
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

alter function people_found(text, text, text[], text[]) owner to portolan_service;

revoke create on schema public from portolan_service;

revoke execute on function people_found(text, text, text[], text[]) from public;

grant execute on function people_found(text, text, text[], text[]) to portolan_app;
