-- Known people are offered by the beginning of a first name, too. Empty for those of before: they are found by surname and document.
alter table policy_people add column given_sort text collate "C";

create index policy_people_given on policy_people (business_unit_id, given_sort) where given_sort is not null;
