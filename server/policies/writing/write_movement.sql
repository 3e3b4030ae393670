-- Writes a movement of a policy: its registration, its sale, or a step after the sale (decision 91). The service has judged it, and `expects` names what
-- it was judged by. Returns what came of it:
--   known     the request was made before, and nothing is written
--   outdated  something is no longer as the service has read it, and nothing is written
--   or the number of the transaction that wrote the policy, which is its revision
-- It fails with PLIMT if a slot of the credit limit has too little.
-- Names in braces stand for the columns of a table (server/database/written-columns.ts). A distributed database writes each statement's rows on their machine: rows of JSON are
-- selected beside the policy, which names it.
create or replace function write_movement(movement jsonb) returns text
language plpgsql as $$
declare
  unit constant uuid := movement->>'unit';
  moved constant uuid := movement->>'policyId';
  expects constant jsonb := movement->'expects';
  -- Without terms they are not judged: a client who has paid by card must not be left uninsured.
  terms constant jsonb := expects->'terms';
  -- Without an amount on account the limit is not asked.
  account constant jsonb := movement->'account';
  draft constant policy_versions := jsonb_populate_record(null::policy_versions, movement->'version');
  deed constant policy_deeds := jsonb_populate_record(null::policy_deeds, movement->'deed');
  booking constant money_book := jsonb_populate_record(null::money_book, movement->'booking');
  opened constant payments := jsonb_populate_record(null::payments, movement->'opens');
  settlement constant payments := jsonb_populate_record(null::payments, movement->'settles');
  event constant policy_history := jsonb_populate_record(null::policy_history, movement->'event');
  entry constant audit := jsonb_populate_record(null::audit, movement->'audit');
  counted constant policy_counts := jsonb_populate_record(null::policy_counts, movement->'counts');
  policy policies;
  revision text;
begin
  if exists (
    select from payments
    where business_unit_id = unit and request_key in (select key from jsonb_array_elements_text(expects->'keys') as key)
  ) then
    return 'known';
  end if;
  if expects ? 'status' then
    -- Every change of a policy or of its payments takes this lock first.
    select * into policy from policies
    where business_unit_id = unit and id = moved and status = expects->>'status'
      and (expects->>'revision' is null or xmin::text = expects->>'revision')
    for update;
    if not found then
      return 'outdated';
    end if;
  end if;
  if settlement.id is not null and not exists (select from payments where business_unit_id = unit and id = settlement.id and state = 'open') then
    return 'outdated';
  end if;
  if terms is not null and not exists (
    select from business_units as agency
    join unit_products as offer on offer.business_unit_id = agency.id and offer.product_id = (terms->>'product')::uuid
    join unit_gateways as gateway on gateway.business_unit_id = agency.id and gateway.id = (terms->>'gateway')::uuid
    join products as product on product.id = offer.product_id
    where agency.id = unit and agency.version = (terms->>'unit')::int and offer.enabled and gateway.enabled
      and (not terms ? 'price' or (
        offer.commission_percent = (terms->'price'->>'commission')::int and product.version = (terms->'price'->>'product')::int
        and (terms->'price'->>'catalogue')::int = (select max(catalogue.version) from catalogue_versions as catalogue)))
  ) then
    return 'outdated';
  end if;
  if movement ? 'kept' and not keep_reply(unit, movement->'kept') then
    return 'known';
  end if;
  if account is not null and not take_headroom(unit, account->>'currency', (account->>'slot')::smallint, (account->>'cents')::bigint,
    (account->>'at')::timestamptz, true)
  then
    -- An error, as the reply must not be kept.
    raise exception 'the slot of the credit limit has too little' using errcode = 'PLIMT';
  end if;
  -- What the movement does not name stays as it was.
  policy := jsonb_populate_record(policy, movement->'policy');
  if expects ? 'status' then
    update policies set ({policies}) = ({policy.policies}) where business_unit_id = unit and id = moved returning xmin::text into revision;
  else
    insert into policies (business_unit_id, {policies}) values (unit, {policy.policies}) returning xmin::text into revision;
  end if;
  if movement ? 'version' then
    insert into policy_versions (business_unit_id, {policy_versions}) values (unit, {draft.policy_versions});
    insert into policy_people (business_unit_id, {policy_people})
    select saved.business_unit_id, {person.policy_people}
    from policies as saved cross join jsonb_populate_recordset(null::policy_people, movement->'people') as person
    where saved.business_unit_id = unit and saved.id = moved;
    insert into policy_price_lines (business_unit_id, {policy_price_lines})
    select saved.business_unit_id, {line.policy_price_lines}
    from policies as saved cross join jsonb_populate_recordset(null::policy_price_lines, movement->'lines') as line
    where saved.business_unit_id = unit and saved.id = moved;
  end if;
  if movement ? 'segments' then
    insert into policy_segments (business_unit_id, {policy_segments})
    select saved.business_unit_id, {segment.policy_segments}
    from policies as saved cross join jsonb_populate_recordset(null::policy_segments, movement->'segments') as segment
    where saved.business_unit_id = unit and saved.id = moved;
  end if;
  if deed.id is not null then
    insert into policy_deeds (business_unit_id, {policy_deeds}) values (unit, {deed.policy_deeds});
  end if;
  -- The book comes before the payment, which is settled only if it is booked.
  if booking.id is not null then
    insert into money_book (business_unit_id, {money_book}) values (unit, {booking.money_book});
  end if;
  if opened.id is not null then
    insert into payments (business_unit_id, {payments}) values (unit, {opened.payments});
  end if;
  if settlement.id is not null then
    update payments
    set state = 'settled', policy_version = settlement.policy_version, settled_at = settlement.settled_at, check_at = null, intent_id = settlement.intent_id,
      received_cents = settlement.received_cents
    where business_unit_id = unit and id = settlement.id;
  end if;
  insert into policy_history (business_unit_id, {policy_history}) values (unit, {event.policy_history});
  insert into audit (business_unit_id, {audit}) values (unit, {entry.audit});
  if movement ? 'files' then
    insert into files (business_unit_id, {files})
    select saved.business_unit_id, {paper.files}
    from policies as saved cross join jsonb_populate_recordset(null::files, movement->'files') as paper
    where saved.business_unit_id = unit and saved.id = moved
    on conflict (business_unit_id, id) do nothing;
  end if;
  if movement ? 'jobs' then
    insert into jobs (business_unit_id, {jobs})
    select saved.business_unit_id, {job.jobs}
    from policies as saved cross join jsonb_populate_recordset(null::jobs, movement->'jobs') as job
    where saved.business_unit_id = unit and saved.id = moved;
  end if;
  -- Last, as many sales of a unit count in the same row.
  if movement ? 'counts' then
    insert into policy_counts as kept (business_unit_id, {policy_counts}) values (unit, {counted.policy_counts})
    on conflict (business_unit_id, part)
      do update set budgeted = kept.budgeted + excluded.budgeted, pending = kept.pending + excluded.pending,
        purchased = kept.purchased + excluded.purchased, cancelled = kept.cancelled + excluded.cancelled,
        deleted = kept.deleted + excluded.deleted, blocked = kept.blocked + excluded.blocked, changed = kept.changed + excluded.changed;
  end if;
  return revision;
end $$
