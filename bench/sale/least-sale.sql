-- A sale by pgbench, prepared, in two transactions with eight writes each: registered, then purchased (bench/sale/least.ts).
-- `start` differs in each run, `n` begins at 0 in each, and `content` is the JSON of a version, as long as a real one.
\set n :n + 1
\set id (:start * 256 + :client_id) * 1000000 + :n * 2
\set next :id + 1
\set part :n % 16
begin;
insert into least.policies (unit, id, status, version, product_id, product, holder, seller_id, seller, reference, start_date, end_date, locale,
  currency, total, commission, valid_until, created_at, updated_at, search)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, 'pending', 1, '019aa000-0000-7000-8000-000000000002',
  'Asistencia Esencial', 'Ana García López', '019aa000-0000-7000-8000-000000000003', 'Carmen Ruiz Ortega', 'Expediente Ñ-7', current_date + 11,
  current_date + 18, 'es-ES', 'EUR', 6832, 1366, now() + interval '1 day', now(), now(),
  'asistencia esencial ana garcia lopez leo garcia gil carmen ruiz ortega expediente n-7');
insert into least.versions (unit, policy_id, version, at, user_id, catalogue, tariff, total, currency, content)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, 1, now(), '019aa000-0000-7000-8000-000000000003', 1, '2026-11',
  6832, 'EUR', :content::jsonb);
insert into least.people (unit, policy_id, version, position, holder, name, last_name, birth_date, document, document_hash, email, phone, address,
  city, zip_code, premium, name_sort)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, 1, 0, true, 'Ana', 'García López', '1990-05-05',
  decode(repeat('5e', 48), 'hex'), uuid_send(lpad(:id::text, 32, '0')::uuid), 'ana@example.es', '+34 612345678', 'Calle Mayor 1', 'Madrid', '28014',
  3416, 'garcia lopez ana'), ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, 1, 1, false, 'Leo', 'García Gil',
  '1988-01-01', decode(repeat('5e', 48), 'hex'), uuid_send(lpad(:next::text, 32, '0')::uuid), null, null, null, null, null, 3416, 'garcia gil leo');
insert into least.price_lines (unit, policy_id, version, position, kind, code, rate, amount)
  select '019aa000-0000-7000-8000-000000000001'::uuid, lpad(:id::text, 32, '0')::uuid, 1, * from (values (0, 'travel', null, null, 6312), (1,
  'cancellation', null, null, 0), (2, 'tax', 'IPS', 0.08, 505), (3, 'tax', 'CLEA', 0.0015, 10), (4, 'commission', null, 0.2, 1366)) line;
insert into least.events (unit, policy_id, id, at, user_id, user_name, what, details)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, lpad(:id::text, 32, '0')::uuid, now(),
  '019aa000-0000-7000-8000-000000000003', 'Carmen Ruiz Ortega', 'registered', '{"version": 1}');
insert into least.audit (unit, id, at, user_id, action, object, outcome, network, user_agent, request_id, details)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, now(), '019aa000-0000-7000-8000-000000000003',
  'policy.registered', lpad(:id::text, 32, '0')::uuid::text, 'done', '127.0.0.0/24',
  'Mozilla/5.0 (X11; Linux x86_64; rv 145.0) Gecko/20100101 Firefox/145.0', 'req-1a2b3c', '{"version": 1}');
insert into least.payments (unit, id, policy_id, version, gateway, gateway_id, user_id, amount, currency, state, request_key, reply, created_at)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, lpad(:id::text, 32, '0')::uuid, 1, 'Deferred',
  '019aa000-0000-7000-8000-000000000004', '019aa000-0000-7000-8000-000000000003', 6832, 'EUR', 'open', lpad(:id::text, 44, 'k'),
  '{"purchaseUUID": "019aa000-0000-7000-8000-000000000005", "policyUuid": "019aa000-0000-7000-8000-000000000005", "status": "pending", "total": 68.32, "currency": "EUR"}',
  now());
update least.counts set pending = pending + 1 where unit = '019aa000-0000-7000-8000-000000000001' and part = :part;
commit;
begin;
update least.payments set state = 'settled', settled_at = now()
  where unit = '019aa000-0000-7000-8000-000000000001' and id = lpad(:id::text, 32, '0')::uuid;
update least.policies set status = 'purchased', number = lpad(:id::text, 19, '0'), purchased_at = now(), updated_at = now(), search =
  lpad(:id::text, 19, '0') || ' ' || search
  where unit = '019aa000-0000-7000-8000-000000000001' and id = lpad(:id::text, 32, '0')::uuid;
insert into least.bookings (unit, id, at, kind, policy_id, payment_id, currency, premium, commission_expense, commission_payable, account, tax,
  taxes)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, now(), 'sale', lpad(:id::text, 32, '0')::uuid, lpad(:id::text, 32,
  '0')::uuid, 'EUR', -6312, 1366, -1366, 6832, -515, '{"IPS": -505, "CLEA": -10}');
insert into least.events (unit, policy_id, id, at, user_id, user_name, what, details)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, lpad(:next::text, 32, '0')::uuid, now(),
  '019aa000-0000-7000-8000-000000000003', 'Carmen Ruiz Ortega', 'purchased', '{"number": "2026000001-A", "gateway": "Deferred"}');
insert into least.audit (unit, id, at, user_id, action, object, outcome, network, user_agent, request_id, details)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:next::text, 32, '0')::uuid, now(), '019aa000-0000-7000-8000-000000000003',
  'policy.purchased', lpad(:id::text, 32, '0')::uuid::text, 'done', '127.0.0.0/24',
  'Mozilla/5.0 (X11; Linux x86_64; rv 145.0) Gecko/20100101 Firefox/145.0', 'req-1a2b3d', '{"number": "2026000001-A", "gateway": "Deferred"}');
insert into least.documents (unit, id, policy_id, kind, name, media_type, locale, state, user_id, created_at)
  select '019aa000-0000-7000-8000-000000000001'::uuid, lpad((:id::bigint * 4 + at)::text, 32, '0')::uuid, lpad(:id::text, 32, '0')::uuid, kind,
  name, 'application/pdf', 'es-ES', 'pending', '019aa000-0000-7000-8000-000000000003', now() from (values (0, 'certificate',
  'Certificado 2026000001-A.pdf'), (1, 'receipt', 'Recibo 2026000001-A.pdf'), (2, 'information', 'Información del producto.pdf'), (3, 'conditions',
  'Condiciones generales.pdf')) file (at, kind, name);
insert into least.jobs (unit, id, topic, subscriber, payload, state, run_at, created_at)
  values ('019aa000-0000-7000-8000-000000000001', lpad(:id::text, 32, '0')::uuid, 'policy.purchased', 'policies.purchased',
  jsonb_build_object('policyId', lpad(:id::text, 32, '0')), 'waiting', now(), now());
update least.counts set pending = pending - 1, purchased = purchased + 1 where unit = '019aa000-0000-7000-8000-000000000001' and part = :part;
commit;
