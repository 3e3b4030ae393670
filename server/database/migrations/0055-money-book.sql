-- With row security the owner sees no row, so new foreign keys hold for what is written from here on.
set local row_security = on;

set local work_mem = '256MB';

set local maintenance_work_mem = '256MB';

-- The insurer's money book in double entry: a row is one transaction, with a column for each account, in cents. Positive: the insurer has it, is owed
-- it or has spent it. Negative: it owes it or has earned it. Append-only.
create table money_book (
  business_unit_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement', 'unwanted', 'refund_sent',
    'refund_failed', 'chargeback', 'correction', 'payment', 'write_off')),
  policy_id uuid,
  policy_version integer,
  deed_id uuid,
  payment_id uuid,
  refund_id uuid,
  currency text not null,
  insurer_premium bigint not null default 0,
  insurer_cost bigint not null default 0,
  commission_expense bigint not null default 0,
  commission_payable bigint not null default 0,
  agency_account bigint not null default 0,
  card_clearing bigint not null default 0,
  refunds_payable bigint not null default 0,
  chargebacks bigint not null default 0,
  bank bigint not null default 0,
  write_off bigint not null default 0,
  tax bigint not null default 0,
  -- The accounts of taxes by their codes, of which `tax` is the sum. 'CODE kept': what the insurer pays itself.
  taxes jsonb not null,
  paid bigint generated always as (agency_account + card_clearing) stored,
  -- The payment that this settles.
  settles uuid generated always as (case when kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement') then payment_id end) stored,
  constraint balanced check (insurer_premium + insurer_cost + commission_expense + commission_payable + agency_account + card_clearing
    + refunds_payable + chargebacks + bank + write_off + tax = 0),
  constraint commission_balanced check (commission_expense = -commission_payable or kind in ('correction', 'payment', 'write_off')),
  constraint of_a_deed check ((deed_id is not null) = (kind in ('change', 'undo', 'cancellation', 'withdrawal', 'reinstatement'))),
  constraint of_a_sale check (kind <> 'sale' or payment_id is not null),
  constraint of_a_refund check ((refund_id is not null) = (kind in ('refund_sent', 'refund_failed'))),
  constraint of_a_policy check ((policy_id is not null and policy_version is not null) or kind in ('correction', 'payment', 'write_off'))
);

alter table money_book enable row level security;

create policy own_unit on money_book to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on money_book to portolan_service using (true);

create policy no_owner on money_book as restrictive to current_user using (false);

alter table money_book force row level security;

grant select, insert on money_book to portolan_app;

revoke update, delete on money_book from portolan_service;

set local role portolan_service;

-- The sales so far, under the ids of their entries in the agency's ledger.
insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, currency, agency_account, card_clearing, insurer_premium,
  tax, taxes, commission_expense, commission_payable)
select payment.business_unit_id, coalesce(payment.ledger_entry_id, payment.id), payment.settled_at, 'sale', payment.policy_id, policy.sold_version,
  payment.id, payment.currency, case when payment.gateway = 'Deferred' then payment.amount_cents else 0 end,
  case when payment.gateway = 'Deferred' then 0 else payment.amount_cents end, coalesce(lines.tax, 0) - payment.amount_cents,
  -coalesce(lines.tax, 0), coalesce(lines.taxes, '{}'), coalesce(lines.commission, 0), -coalesce(lines.commission, 0)
from payments payment
join policies policy on policy.business_unit_id = payment.business_unit_id and policy.id = payment.policy_id
left join (
  select business_unit_id, policy_id, version, sum(amount_cents) filter (where kind = 'tax') as tax,
    jsonb_object_agg(code, -amount_cents) filter (where kind = 'tax' and amount_cents <> 0) as taxes,
    sum(amount_cents) filter (where kind = 'commission') as commission
  from policy_price_lines
  where kind in ('tax', 'commission')
  group by business_unit_id, policy_id, version) lines
  on lines.business_unit_id = payment.business_unit_id and lines.policy_id = payment.policy_id and lines.version = policy.sold_version
where payment.state = 'settled' and payment.purpose = 'sale';

-- The deeds so far, by the differences of their lines and the ways of their money.
insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, deed_id, payment_id, currency, agency_account, refunds_payable,
  write_off, insurer_premium, tax, taxes, insurer_cost, commission_expense, commission_payable)
select deed.business_unit_id, deed.id, deed.at, deed.kind, deed.policy_id, deed.to_version, deed.id, payment.id, deed.currency,
  case when deed.charge_cents > 0 then ways.account else -ways.account end,
  deed.stopped_cents - case when deed.refund_cents > 0 then deed.refund_cents + least(0, deed.waived_cents) - ways.account else 0 end,
  deed.waived_cents, coalesce(changed.rise, 0) - deed.difference_cents, coalesce(changed.tax, 0), coalesce(changed.taxes, '{}'),
  coalesce(changed.cost, 0), deed.commission_cents, -deed.commission_cents
