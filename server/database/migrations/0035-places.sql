-- The edition of the places that come with the program. A start with a newer one takes it over.
alter table geo_version add column edition integer not null default 0;
