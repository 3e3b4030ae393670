-- Takes an amount from one of the slots that an agency's credit limit is dealt out to (decision 57). False if that slot has too little, if the agency
-- is overdue, or if another request opens the slot at the same moment. Without `enforced` it also passes beyond the limit.
-- ON CONFLICT DO UPDATE would lock a slot that does not fit.
create or replace function take_headroom(unit uuid, of_currency text, of_slot smallint, amount bigint, at timestamptz, enforced boolean) returns boolean
language plpgsql as $$
begin
  -- The bound is a scalar, as an update that waited for its row judges the new one by it again. It would not judge a join with the terms again.
  update account_headroom as room set cents = room.cents - amount
  where room.business_unit_id = unit and room.currency = of_currency and room.slot = of_slot
    and (not enforced or room.cents >= coalesce((
      select case
        when terms.overdue_since is not null then 9223372036854775807
        when terms.limit_cents is not null and terms.currency = of_currency and coalesce(terms.lifted_until <= at, true) then amount
        end
      from account_terms as terms where terms.business_unit_id = unit), room.cents));
  if found then
    return true;
  end if;
  if exists (select from account_headroom as room where room.business_unit_id = unit and room.currency = of_currency and room.slot = of_slot) then
    return false;
  end if;
  insert into account_headroom (business_unit_id, currency, slot, cents) values (unit, of_currency, of_slot, -amount)
  on conflict do nothing;
  return found;
end $$
