-- The part of an agency's commission that is each seller's, from a month on; for information, not paid (decision 69).
create table commission_shares (
  business_unit_id uuid not null references business_units (id),
  user_id uuid not null references users (id),
  -- Its first day. A month that is closed gets no row any more.
  month date not null check (extract(day from month) = 1),
  -- In basis points; null ends it.
  share_bp integer check (share_bp between 0 and 10000),
  set_at timestamptz not null,
  set_by uuid references users (id),
  primary key (business_unit_id, user_id, month)
);

alter table commission_shares enable row level security;

create policy own_unit on commission_shares to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on commission_shares to portolan_service using (true);

create policy no_owner on commission_shares as restrictive to current_user using (false);

alter table commission_shares force row level security;

grant select on commission_shares to portolan_app;

revoke delete on commission_shares from portolan_service;
