-- Why a request was closed without another answer.
alter table person_requests add column closing text,
  add constraint closed_is_done check (closing is null or done_at is not null) not valid;
