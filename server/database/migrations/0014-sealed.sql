-- By which key a second factor's secret is sealed; empty where an older version left it open, until the next start.
alter table second_factors add column sealed_by text;

-- The administration lets somebody in who has lost telephone and recovery codes: it takes the factor's confirmation back, and sees no secret.
grant select (user_id, confirmed_at), update (confirmed_at) on second_factors to portolan_admin;
