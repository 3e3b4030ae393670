-- The bordereau has pseudonyms of the insured people unless the agency's contract wants their names.
alter table account_terms add column names_in_bordereau boolean not null default false;
