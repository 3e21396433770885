-- Each hour the transaction below which all had ended by then. An event of a later time was written by that one or a later one, so that what the
-- feed has from a time on is read from there on, and not from the beginning of its day. Of all workspaces, under the nil one.
create table feed_mark (
  workspace_id uuid not null,
  at timestamptz not null,
  era int not null default current_era(),
  xid xid8 not null default pg_current_xact_id(),
  primary key (workspace_id, at)
);
select protect_tenant_table('feed_mark', '', 'delete, insert, select');
