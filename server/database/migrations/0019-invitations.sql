-- The administration closes open invitations: it knows whose they are and of which unit, and no token.
grant select (user_id, invited_to, used_at), update (used_at) on one_time_tokens to portolan_admin;
