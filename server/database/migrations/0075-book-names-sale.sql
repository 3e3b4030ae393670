-- A deed names its product and seller, so that the sums of a month that is open read the book alone.
alter table money_book
  add column product_id uuid,
  add column seller_id uuid,
  -- Not of what is on a statement: its sums have both.
  add constraint deed_names_sale check ((product_id is not null and seller_id is not null)
    or kind not in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement')) not valid;

grant update (product_id, seller_id) on money_book to portolan_service;

set local row_security = on;

set local role portolan_service;

update money_book as book set product_id = policies.product_id, seller_id = policies.seller_id
from policies
where policies.business_unit_id = book.business_unit_id and policies.id = book.policy_id and not exists (
  select from statements
  where statements.business_unit_id = book.business_unit_id and statements.currency = book.currency and statements.ends_at > book.at
    and statements.next_id > book.id);

reset role;

set local row_security = off;

revoke update (product_id, seller_id) on money_book from portolan_service;
