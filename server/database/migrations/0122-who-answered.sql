-- A client who declines types their name, which leaves with the people of the quote.
alter table quote_links add column answered_by text not null default '';

grant update (answered_by) on quote_links to portolan_privacy;
