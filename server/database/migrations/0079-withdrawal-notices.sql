-- The user who sold a policy also learns that its client has withdrawn from it.
alter table policy_notices drop constraint policy_notices_kind_check;

alter table policy_notices add constraint policy_notices_kind_check check (kind in ('offer_paid', 'offer_declined', 'withdrawn'));
