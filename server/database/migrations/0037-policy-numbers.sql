-- Numbers are unique for the insurer: all agencies take their blocks from this one row, which belongs to none of them.
create table policy_numbering (
  only_one boolean primary key default true check (only_one),
  next_number bigint not null check (next_number >= shared_from),
  -- Numbers before this one were dealt by each agency for itself, so two agencies may have sold the same. They keep them.
  shared_from bigint not null check (shared_from >= 0)
);

-- The service's role sees every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_service;

-- Begins above every number in use. A node of the version before still takes from policy_numbers until it is replaced: hence the distance.
insert into policy_numbering (next_number, shared_from)
select first, first from (
  select coalesce(max(used) + 10000, 0) as first from (
    select max(next_number) as used from policy_numbers
    union all
    select max(split_part(number, '-', 1)::bigint) - 999999 from policies where number ~ '^[0-9]+-') each_unit) beginning;

reset role;

set local row_security = off;
