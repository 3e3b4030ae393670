-- The function reads as its later owner, whom a policy lets through.
set local row_security = on;

-- Counts and adds up the matches of words in one pass, within the same wall as policies_found (0016-search.sql): whose result of hundreds of thousands
-- of rows, found one by one again, takes three times as long. A condition that is null does not limit. `open_from`: only departures from that day on
-- are added up, all are counted. The unit is a variable, without which a distributed database plans no function (0107-found-on-each-machine.sql).
create function policies_summed(patterns text[], wanted text[], own uuid, seller uuid, product uuid, start_from date, start_to date, end_from date,
    end_to date, open_from date)
  returns table (matches bigint, policies bigint, total bigint, commission bigint)
  language plpgsql stable parallel safe security definer set jit = off set plan_cache_mode = force_generic_plan as $$
  declare
    unit constant uuid := nullif(current_setting('portolan.business_unit', true), '');
  begin
    return query select count(*), count(*) filter (where open_from is null or start_date >= open_from),
      coalesce(sum(total_cents) filter (where open_from is null or start_date >= open_from), 0)::bigint,
      coalesce(sum(commission_cents) filter (where open_from is null or start_date >= open_from), 0)::bigint
    from policies
    where business_unit_id = unit
      and search like patterns[1] and search like coalesce(patterns[2], patterns[1]) and search like all (patterns[3:])
      and status = any (wanted) and (own is null or seller_id = own) and (seller is null or seller_id = seller)
      and (product is null or product_id = product) and (start_from is null or start_date >= start_from)
      and (start_to is null or start_date <= start_to) and (end_from is null or end_date >= end_from) and (end_to is null or end_date <= end_to);
  end $$;

set local row_security = off;

grant create on schema public to portolan_service;

alter function policies_summed(text[], text[], uuid, uuid, uuid, date, date, date, date, date) owner to portolan_service;

revoke create on schema public from portolan_service;

revoke execute on function policies_summed(text[], text[], uuid, uuid, uuid, date, date, date, date, date) from public;

grant execute on function policies_summed(text[], text[], uuid, uuid, uuid, date, date, date, date, date) to portolan_app;
