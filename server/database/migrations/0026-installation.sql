-- Which installation this database is: written on every payment that it announces, since several may share an account at the card network.
create table installation (
  only_one boolean primary key default true check (only_one),
  id uuid not null
);

insert into installation (id) values (gen_random_uuid());

grant select on installation to portolan_app;
