-- The day on which a person's request came, from which its month counts: a letter may have been on its way. The default is for nodes of before this update.
alter table person_requests add column received_on date not null default (now() at time zone 'UTC')::date;

-- The role sees every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_privacy;

-- The month of these was counted from the day on which they were recorded.
update person_requests set received_on = (at at time zone 'UTC')::date;

reset role;

set local row_security = off;
