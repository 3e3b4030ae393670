-- Documents that show numbers are sealed in the store, too. Those of before are sealed by a command.
alter table files drop constraint sealed_kinds;

alter table files add constraint sealed_kinds check (sealed_by is null or kind in
  ('ticket', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer')) not valid;

drop index files_sealed;

create index files_sealed on files (sealed_by) where kind in
  ('ticket', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer');
