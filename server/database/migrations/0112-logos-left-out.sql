-- A logo that cannot be drawn is left out of the documents that are made again, on every node and for good.
alter table paper_logos add column left_out boolean not null default false;

grant update (left_out) on paper_logos to portolan_app;
