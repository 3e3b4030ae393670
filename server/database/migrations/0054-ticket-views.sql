-- The lists of claims and of requests have views, too. Their names are those of the kinds of ticket.
alter table policy_views drop constraint policy_views_list_check;

alter table policy_views add constraint policy_views_list_check check (list in ('purchased', 'budgeted', 'claim', 'request'));
