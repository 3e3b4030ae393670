-- The movement of the money book that a request asks about. No ticket has one yet, so none is checked.
alter table tickets add column entry_id uuid,
  add foreign key (business_unit_id, entry_id) references money_book (business_unit_id, id) not valid;
