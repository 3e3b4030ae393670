-- What people write in claims and requests, sealed: description and answers of a ticket, the text of a message. Then `description` and `body` are empty,
-- and so are the answers of `form`.
alter table tickets
  add column sealed bytea,
  add column sealed_by text,
  add constraint sealed_by_a_key check ((sealed is null) = (sealed_by is null)),
  add constraint nothing_beside_the_seal check (sealed is null or (description = '' and status <> 'blocked'));

alter table ticket_messages
  add column sealed bytea,
  add column sealed_by text,
  add constraint sealed_by_a_key check ((sealed is null) = (sealed_by is null)),
  add constraint nothing_beside_the_seal check (sealed is null or body = '');

-- By them the start finds what another key sealed, or none.
create index tickets_sealed on tickets (sealed_by) where status <> 'blocked';

create index ticket_messages_sealed on ticket_messages (sealed_by);
