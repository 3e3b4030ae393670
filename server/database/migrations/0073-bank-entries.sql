-- The entries of the insurer's bank that are booked, each once for ever, whatever file it comes in (decision 60). An entry is of the bank and not of an
-- agency, so its key holds across all of them. Only its fingerprints are kept: the other entries of a file are strangers' money.
create table bank_entries (
  id uuid primary key,
  -- The same for all entries of one account, day, direction and amount.
  alike uuid not null,
  -- The agency on whose account it is booked, under `id` as its request.
  booked_for uuid not null,
  booked_at timestamptz not null
);

create index bank_entries_alike on bank_entries (alike);

grant insert on bank_entries to portolan_app;

grant select on bank_entries to portolan_admin;

revoke update, delete on bank_entries from portolan_service;
