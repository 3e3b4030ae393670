-- Registers a sale: writes its policy with everything that it is sold with, and its payment (decision 72). The service has checked and priced it, and
-- `terms` names the revisions that it did so by. Returns what came of it:
--   known     a payment with one of these keys exists, or the idempotency key is in use, and nothing is written
--   outdated  a revision or the policy to replace is no longer what the service has read, and nothing is written
--   or the transaction's number, which is the revision of the rows written
create or replace function register_sale(sale jsonb) returns text
language plpgsql as $$
declare
  unit constant uuid := sale->>'unit';
  terms constant jsonb := sale->'terms';
  replaced constant jsonb := nullif(sale->'replaced', 'null');
  policy constant policies := jsonb_populate_record(null::policies, sale->'policy');
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
    join unit_gateways as gateway on gateway.business_unit_id = agency.id and gateway.id = (sale->'payment'->>'gateway_id')::uuid
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
      policy.created_at, policy.updated_at, policy.search);
  else
    update policies as saved
    set (status, version, product_id, product_name, product_sort, taker, taker_sort, reference, reference_sort, start_date, end_date, locale, currency,
      total_cents, commission_cents, complete, price_valid_until, updated_at, search)
      = (policy.status, policy.version, policy.product_id, policy.product_name, policy.product_sort, policy.taker, policy.taker_sort,
        policy.reference, policy.reference_sort, policy.start_date, policy.end_date, policy.locale, policy.currency, policy.total_cents,
        policy.commission_cents, policy.complete, policy.price_valid_until, policy.updated_at, policy.search)
    where saved.business_unit_id = unit and saved.id = policy.id and saved.status = replaced->>'status';
    if not found then
      return 'outdated';
    end if;
  end if;
  insert into policy_versions (business_unit_id, policy_id, version, at, user_id, role_first_user, pax_number, catalogue_version, product_version,
    tariff_version, total_cents, currency, content)
  select unit, policy.id, policy.version, at, user_id, role_first_user, pax_number, catalogue_version, product_version, tariff_version, total_cents,
    currency, content
  from jsonb_populate_record(null::policy_versions, sale->'version');
  insert into policy_people (business_unit_id, policy_id, version, position, holder, traveller, name, middle_name, last_name, company_name, birth_date,
    document_kind, sealed, sealed_by, document_hash, residence_country, identification_type_id, email, phone_prefix, phone_number, address, city, state,
    zip_code, premium_cents, name_sort, given_sort)
  select unit, policy.id, policy.version, position, holder, traveller, name, middle_name, last_name, company_name, birth_date, document_kind, sealed,
    sealed_by, document_hash, residence_country, identification_type_id, email, phone_prefix, phone_number, address, city, state, zip_code,
    premium_cents, name_sort, given_sort
  from jsonb_populate_recordset(null::policy_people, sale->'people');
  insert into policy_price_lines (business_unit_id, policy_id, version, position, kind, code, rate, amount_cents)
  select unit, policy.id, policy.version, position, kind, code, rate, amount_cents
  from jsonb_populate_recordset(null::policy_price_lines, sale->'lines');
  insert into policy_history (business_unit_id, policy_id, id, at, user_id, user_name, what, details)
  select unit, policy.id, id, at, user_id, user_name, what, details from jsonb_populate_record(null::policy_history, sale->'event');
  insert into audit (id, at, business_unit_id, user_id, action, object, outcome, network, user_agent, request_id, details)
  select id, at, unit, user_id, action, object, outcome, network, user_agent, request_id, details from jsonb_populate_record(null::audit, sale->'audit');
  insert into payments (business_unit_id, id, policy_id, policy_version, gateway, gateway_id, user_id, amount_cents, currency, state, idempotency_key,
    request_key, created_at, check_at)
  select unit, id, policy.id, policy.version, gateway, gateway_id, user_id, amount_cents, currency, state, idempotency_key, request_key, created_at,
    check_at
  from jsonb_populate_record(null::payments, sale->'payment');
  -- Last, as many sales of a unit count in the same row.
  if policy.status is distinct from replaced->>'status' then
    insert into policy_counts as kept (business_unit_id, part, budgeted, pending)
    select unit, (sale->>'part')::int, moved.budgeted, moved.pending
    from (
      select (policy.status = 'budgeted')::int - coalesce(replaced->>'status' = 'budgeted', false)::int as budgeted,
        (policy.status = 'pending')::int - coalesce(replaced->>'status' = 'pending', false)::int as pending) as moved
    on conflict (business_unit_id, part)
      do update set budgeted = kept.budgeted + excluded.budgeted, pending = kept.pending + excluded.pending;
  end if;
  return pg_current_xact_id()::xid::text;
end $$
