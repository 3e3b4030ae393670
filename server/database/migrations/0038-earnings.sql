-- The agency's commission beside the total, so that lists show, sort and sum it. It stays in the price lines, too.
alter table policies add column commission_cents bigint not null default 0;

set local row_security = on;

set local role portolan_service;

update policies set commission_cents = line.amount_cents from policy_price_lines as line
where line.business_unit_id = policies.business_unit_id and line.policy_id = policies.id and line.version = policies.version
  and line.kind = 'commission' and line.amount_cents <> 0;

reset role;

set local row_security = off;

create index policies_total on policies (business_unit_id, status, total_cents, id);

create index policies_commission on policies (business_unit_id, status, commission_cents, id);
