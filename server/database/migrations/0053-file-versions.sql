-- The version of the policy that a document is made of. Null: made before policies could be changed, so the one that was sold.
alter table files add column policy_version integer;
