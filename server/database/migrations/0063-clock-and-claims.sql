-- The business clock of a trial: while there is a row, it stands at an instant until a moment of real time, and runs on from there, on every node.
-- One row at most. Production ignores it.
create table business_clock (
  only_one boolean primary key default true check (only_one),
  at timestamptz not null,
  runs_from timestamptz not null
);

-- Support marks a claim that was filed by mistake. It is then no claim on its policy.
alter table tickets add column misfiled boolean not null default false;
