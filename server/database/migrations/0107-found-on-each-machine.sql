-- Every unit that has begun to sell has counts. From them the administration finds the months that are not closed: on a distributed database the rows of
-- a unit are reached from one of its own.
create policy administration on policy_counts to portolan_admin using (true);

grant select on policy_counts to portolan_admin;

-- The functions of a search (0020-search-words.sql, 0099-sealed-numbers.sql) name the unit by a variable, without which a distributed database plans none.
-- What they find stays, and the plan: one for all values.
create or replace function policies_found(patterns text[]) returns table (id uuid, status text, seller_id uuid, start_date date)
  language plpgsql stable parallel safe security definer set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  declare
    unit constant uuid := nullif(current_setting('portolan.business_unit', true), '');
  begin
    return query select policies.id, policies.status, policies.seller_id, policies.start_date from policies
      where business_unit_id = unit
        and search like patterns[1] and search like coalesce(patterns[2], patterns[1]) and search like all (patterns[3:]);
  end $$;

create or replace function tickets_found(patterns text[]) returns table (id uuid)
  language plpgsql stable parallel safe security definer set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  declare
    unit constant uuid := nullif(current_setting('portolan.business_unit', true), '');
  begin
    return query select tickets.id from tickets
      where business_unit_id = unit
        and search like patterns[1] and search like coalesce(patterns[2], patterns[1]) and search like all (patterns[3:]);
  end $$;

create or replace function people_found(hashes bytea[], document text, email_start text, phone_starts text[], prefixes text[])
  returns table (business_unit_id uuid, policy_id uuid, version integer)
  language plpgsql stable parallel restricted security definer rows 20
  set enable_seqscan = off set jit = off set plan_cache_mode = force_generic_plan as $$
  #variable_conflict use_column
  declare
    unit constant uuid := nullif(current_setting('portolan.business_unit', true), '');
  begin
    return query
      select person.business_unit_id, person.policy_id, person.version from unnest(hashes) as wanted (hash)
      join policy_people as person on person.document_hash = wanted.hash
      where person.business_unit_id = unit
      union
      select person.business_unit_id, person.policy_id, person.version from policy_people as person
      where person.business_unit_id = unit and person.document_number = document
      union
      select person.business_unit_id, person.policy_id, person.version from policy_people as person
      where person.business_unit_id = unit and person.email is not null
        and lower(person.email) collate "C" >= email_start and lower(person.email) collate "C" < email_start || U&'\+10FFFF'
      union
      select person.business_unit_id, person.policy_id, person.version from unnest(phone_starts, prefixes) as wanted (phone, prefix)
      cross join lateral (
        select * from policy_people
        where policy_people.business_unit_id = unit and phone_number is not null
          and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" >= wanted.phone
          and phone_digits(coalesce(phone_prefix, ''), phone_number) collate "C" < wanted.phone || ':'
          and (wanted.prefix is null or regexp_replace(phone_prefix, '\D', '', 'g') = wanted.prefix)) as person;
  end $$;
