-- The policy whose next term a saved quote offers. One that is neither sold nor deleted bars another.
alter table policies add column renews uuid;

create unique index policies_renews on policies (business_unit_id, renews)
where renews is not null and status in ('budgeted', 'pending', 'purchased');
