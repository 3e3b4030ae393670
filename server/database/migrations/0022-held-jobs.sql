-- The jobs of a restored copy are held: while there is a row, no job is taken up and no payment is followed up. One row at most.
create table held_jobs (
  only_one boolean primary key default true check (only_one),
  since timestamptz not null
);

-- The administration releases them, and cannot hold them.
grant select, delete on held_jobs to portolan_admin;

-- Jobs that wait or have failed are counted by kind, with the oldest of each, from the index alone.
create index jobs_open on jobs (state, created_at) include (subscriber) where state <> 'done';

drop index jobs_state;
