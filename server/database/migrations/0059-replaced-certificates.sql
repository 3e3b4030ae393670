-- The version by which a certificate says no longer what holds: that of a later certificate, or of the policy's end.
alter table files add column replaced_by integer;

-- The service's role sees every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_service;

-- So far, every step made a certificate or ended the policy.
update files set replaced_by = deed.to_version
from policy_deeds deed, policies policy
where files.kind = 'certificate'
  and policy.business_unit_id = files.business_unit_id and policy.id = files.policy_id
  and deed.business_unit_id = files.business_unit_id and deed.policy_id = files.policy_id
  and deed.from_version = coalesce(files.policy_version, policy.sold_version);

reset role;

set local row_security = off;
