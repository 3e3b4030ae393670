-- A national document or a passport; and where the policyholder lives, if it is not the unit's country.
alter table policy_people
  add column document_kind text not null default 'national' check (document_kind in ('national', 'passport')),
  add column residence_country integer;
