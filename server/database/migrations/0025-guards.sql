-- Failures of another kind count for themselves: a password, a code of the second factor, and an asked-for mail of a forgotten password.
alter table sign_in_failures add column kind text not null default 'password' check (kind in ('password', 'code', 'forgot'));

-- How often an audit row of somebody who is not signed in stands for: the first is written, the rest of that hour are counted here.
create table audit_repeats (
  audit_id uuid primary key,
  hour timestamptz not null,
  action text not null,
  reason text not null,
  network text not null,
  user_id uuid,
  times integer not null,
  last_at timestamptz not null,
  unique nulls not distinct (hour, action, reason, network, user_id)
);

grant select on audit_repeats to portolan_admin;

-- Wrong codes of the second factor, of the last day; `source` is who guesses: a known device, a session, or anybody.
create table wrong_codes (
  id uuid primary key,
  user_id uuid not null references users (id),
  source text not null,
  at timestamptz not null
);

create index wrong_codes_user on wrong_codes (user_id, source, at);

-- Browsers that somebody has signed in from with a code, or has chosen a password in by a mailed link. Only the hash of their token is kept.
create table known_devices (
  token_hash bytea not null,
  user_id uuid not null references users (id),
  proven_by text not null check (proven_by in ('code', 'mail')),
  used_at timestamptz not null,
  primary key (token_hash, user_id)
);

create index known_devices_user on known_devices (user_id);

-- Whoever works for several agencies is signed out of one of them by this moment: sessions that began before it do not open this unit.
alter table memberships add column access_from timestamptz;
