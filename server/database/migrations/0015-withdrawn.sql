-- A mail that was not sent, because what it says was so no longer when it was to leave.
alter table mails drop constraint mails_state_check;

alter table mails add constraint mails_state_check check (state in ('queued', 'sent', 'refused', 'withdrawn'));
