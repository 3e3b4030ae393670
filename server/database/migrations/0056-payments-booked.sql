-- With row security the owner sees no row, so new foreign keys hold for what is written from here on.
set local row_security = on;

set local maintenance_work_mem = '256MB';

-- The money book has every payment that was settled, by any gateway, with its very amount.
alter table payments drop constraint payments_business_unit_id_ledger_entry_id_id_amount_cents__fkey, drop constraint payments_check1,
  drop column ledger_entry_id, add column settled_id uuid generated always as (case when state = 'settled' then id end) stored;

alter table payments add constraint settled_is_booked foreign key (business_unit_id, settled_id, amount_cents, currency)
  references money_book (business_unit_id, settles, paid, currency);

drop table agency_ledger;

analyze payments;

set local row_security = off;
