-- Settles a sale: gives the policy its number and books its payment (decision 72). The service has judged the policy as it is in `revision`, its open
-- payment, and the unit's terms in `terms`. Returns what came of it:
--   outdated  one of them is no longer what the service has read, and nothing is written
--   known     the idempotency key is in use, and nothing is written
--   sold
-- It fails with PLIMT if a slot of the credit limit has too little.
create or replace function settle_sale(sale jsonb) returns text
language plpgsql as $$
declare
  unit constant uuid := sale->>'unit';
  -- Without terms they are not judged: a client who has paid by card must not be left uninsured.
  terms constant jsonb := nullif(sale->'terms', 'null');
  -- Without an amount on account the limit is not asked.
  account constant jsonb := nullif(sale->'account', 'null');
  policy constant policies := jsonb_populate_record(null::policies, sale->'policy');
  payment constant payments := jsonb_populate_record(null::payments, sale->'payment');
  booking constant money_book := jsonb_populate_record(null::money_book, sale->'booking');
  event constant policy_history := jsonb_populate_record(null::policy_history, sale->'event');
  before text;
begin
  -- Every change of a policy or of its payments takes this lock first.
  select status into before from policies
  where business_unit_id = unit and id = policy.id and xmin::text = sale->>'revision'
  for update;
  if before is null or not exists (select from payments where business_unit_id = unit and id = payment.id and state = 'open') then
    return 'outdated';
  end if;
  if terms is not null and not exists (
    select from business_units as agency
    join unit_products as offer on offer.business_unit_id = agency.id and offer.product_id = booking.product_id
    join unit_gateways as gateway on gateway.business_unit_id = agency.id and gateway.id = (terms->>'gateway')::uuid
    where agency.id = unit and agency.version = (terms->>'unit')::int and offer.enabled and gateway.enabled
  ) then
    return 'outdated';
  end if;
  if sale->>'kept' is not null and not keep_reply(unit, sale->'kept') then
    return 'known';
  end if;
  if account is not null and not take_headroom(unit, account->>'currency', (account->>'slot')::smallint, (account->>'cents')::bigint,
    (account->>'at')::timestamptz, true)
  then
    -- An error, as the reply must not be kept.
    raise exception 'the slot of the credit limit has too little' using errcode = 'PLIMT';
  end if;
  insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, currency, insurer_premium, commission_expense,
    commission_payable, agency_account, card_clearing, tax, taxes, product_id, seller_id)
  values (unit, booking.id, booking.at, booking.kind, booking.policy_id, booking.policy_version, booking.payment_id, booking.currency,
    coalesce(booking.insurer_premium, 0), coalesce(booking.commission_expense, 0), coalesce(booking.commission_payable, 0),
    coalesce(booking.agency_account, 0), coalesce(booking.card_clearing, 0), booking.tax, booking.taxes, booking.product_id, booking.seller_id);
  update payments
  set state = 'settled', settled_at = payment.settled_at, check_at = null, intent_id = payment.intent_id, received_cents = payment.received_cents
  where business_unit_id = unit and id = payment.id;
  update policies
  set status = 'purchased', number = policy.number, purchased_at = policy.purchased_at, updated_at = policy.purchased_at, sold_version = version,
    sold_cents = policy.sold_cents, search = policy.search
  where business_unit_id = unit and id = policy.id;
  insert into policy_history (business_unit_id, policy_id, id, at, user_id, user_name, what, details)
  values (unit, policy.id, event.id, event.at, event.user_id, event.user_name, event.what, event.details);
  insert into audit (id, at, business_unit_id, user_id, action, object, outcome, network, user_agent, request_id, details)
  select id, at, unit, user_id, action, object, outcome, network, user_agent, request_id, details from jsonb_populate_record(null::audit, sale->'audit');
  insert into files (business_unit_id, id, kind, name, media_type, locale, state, user_id, policy_id, policy_version, created_at)
  select saved.business_unit_id, paper.id, paper.kind, paper.name, paper.media_type, paper.locale, paper.state, paper.user_id, paper.policy_id,
    paper.policy_version, paper.created_at
  from policies as saved cross join jsonb_populate_recordset(null::files, sale->'files') as paper
  where saved.business_unit_id = unit and saved.id = policy.id
  on conflict (business_unit_id, id) do nothing;
  insert into jobs (business_unit_id, id, topic, subscriber, payload, state, run_at, created_at)
  select saved.business_unit_id, job.id, topic, subscriber, payload, state, run_at, job.created_at
  from policies as saved cross join jsonb_populate_recordset(null::jobs, sale->'jobs') as job
  where saved.business_unit_id = unit and saved.id = policy.id;
  -- Last, as many sales of a unit count in the same row.
  insert into policy_counts as kept (business_unit_id, part, budgeted, pending, purchased)
  values (unit, (sale->>'part')::int, -(before = 'budgeted')::int, -(before = 'pending')::int, 1)
  on conflict (business_unit_id, part)
    do update set budgeted = kept.budgeted + excluded.budgeted, pending = kept.pending + excluded.pending, purchased = kept.purchased + 1;
  return 'sold';
end $$
