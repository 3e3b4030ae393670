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

-- The policies whose people have this document number, or an email or phone that begins so, each once. Under row-level security no index would be read
-- (0016-search.sql says why). A `wanted` that is null finds nothing; the prefixes stand beside the phones, null for any country.
create function people_found(wanted_document text, wanted_email text, wanted_phones text[], wanted_prefixes text[])
  returns table (id uuid, status text, seller_id uuid, start_date date, search text)
  language sql stable parallel safe security definer
  begin atomic
    select policies.id, policies.status, policies.seller_id, policies.start_date, policies.search from policies
    join (
      select policy_id, version from policy_people
      where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and document_number = wanted_document
      union
      select policy_id, version from policy_people
      where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and email is not null
        and lower(email) collate "C" >= wanted_email and lower(email) collate "C" < wanted_email || U&'\+10FFFF'
      union
      select policy_id, version from unnest(wanted_phones, wanted_prefixes) as wanted (phone, prefix)
      join policy_people on phone_number is not null
        and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" >= wanted.phone
        and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" < wanted.phone || ':'
        and (wanted.prefix is null or regexp_replace(phone_prefix, '\D', '', 'g') = wanted.prefix)
      where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid
    ) as person on person.policy_id = policies.id and person.version = policies.version
    where policies.business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid; end;

grant create on schema public to portolan_service;

alter function people_found(text, text, text[], text[]) owner to portolan_service;

revoke create on schema public from portolan_service;

revoke execute on function people_found(text, text, text[], text[]) from public;

grant execute on function people_found(text, text, text[], text[]) to portolan_app;
