-- Where a policyholder lives leaves with everything else that identifies them: erasures of before left it.
-- The role sees every unit's rows by a policy, which row_security = off does not allow.
set local row_security = on;

set local role portolan_privacy;

update policy_people set residence_country = null
from policies
where policies.business_unit_id = policy_people.business_unit_id and policies.id = policy_people.policy_id
  and (policies.status = 'blocked' or policies.erased_at is not null) and policy_people.residence_country is not null;

reset role;

set local row_security = off;
