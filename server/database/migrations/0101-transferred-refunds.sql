-- A refund that the card network refused goes back by bank transfer: who noted it, and the transfer's reference. The book has it against the bank.
alter table refunds add column transferred_at timestamptz, add column transferred_by uuid references users (id), add column transfer_reference text,
  drop constraint refunds_state_check;

alter table refunds
  add constraint refunds_state_check check (state in ('due', 'done', 'refused', 'stopped', 'transferred')) not valid,
  add constraint transferred_by_a_person check (
    case when state = 'transferred' then transferred_at is not null and transferred_by is not null and length(transfer_reference) between 1 and 100
      else transferred_at is null and transferred_by is null and transfer_reference is null end) not valid;

alter table money_book drop constraint money_book_kind_check, drop constraint of_a_refund;

alter table money_book
  add constraint money_book_kind_check check (kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement', 'unwanted',
    'refund_sent', 'refund_failed', 'refund_transferred', 'chargeback', 'correction', 'payment', 'write_off', 'netting', 'stamp_duty')) not valid,
  add constraint of_a_refund check ((refund_id is not null) = (kind in ('refund_sent', 'refund_failed', 'refund_transferred'))) not valid;

-- Once, whatever the service does.
create unique index money_book_transferred on money_book (business_unit_id, refund_id) where kind = 'refund_transferred';

-- The administration's list of reviews names the refunds that are still owed.
create policy administration on refunds to portolan_admin using (true);

grant select (business_unit_id, id, payment_id, amount_cents, currency, state, created_at, transferred_at, transfer_reference) on refunds to portolan_admin;
