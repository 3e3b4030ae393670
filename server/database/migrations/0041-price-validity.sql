-- Saved quotes by the end of their price, which lists show and sort by.
create index policies_price_valid_until on policies (business_unit_id, status, price_valid_until, id);
