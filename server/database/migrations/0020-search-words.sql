-- Each word of a search for itself, in any order: two of them by the index of words (0016-search.sql says why by a function), the rest by the row.
-- Those of one pattern stay for nodes of the version before, while they are replaced; what these ask without naming a type still means them.
create function policies_found(patterns text[]) returns table (id uuid, status text, seller_id uuid, start_date date)
  language sql stable parallel safe security definer
  begin atomic
    select policies.id, policies.status, policies.seller_id, policies.start_date from policies
    where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid
      and search like patterns[1] and search like coalesce(patterns[2], patterns[1]) and search like all (patterns[3:]); end;

create function tickets_found(patterns text[]) returns table (id uuid)
  language sql stable parallel safe security definer
  begin atomic
    select tickets.id from tickets
    where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid
      and search like patterns[1] and search like coalesce(patterns[2], patterns[1]) and search like all (patterns[3:]); end;

revoke execute on function policies_found(text[]), tickets_found(text[]) from public;

grant execute on function policies_found(text[]), tickets_found(text[]) to portolan_app;
