-- A foreign key locks the row that it refers to. All sales share those of their unit, seller and product: with several callers, these locks took half of
-- PostgreSQL's time (decision 77). Such rows are never deleted, and the unit's policies refuse a row of another unit.
alter table policies drop constraint policies_business_unit_id_fkey, drop constraint policies_product_id_fkey, drop constraint policies_seller_id_fkey;

alter table policy_versions drop constraint policy_versions_business_unit_id_fkey, drop constraint policy_versions_user_id_fkey;

alter table policy_people drop constraint policy_people_business_unit_id_fkey;

alter table policy_price_lines drop constraint policy_price_lines_business_unit_id_fkey;

alter table policy_history drop constraint policy_history_business_unit_id_fkey, drop constraint policy_history_user_id_fkey;

alter table policy_counts drop constraint policy_counts_business_unit_id_fkey;

alter table payments drop constraint payments_business_unit_id_fkey, drop constraint payments_user_id_fkey;

alter table money_book drop constraint money_book_business_unit_id_fkey;

alter table files drop constraint files_business_unit_id_fkey, drop constraint files_product_id_fkey, drop constraint files_user_id_fkey;

alter table jobs drop constraint jobs_business_unit_id_fkey;

alter table idempotency drop constraint idempotency_business_unit_id_fkey;

alter table quotes drop constraint quotes_business_unit_id_fkey, drop constraint quotes_product_id_fkey;

-- Not even the owner deletes what no key protects. A restore still empties the tables of an empty installation.
do $$ begin
  execute format('revoke delete on business_units, users, products from portolan_app, portolan_admin, portolan_service, portolan_privacy, %I', current_user);
end $$;
