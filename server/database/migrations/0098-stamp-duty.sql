-- A duty on the commission of a month, which the insurer withholds from it and owes to the state (decision 68).
alter table money_book add column stamp_duty bigint not null default 0;

alter table money_book drop constraint balanced, drop constraint money_book_kind_check, drop constraint commission_balanced,
  drop constraint of_a_policy;

alter table money_book
  add constraint balanced check (insurer_premium + insurer_cost + commission_expense + commission_payable + agency_account + card_clearing
    + refunds_payable + chargebacks + bank + write_off + tax + stamp_duty = 0) not valid,
  add constraint money_book_kind_check check (kind in ('sale', 'change', 'undo', 'cancellation', 'withdrawal', 'reinstatement', 'unwanted',
    'refund_sent', 'refund_failed', 'chargeback', 'correction', 'payment', 'write_off', 'netting', 'stamp_duty')) not valid,
  add constraint commission_balanced check (commission_expense = -commission_payable
    or kind in ('correction', 'payment', 'write_off', 'netting', 'stamp_duty')) not valid,
  add constraint of_a_policy check ((policy_id is not null and policy_version is not null)
    or kind in ('correction', 'payment', 'write_off', 'netting', 'stamp_duty')) not valid,
  add constraint duty_alone check (stamp_duty = 0 or kind = 'stamp_duty') not valid;

-- The rate at the closing, in basis points, and what it came to. Negative if more commission went back than was earned.
alter table statements
  add column stamp_duty_bp integer not null default 0,
  add column stamp_duty_cents bigint not null default 0;
