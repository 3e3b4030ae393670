-- The proof of a client's answer to quotes is sealed in the store, as their documents are.
alter table files drop constraint sealed_kinds;

alter table files add constraint sealed_kinds check (sealed_by is null or kind in
  ('ticket', 'upload', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer', 'proof')) not valid;

drop index files_sealed;

create index files_sealed on files (sealed_by) where kind in
  ('ticket', 'upload', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer', 'proof');
