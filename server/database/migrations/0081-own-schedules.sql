-- Each user has some of an agency's schedules, so that none takes them all (decision 61). The slots limit their number, also when several are made at once.
alter table report_schedules add column own_slot integer;

set local row_security = on;

set local role portolan_service;

update report_schedules set own_slot = own.place
from (select business_unit_id, id, row_number() over (partition by business_unit_id, user_id order by created_at, id) as place from report_schedules) as own
where own.business_unit_id = report_schedules.business_unit_id and own.id = report_schedules.id;

reset role;

set local row_security = off;

alter table report_schedules alter column own_slot set not null;

alter table report_schedules add constraint report_schedules_own_slot_check check (own_slot between 1 and 20);

alter table report_schedules add constraint report_schedules_own_slot_key unique (business_unit_id, user_id, own_slot);
