-- What became of a claim: filed, written to, moved. The bordereau of claims reads the state at the end of its month off it (decision 67).
create table claim_steps (
  business_unit_id uuid not null references business_units (id),
  ticket_id uuid not null,
  -- 1 is its filing.
  position integer not null,
  at timestamptz not null,
  status text not null check (status in ('open', 'in_progress', 'answered', 'closed')),
  misfiled boolean not null,
  primary key (business_unit_id, ticket_id, position),
  foreign key (business_unit_id, ticket_id) references tickets (business_unit_id, id)
);

create index claim_steps_at on claim_steps (business_unit_id, at);

alter table claim_steps enable row level security;

create policy own_unit on claim_steps to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

create policy service on claim_steps to portolan_service using (true);

create policy privacy on claim_steps to portolan_privacy using (true);

grant select, insert on claim_steps to portolan_app;

grant select, delete on claim_steps to portolan_privacy;

revoke update, delete on claim_steps from portolan_service;

set local row_security = on;

set local role portolan_service;

-- Of what happened before, filing, messages and the state of today are known.
insert into claim_steps (business_unit_id, ticket_id, position, at, status, misfiled)
select business_unit_id, ticket_id, row_number() over (partition by business_unit_id, ticket_id order by place), at, status, misfiled
from (
  select business_unit_id, id as ticket_id, 0 as place, created_at as at, 'open' as status, false as misfiled from tickets
  where kind = 'claim' and status <> 'blocked'
  union all
  select message.business_unit_id, message.ticket_id, message.position, message.at, case when message.from_support then 'answered' else 'open' end, false
  from ticket_messages as message
  join tickets as ticket on ticket.business_unit_id = message.business_unit_id and ticket.id = message.ticket_id
  where ticket.kind = 'claim' and ticket.status <> 'blocked'
  union all
  select business_unit_id, id, messages + 1, updated_at, status, misfiled from tickets
  where kind = 'claim' and status <> 'blocked' and updated_at > created_at
    and not exists (
      select from ticket_messages as message
      where message.business_unit_id = tickets.business_unit_id and message.ticket_id = tickets.id and message.at = tickets.updated_at
        and not tickets.misfiled)
) as step;

reset role;

set local row_security = off;

create policy no_owner on claim_steps as restrictive to current_user using (false);

alter table claim_steps force row level security;

-- A month of an agency has a bordereau of each kind.
alter table bordereaux drop constraint bordereaux_kind_check;

alter table bordereaux add constraint bordereaux_kind_check check (kind in ('premium', 'claims'));

-- What a bordereau of claims counts. It has no control sums.
alter table bordereaux add column claims jsonb;

alter table bordereaux add constraint claims_alone check (claims is null or kind = 'claims');

alter table bordereau_units add column kind text not null default 'premium' check (kind in ('premium', 'claims'));

alter table bordereau_units drop constraint bordereau_units_pkey;

alter table bordereau_units add primary key (business_unit_id, month, kind);
