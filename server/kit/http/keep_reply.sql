-- Keeps the reply of a call under its idempotency key, with what the call writes. False if the key was used before: then the call must write nothing, and
-- its longer way finds out what became of the first request.
create or replace function keep_reply(unit uuid, kept jsonb) returns boolean
language plpgsql as $$
begin
  insert into idempotency (business_unit_id, user_id, key, call, claimed_at, question_hash, status, sealed, sealed_by)
  select unit, user_id, key, call, claimed_at, question_hash, status, sealed, sealed_by from jsonb_populate_record(null::idempotency, kept)
  on conflict (business_unit_id, user_id, key) do nothing;
  return found;
end $$
