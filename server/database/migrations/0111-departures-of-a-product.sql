-- The departures of a product: the index says which policies they are, so that not all rows of these days are read (as 0040-departures.sql does for
-- order and seller).
create index policies_departures on policies (business_unit_id, status, start_date, id) include (created_at, seller_id, product_id);

drop index policies_start;

alter index policies_departures rename to policies_start;
