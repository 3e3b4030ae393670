-- The walls between units hold for the owner of the tables, too: only the role that a transaction takes decides what it sees, and without one it sees
-- nothing. The service's own work, across units, is done as portolan_service (decision 25). Roles are made by server/database/roles/ensure.ts.
grant select, insert, update, delete on all tables in schema public to portolan_service;

-- What later migrations make, so that they need not say so each time; a table of a unit still needs its policies.
alter default privileges in schema public grant select, insert, update, delete on tables to portolan_service;

revoke update, delete on audit from portolan_service;

revoke insert, update, delete on kysely_migration, kysely_migration_lock from portolan_service;

-- The owner may have inherited what the roles may see: hence the policy that takes it from it.
create policy service on business_units to portolan_service using (true);

create policy no_owner on business_units as restrictive to current_user using (false);

alter table business_units force row level security;

create policy service on jobs to portolan_service using (true);

create policy no_owner on jobs as restrictive to current_user using (false);

alter table jobs force row level security;

create policy service on idempotency to portolan_service using (true);

create policy no_owner on idempotency as restrictive to current_user using (false);

alter table idempotency force row level security;

create policy service on memberships to portolan_service using (true);

create policy no_owner on memberships as restrictive to current_user using (false);

alter table memberships force row level security;

create policy service on audit to portolan_service using (true);

create policy no_owner on audit as restrictive to current_user using (false);

alter table audit force row level security;

create policy service on unit_products to portolan_service using (true);

create policy no_owner on unit_products as restrictive to current_user using (false);

alter table unit_products force row level security;

create policy service on unit_gateways to portolan_service using (true);

create policy no_owner on unit_gateways as restrictive to current_user using (false);

alter table unit_gateways force row level security;

create policy service on mails to portolan_service using (true);

create policy no_owner on mails as restrictive to current_user using (false);

alter table mails force row level security;

create policy service on quotes to portolan_service using (true);

create policy no_owner on quotes as restrictive to current_user using (false);

alter table quotes force row level security;

create policy service on policies to portolan_service using (true);

create policy no_owner on policies as restrictive to current_user using (false);

alter table policies force row level security;

create policy service on policy_versions to portolan_service using (true);

create policy no_owner on policy_versions as restrictive to current_user using (false);

alter table policy_versions force row level security;

create policy service on policy_people to portolan_service using (true);

create policy no_owner on policy_people as restrictive to current_user using (false);

alter table policy_people force row level security;

create policy service on policy_price_lines to portolan_service using (true);

create policy no_owner on policy_price_lines as restrictive to current_user using (false);

alter table policy_price_lines force row level security;

create policy service on policy_history to portolan_service using (true);

create policy no_owner on policy_history as restrictive to current_user using (false);

alter table policy_history force row level security;

create policy service on policy_numbers to portolan_service using (true);

create policy no_owner on policy_numbers as restrictive to current_user using (false);

alter table policy_numbers force row level security;

create policy service on policy_counts to portolan_service using (true);

create policy no_owner on policy_counts as restrictive to current_user using (false);

alter table policy_counts force row level security;

create policy service on agency_ledger to portolan_service using (true);

create policy no_owner on agency_ledger as restrictive to current_user using (false);

alter table agency_ledger force row level security;

create policy service on payments to portolan_service using (true);

create policy no_owner on payments as restrictive to current_user using (false);

alter table payments force row level security;

create policy service on payment_events to portolan_service using (true);

create policy no_owner on payment_events as restrictive to current_user using (false);

alter table payment_events force row level security;

create policy service on refunds to portolan_service using (true);

create policy no_owner on refunds as restrictive to current_user using (false);

alter table refunds force row level security;

create policy service on payment_reviews to portolan_service using (true);

create policy no_owner on payment_reviews as restrictive to current_user using (false);

alter table payment_reviews force row level security;

create policy service on files to portolan_service using (true);

create policy no_owner on files as restrictive to current_user using (false);

alter table files force row level security;

create policy service on tickets to portolan_service using (true);

create policy no_owner on tickets as restrictive to current_user using (false);

alter table tickets force row level security;

create policy service on ticket_messages to portolan_service using (true);

create policy no_owner on ticket_messages as restrictive to current_user using (false);

alter table ticket_messages force row level security;

create policy service on ticket_files to portolan_service using (true);

create policy no_owner on ticket_files as restrictive to current_user using (false);

alter table ticket_files force row level security;

create policy service on ticket_reads to portolan_service using (true);

create policy no_owner on ticket_reads as restrictive to current_user using (false);

alter table ticket_reads force row level security;

create policy service on ticket_numbers to portolan_service using (true);

create policy no_owner on ticket_numbers as restrictive to current_user using (false);

alter table ticket_numbers force row level security;

create policy service on business_unit_changes to portolan_service using (true);

create policy no_owner on business_unit_changes as restrictive to current_user using (false);

alter table business_unit_changes force row level security;

create policy service on allowances to portolan_service using (true);

create policy no_owner on allowances as restrictive to current_user using (false);

alter table allowances force row level security;

-- What looks through the index of words within a unit's wall (0016-search.sql) did so as the owner.
grant create on schema public to portolan_service;

alter function policies_found(text) owner to portolan_service;

alter function policies_found(text[]) owner to portolan_service;

alter function tickets_found(text) owner to portolan_service;

alter function tickets_found(text[]) owner to portolan_service;

revoke create on schema public from portolan_service;

create policy service on paper_sources to portolan_service using (true);

create policy no_owner on paper_sources as restrictive to current_user using (false);

alter table paper_sources force row level security;

create policy service on paper_logos to portolan_service using (true);

create policy no_owner on paper_logos as restrictive to current_user using (false);

alter table paper_logos force row level security;
