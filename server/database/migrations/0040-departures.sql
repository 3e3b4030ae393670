-- Policies of some days of departure, newest first: their order and their seller stand in the index, so that no row is read before the page is known.
create index policies_departures on policies (business_unit_id, status, start_date, id) include (created_at, seller_id);

drop index policies_start;

alter index policies_departures rename to policies_start;
