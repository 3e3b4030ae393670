-- A document that a policyholder brings is sealed in the store, as the files of tickets are, and counts in the same quota of uploads.
alter table files drop constraint sealed_kinds;

alter table files add constraint sealed_kinds check (sealed_by is null or kind in
  ('ticket', 'upload', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer')) not valid;

drop index files_sealed;

create index files_sealed on files (sealed_by) where kind in
  ('ticket', 'upload', 'copy', 'cancellation', 'withdrawal', 'supplement', 'certificate', 'receipt', 'credit_note', 'offer');

drop index files_brought;

create index files_brought on files (business_unit_id, user_id, created_at) where kind in ('ticket', 'upload');
