-- The role under which the administration works: across all units, but only on what it is there for. It reads no password and no token,
-- changes no policy and no payment, deletes nothing, and can only add to the audit.
do $$ begin
  create role portolan_admin nologin nobypassrls;
exception when duplicate_object or unique_violation then null;
end $$;

do $$ begin
  execute format('grant portolan_admin to %I', current_user);
end $$;

-- Administrators of the whole service, whatever units they belong to, if any.
alter table users add column administrator boolean not null default false;

-- What the administration has set stays as it is when the catalogue is loaded again.
alter table business_units add column set_by_hand text[] not null default '{}';

alter table unit_products add column set_by_hand boolean not null default false;

alter table unit_gateways add column set_by_hand boolean not null default false;

-- How a review ended, in the words of whoever ended it.
alter table payment_reviews add column resolution text;

create index audit_at on audit (at, id);

create index audit_object on audit (object, at) where object is not null;

create index jobs_state on jobs (state, created_at) where state <> 'done';

create policy administration on business_units to portolan_admin using (true);

create policy administration on memberships to portolan_admin using (true);

create policy administration on unit_products to portolan_admin using (true);

create policy administration on unit_gateways to portolan_admin using (true);

create policy administration on jobs to portolan_admin using (true);

create policy administration on mails to portolan_admin using (true);

create policy administration on payments to portolan_admin using (true);

create policy administration on payment_reviews to portolan_admin using (true);

create policy administration on policies to portolan_admin using (true);

create policy administration on audit to portolan_admin using (true);

create policy administration on business_unit_changes to portolan_admin using (true);

grant select, insert on business_unit_changes to portolan_admin;

grant select, insert, update on business_units, memberships, unit_products, unit_gateways to portolan_admin;

grant select (id, email, name, active, administrator, created_at), insert, update (name, active, administrator) on users to portolan_admin;

grant select (id, user_id, network, user_agent, created_at, last_seen_at, ended_at), update (ended_at) on sessions to portolan_admin;

grant select, insert, update (state, attempts, lost, run_at, finished_at) on jobs to portolan_admin;

grant select, insert, update (state, reason, finished_at) on mails to portolan_admin;

grant select (business_unit_id, id, number, product_name) on policies to portolan_admin;

grant select on payments, payment_reviews, catalogue_versions, products, product_versions, tariffs to portolan_admin;

grant update (resolved_at, resolved_by, resolution) on payment_reviews to portolan_admin;

grant select, insert on audit to portolan_admin;

-- Not even the owner of the tables changes what was recorded, unless he gives himself the right to.
do $$ begin
  execute format('revoke update, delete, truncate on audit from %I', current_user);
end $$;
