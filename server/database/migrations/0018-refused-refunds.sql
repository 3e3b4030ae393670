-- Refused by the card network, or failed there: nothing was given back, and it is on the review list.
alter table refunds drop constraint refunds_state_check;

alter table refunds add constraint refunds_state_check check (state in ('due', 'done', 'refused'));
