-- How often a worker took the job up and did not come back: what brings its worker down is not tried for ever.
alter table jobs add column lost integer not null default 0;

drop index jobs_due;

-- Each subscriber's own queue, so that one that is slow leaves room for the others.
create index jobs_due on jobs (subscriber, run_at) where state in ('waiting', 'running');

-- What a mail is about (a policy, a ticket), for the history of that.
alter table mails add column about uuid;

create index mails_about on mails (business_unit_id, about, at) where about is not null;
