-- A change that is offered to the client has no payment until the client begins to pay it. `offered_to`: the hash of the address that has its link.
alter table open_changes
  alter column payment_id drop not null,
  add column offered_to bytea,
  drop constraint open_changes_state_check,
  drop constraint open_changes_check,
  add constraint open_changes_state_check check (state in ('offered', 'awaiting_payment', 'done', 'declined', 'expired', 'taken_back')),
  add constraint open_changes_check check ((ended_at is null) = (state in ('offered', 'awaiting_payment'))),
  add constraint open_changes_paid check (state not in ('awaiting_payment', 'done') or payment_id is not null),
  add constraint open_changes_offered check (
    (offered_to is not null or (payment_id is not null and state not in ('offered', 'declined')))
    and (state <> 'offered' or payment_id is null));

-- Offers without a payment expire by their time alone.
create index open_changes_offers on open_changes (until) where state = 'offered';
