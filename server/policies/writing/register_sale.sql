-- Registers a sale: writes its policy with everything that it is sold with, and its payment (decision 72). The service has checked and priced it, and
-- `terms` names the revisions that it did so by. Returns what came of it:
--   known     a payment with one of these keys exists, or the idempotency key is in use, and nothing is written
--   outdated  a revision or the policy to replace is no longer what the service has read, and nothing is written
--   or the number of the transaction that wrote the policy, which is its revision
-- A distributed database writes each statement's rows on their machine: rows of JSON are selected beside the policy, which names it.
create or replace function register_sale(sale jsonb) returns text
language plpgsql as $$
declare
  unit constant uuid := sale->>'unit';
  terms constant jsonb := sale->'terms';
  replaced constant jsonb := nullif(sale->'replaced', 'null');
  policy constant policies := jsonb_populate_record(null::policies, sale->'policy');
  draft constant policy_versions := jsonb_populate_record(null::policy_versions, sale->'version');
  event constant policy_history := jsonb_populate_record(null::policy_history, sale->'event');
  payment constant payments := jsonb_populate_record(null::payments, sale->'payment');
  revision text;
begin
  if exists (
    select from payments
    where business_unit_id = unit and request_key in (select key from jsonb_array_elements_text(sale->'keys') as key)
  ) then
    return 'known';
  end if;
  if not exists (
    select from business_units as agency
    join unit_products as offer on offer.business_unit_id = agency.id and offer.product_id = policy.product_id
    join unit_gateways as gateway on gateway.business_unit_id = agency.id and gateway.id = payment.gateway_id
    join products as product on product.id = offer.product_id
    where agency.id = unit and agency.version = (terms->>'unit')::int
      and offer.enabled and offer.commission_percent = (terms->>'commission')::int and gateway.enabled
      and product.version = (terms->>'product')::int
      and (terms->>'catalogue')::int = (select max(version) from catalogue_versions)
  ) then
    return 'outdated';
  end if;
  if sale->>'kept' is not null and not keep_reply(unit, sale->'kept') then
    return 'known';
  end if;
  if replaced is null then
    insert into policies (business_unit_id, id, status, version, product_id, product_name, product_sort, taker, taker_sort, seller_id, seller_name,
      seller_sort, reference, reference_sort, start_date, end_date, locale, currency, total_cents, commission_cents, complete, price_valid_until,
      created_at, updated_at, search)
    values (unit, policy.id, policy.status, policy.version, policy.product_id, policy.product_name, policy.product_sort, policy.taker,
      policy.taker_sort, policy.seller_id, policy.seller_name, policy.seller_sort, policy.reference, policy.reference_sort, policy.start_date,
      policy.end_date, policy.locale, policy.currency, policy.total_cents, policy.commission_cents, policy.complete, policy.price_valid_until,
      policy.created_at, policy.updated_at, policy.search)
    returning xmin::text into revision;
  else
    update policies as saved
    set (status, version, product_id, product_name, product_sort, taker, taker_sort, reference, reference_sort, start_date, end_date, locale, currency,
      total_cents, commission_cents, complete, price_valid_until, updated_at, search)
      = (policy.status, policy.version, policy.product_id, policy.product_name, policy.product_sort, policy.taker, policy.taker_sort,
        policy.reference, policy.reference_sort, policy.start_date, policy.end_date, policy.locale, policy.currency, policy.total_cents,
        policy.commission_cents, policy.complete, policy.price_valid_until, policy.updated_at, policy.search)
    where saved.business_unit_id = unit and saved.id = policy.id and saved.status = replaced->>'status'
    returning xmin::text into revision;
    if not found then
      return 'outdated';
    end if;
  end if;
  insert into policy_versions (business_unit_id, policy_id, version, at, user_id, role_first_user, pax_number, catalogue_version, product_version,
    tariff_version, total_cents, currency, content)
  values (unit, policy.id, policy.version, draft.at, draft.user_id, draft.role_first_user, draft.pax_number, draft.catalogue_version,
    draft.product_version, draft.tariff_version, draft.total_cents, draft.currency, draft.content);
  insert into policy_people (business_unit_id, policy_id, version, position, holder, traveller, {person columns}, sealed, sealed_by, document_hash,
    identification_type_id, premium_cents, name_sort, given_sort)
  select saved.business_unit_id, saved.id, saved.version, person.position, holder, traveller, {person columns}, sealed, sealed_by, document_hash,
    identification_type_id, premium_cents, name_sort, given_sort
  from policies as saved cross join jsonb_populate_recordset(null::policy_people, sale->'people') as person
  where saved.business_unit_id = unit and saved.id = policy.id;
  insert into policy_price_lines (business_unit_id, policy_id, version, position, kind, code, rate, amount_cents)
  select saved.business_unit_id, saved.id, saved.version, line.position, kind, code, rate, amount_cents
  from policies as saved cross join jsonb_populate_recordset(null::policy_price_lines, sale->'lines') as line
  where saved.business_unit_id = unit and saved.id = policy.id;
  insert into policy_history (business_unit_id, policy_id, id, at, user_id, user_name, what, details)
  values (unit, policy.id, event.id, event.at, event.user_id, event.user_name, event.what, event.details);
  insert into audit (id, at, business_unit_id, user_id, action, object, outcome, network, user_agent, request_id, details)
  select id, at, unit, user_id, action, object, outcome, network, user_agent, request_id, details from jsonb_populate_record(null::audit, sale->'audit');
  insert into payments (business_unit_id, id, policy_id, policy_version, gateway, gateway_id, user_id, amount_cents, currency, state, idempotency_key,
    request_key, created_at, check_at)
  values (unit, payment.id, policy.id, policy.version, payment.gateway, payment.gateway_id, payment.user_id, payment.amount_cents, payment.currency,
    payment.state, payment.idempotency_key, payment.request_key, payment.created_at, payment.check_at);
  -- Last, as many sales of a unit count in the same row.
  if policy.status is distinct from replaced->>'status' then
    insert into policy_counts as kept (business_unit_id, part, budgeted, pending)
    values (unit, (sale->>'part')::int, (policy.status = 'budgeted')::int - coalesce(replaced->>'status' = 'budgeted', false)::int,
      (policy.status = 'pending')::int - coalesce(replaced->>'status' = 'pending', false)::int)
    on conflict (business_unit_id, part)
      do update set budgeted = kept.budgeted + excluded.budgeted, pending = kept.pending + excluded.pending;
  end if;
  return revision;
end $$
