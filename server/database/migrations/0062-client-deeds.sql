-- With row security the owner sees no row, so the new foreign key holds for what is written from here on.
set local row_security = on;

-- A client withdraws without a user: by a statement.
alter table policy_deeds alter column user_id drop not null, add column withdrawal_id uuid,
  add constraint by_user_or_client check ((user_id is null) = (withdrawal_id is not null)),
  add unique (business_unit_id, withdrawal_id),
  add foreign key (business_unit_id, withdrawal_id) references withdrawals (business_unit_id, id);

alter table policy_versions alter column user_id drop not null;

set local row_security = off;
