-- What is kept in the file store: papers of policies, product documents, what people bring.
create table files (
  business_unit_id uuid not null references business_units (id),
  id uuid not null,
  kind text not null,
  name text not null,
  media_type text not null,
  locale text,
  state text not null check (state in ('pending', 'ready', 'failed')),
  -- The name of its bytes in the store: its own id, or that of another file with the very same bytes.
  content_id uuid,
  size bigint,
  sha256 text,
  -- Who brought it, or made the sale that it belongs to.
  user_id uuid references users (id),
  policy_id uuid,
  quote_id uuid,
  product_id uuid references products (id),
  created_at timestamptz not null,
  primary key (business_unit_id, id),
  foreign key (business_unit_id, policy_id) references policies (business_unit_id, id),
  check ((state = 'ready') = (content_id is not null)),
  check ((content_id is null) = (size is null)),
  check ((content_id is null) = (sha256 is null))
);

create index files_policy on files (business_unit_id, policy_id) where policy_id is not null;

create index files_content on files (business_unit_id, content_id) where content_id is not null;

alter table files enable row level security;

create policy own_unit on files to portolan_app
  using (business_unit_id = nullif(current_setting('portolan.business_unit', true), '')::uuid);

grant select, insert, update, delete on files to portolan_app;
