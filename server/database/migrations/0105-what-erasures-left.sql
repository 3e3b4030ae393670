-- An erasure takes out of offers of a change whose address they went to, and reasons that users typed leave with their age.
grant update (offered_to, state, ended_at, asked, step, sealed, sealed_by, request_key) on open_changes to portolan_privacy;

grant update (reason) on holds to portolan_privacy;

-- By it the night finds the reasons in the audit that are old enough.
create index audit_reasons on audit (at) where reason is not null;

-- The role sees every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_privacy;

-- What erasures of before left: the hash of an address, and the sources of saved quotes' documents.
update open_changes set offered_to = ''
from policies
where policies.business_unit_id = open_changes.business_unit_id and policies.id = open_changes.policy_id and policies.status = 'blocked'
  and open_changes.offered_to <> '' and open_changes.ended_at is not null;

delete from paper_sources
where not exists (
  select from files where files.business_unit_id = paper_sources.business_unit_id and files.content_id = paper_sources.content_id);

reset role;

set local row_security = off;
