-- Keeps the reply of a call under its idempotency key, with what the call writes. False if the key is in use: then the call must write nothing. A key is
-- free if it is over a day old (`expired`), or if a node died with it during the same request (`abandoned`).
create or replace function keep_reply(unit uuid, kept jsonb) returns boolean
language plpgsql as $$
declare
  reply constant idempotency := jsonb_populate_record(null::idempotency, kept);
begin
  insert into idempotency as before (business_unit_id, user_id, key, call, claimed_at, question_hash, status, sealed, sealed_by)
  values (unit, reply.user_id, reply.key, reply.call, reply.claimed_at, reply.question_hash, reply.status, reply.sealed, reply.sealed_by)
  on conflict (business_unit_id, user_id, key) do update
    set call = excluded.call, claimed_at = excluded.claimed_at, question_hash = excluded.question_hash, status = excluded.status, reply = null,
      sealed = excluded.sealed, sealed_by = excluded.sealed_by
    where before.claimed_at < (kept->>'expired')::timestamptz
      or (before.status is null and before.claimed_at < (kept->>'abandoned')::timestamptz
        and before.question_hash in (select hash::bytea from jsonb_array_elements_text(kept->'hashes') as hash));
  return found;
end $$
