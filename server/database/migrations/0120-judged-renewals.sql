-- The version whose next term was last offered or refused. Each version is judged once, and an unsold renewal of an older one is outdated.
alter table policies add column renewal_judged integer;

-- Renewals are few among the quotes: those that are not sold are left out of the conversion, and clients are reminded of them.
create index policies_renewals on policies (business_unit_id, created_at) where renews is not null;

alter table policy_notices drop constraint policy_notices_kind_check;

-- The client's answers to a link of quotes, and what the service says of renewals.
alter table policy_notices add constraint policy_notices_kind_check check (kind in ('offer_paid', 'offer_declined', 'withdrawn', 'quote_paid',
  'quote_accepted', 'quote_declined', 'renewal_impossible', 'renewal_outdated'));
