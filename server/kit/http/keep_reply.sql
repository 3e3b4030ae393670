-- Keeps the reply of a call under its idempotency key, with what the call writes. False if the key was used before: then the call must write nothing, and
-- its longer way finds out what became of the first request.
create or replace function keep_reply(unit uuid, kept jsonb) returns boolean
language plpgsql as $$
declare
  reply constant idempotency := jsonb_populate_record(null::idempotency, kept);
begin
  -- VALUES, because a distributed table does not say how many rows of a SELECT were in conflict.
  insert into idempotency (business_unit_id, user_id, key, call, claimed_at, question_hash, status, sealed, sealed_by)
  values (unit, reply.user_id, reply.key, reply.call, reply.claimed_at, reply.question_hash, reply.status, reply.sealed, reply.sealed_by)
  on conflict (business_unit_id, user_id, key) do nothing;
  return found;
end $$
