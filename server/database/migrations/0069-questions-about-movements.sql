-- The movement of the money book that a request asks about.
alter table tickets add column entry_id uuid;

alter table tickets add foreign key (business_unit_id, entry_id) references money_book (business_unit_id, id);
