-- A bordereau whose files could not be written says so, until it is prepared again (decision 59).
alter table bordereaux drop constraint bordereaux_state_check;

alter table bordereaux add constraint bordereaux_state_check check (state in ('preparing', 'failed', 'prepared', 'released'));

alter table bordereaux drop constraint has_sums;

alter table bordereaux add constraint has_sums check ((sums is null) = (state in ('preparing', 'failed')));
