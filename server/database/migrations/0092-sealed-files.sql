-- The key by which the content of a ticket's file is sealed in the store, as the content's own head has it. Null: not sealed.
alter table files add column sealed_by text check (sealed_by is null or kind = 'ticket');

-- By it the start finds files that another key sealed, or none.
create index files_sealed on files (sealed_by) where kind = 'ticket';
