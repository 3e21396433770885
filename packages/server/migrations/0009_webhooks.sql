create sequence webhook_endpoint_lane as int;
select grant_sequence('webhook_endpoint_lane');

create table webhook_endpoint (
  workspace_id uuid not null references workspace,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  ordered boolean not null default false,
  enabled boolean not null default true,
  status text not null default 'active' check (status in ('active', 'failing', 'disabled')),
  disabled_reason text,
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  lane int not null default nextval('webhook_endpoint_lane'),
  -- Grows with each change: the ETag, and what tells a process that its copy of URL and secrets is old.
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create index webhook_endpoint_lane_number on webhook_endpoint (lane);
-- Fan-out needs to know who listens; secrets are read by the workspace's own role alone.
select protect_tenant_table('webhook_endpoint', 'select, insert, update, delete',
  'select (workspace_id, id, url, events, description, ordered, enabled, status, disabled_reason, lane, version, created_at, updated_at),
   update (enabled, status, disabled_reason, version, updated_at)');

create table event (
  workspace_id uuid not null,
  id uuid not null,
  era int not null,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null,
  sequence bigint not null,
  message_id uuid,
  contact_id uuid,
  resource_id uuid,
  occurred_at timestamptz not null,
  -- What may change later, as it was at this commit; the body is rendered from it, the same each time.
  state json,
  created_at timestamptz not null,
  primary key (workspace_id, id)
) partition by range (id);
select protect_tenant_table('event', 'select, insert', 'select, insert');

-- Written at the first outcome; until then a delivery is its queue row.
create table delivery (
  workspace_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  webhook_endpoint_id uuid not null,
  kind text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed', 'parked')),
  attempt smallint not null,
  next_attempt_at timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz,
  attempts json not null,
  primary key (workspace_id, id)
) partition by range (id);
create index delivery_endpoint on delivery (workspace_id, webhook_endpoint_id, id);
select protect_tenant_table('delivery', 'select, update', 'select, insert, update');

-- A delivery needs no row to have an id: the event's time, and a hash of event and endpoint. The same each time.
create function delivery_id(event uuid, endpoint uuid) returns uuid language sql immutable parallel safe as $$
  select (substr(event::text, 1, 14) || '7' || substr(h, 1, 3) || '-8' || substr(h, 4, 3) || '-' || substr(h, 7, 12))::uuid
  from (select encode(sha256(uuid_send(event) || uuid_send(endpoint)), 'hex') as h) x
$$;
