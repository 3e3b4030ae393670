-- As policies_found (0016-search.sql): the index of words is read within the wall that row-level security draws, not around it.
create function tickets_found(pattern text) returns table (id uuid)
  language sql stable parallel safe security definer
  begin atomic
    select tickets.id from tickets
    where business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid and search like pattern; end;

revoke execute on function tickets_found from public;

grant execute on function tickets_found to portolan_app;