from policy_deeds deed
left join payments payment on payment.business_unit_id = deed.business_unit_id and payment.idempotency_key = 'deed-' || deed.id
cross join lateral (
  select coalesce(sum((way->>'amount')::bigint), 0) as account
  from jsonb_array_elements(deed.routes) way where way->>'gateway' = 'Deferred') ways
left join (
  select business_unit_id, id, sum(rise) as rise, sum(cost) as cost, sum(cents) as tax,
    jsonb_object_agg(account, cents) filter (where cents <> 0) as taxes
  from (
    select business_unit_id, id, code as account, -rise as cents, rise, 0 as cost from (
      select stepped.business_unit_id, stepped.id, line.code,
        sum(case when line.version = stepped.to_version then line.amount_cents else -line.amount_cents end) as rise
      from policy_deeds stepped join policy_price_lines line on line.business_unit_id = stepped.business_unit_id
        and line.policy_id = stepped.policy_id and line.version in (stepped.from_version, stepped.to_version) and line.kind = 'tax'
      group by 1, 2, 3) line
    union all
    -- A tax that the state keeps is paid by the insurer where it goes back, until such a deed is taken back.
    select business_unit_id, id, code || ' kept', -cost, 0, cost from (
      select stepped.business_unit_id, stepped.id, line.code,
        case when stepped.kind in ('undo', 'reinstatement')
          then -greatest(0, sum(case when line.version = stepped.to_version then line.amount_cents else -line.amount_cents end))
          else greatest(0, sum(case when line.version = stepped.from_version then line.amount_cents else -line.amount_cents end)) end as cost
      from policy_deeds stepped join policy_price_lines line on line.business_unit_id = stepped.business_unit_id
        and line.policy_id = stepped.policy_id and line.version in (stepped.from_version, stepped.to_version) and line.kind = 'tax'
      where line.code in (
        select line->>'code' from catalogue_versions, jsonb_each(content->'taxes') place, jsonb_array_elements(place.value) line
        where line->>'onReturn' = 'keep')
      group by 1, 2, 3, stepped.kind) kept) account
  group by business_unit_id, id) changed on changed.business_unit_id = deed.business_unit_id and changed.id = deed.id;

-- Money that came by card too late for its sale, and is owed back.
insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, currency, card_clearing, refunds_payable, taxes)
select refund.business_unit_id, refund.id, refund.created_at, 'unwanted', payment.policy_id, payment.policy_version, payment.id, refund.currency,
  refund.amount_cents, -refund.amount_cents, '{}'
from refunds refund join payments payment on payment.business_unit_id = refund.business_unit_id and payment.id = refund.payment_id
where refund.deed_id is null;

insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, refund_id, currency, card_clearing, refunds_payable,
  taxes)
select refund.business_unit_id, gen_random_uuid(), refund.done_at, 'refund_sent', payment.policy_id, payment.policy_version, payment.id, refund.id,
  refund.currency, -refund.amount_cents, refund.amount_cents, '{}'
from refunds refund join payments payment on payment.business_unit_id = refund.business_unit_id and payment.id = refund.payment_id
where refund.state = 'done';

insert into money_book (business_unit_id, id, at, kind, policy_id, policy_version, payment_id, currency, chargebacks, card_clearing, taxes)
select review.business_unit_id, review.id, review.at, 'chargeback', payment.policy_id, payment.policy_version, payment.id, payment.currency,
  disputed.cents, -disputed.cents, '{}'
from payment_reviews review
join payments payment on payment.business_unit_id = review.business_unit_id and payment.id = review.payment_id
cross join lateral (
  select coalesce(sum((dispute->>'cents')::bigint), 0) as cents from jsonb_array_elements(review.details->'disputes') dispute
  where dispute->>'status' <> 'won' and dispute->>'status' not like 'warning%') disputed
where review.reason = 'disputed' and jsonb_typeof(review.details->'disputes') = 'array' and disputed.cents > 0;

reset role;

-- Keys after the rows, as they are built much faster at once.
alter table money_book add primary key (business_unit_id, id);

alter table money_book add unique (business_unit_id, settles, paid, currency);

create unique index money_book_deed on money_book (business_unit_id, deed_id) where deed_id is not null;

create index money_book_policy on money_book (business_unit_id, policy_id, at);

create index money_book_at on money_book (business_unit_id, at, id);

alter table money_book add foreign key (business_unit_id) references business_units (id);

alter table money_book add foreign key (business_unit_id, policy_id, policy_version)
  references policy_versions (business_unit_id, policy_id, version);

alter table money_book add foreign key (business_unit_id, deed_id) references policy_deeds (business_unit_id, id);

analyze money_book;

set local row_security = off;
