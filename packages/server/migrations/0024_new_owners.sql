-- Numbers that came with other user ids lately: one row for a portfolio whose numbers did. As many at once as the provider reassigns
-- in weeks mean that its user ids cannot be relied on (docs/adr/0013).
create table new_owner (
  workspace_id uuid not null,
  scope text not null,
  -- The last time of each number, in seconds since the epoch, while it counts.
  numbers jsonb not null default '{}',
  -- Until then nobody is joined by what is said in the portfolio.
  stopped_until timestamptz,
  primary key (workspace_id, scope)
);
select protect_tenant_table('new_owner', '', 'insert, select, update');
