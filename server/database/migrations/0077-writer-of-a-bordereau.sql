-- The attempt that writes a bordereau's files: an earlier one, which a node that hung still carries out, stores nothing more.
alter table bordereaux add column writer uuid;
