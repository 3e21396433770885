import { callWithin } from "../../db/call-within.ts";
import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { EVENT_VARIABLES, emitEvent, SLOTS_MASK } from "../events/event.sql.ts";
import { statusHasLeft } from "./numbers/number-status.sql.ts";

// What crosses workspaces or writes events is done by functions of the engine role; these are those of this feature.

const ROUTE = columns({
  kind: of<"account" | "number">("text"),
  provider_id: "text",
  workspace_id: "uuid",
  id: "uuid",
});
type RouteRow = RowOf<typeof ROUTE>;

/** An account in one of these is a workspace's own: the provider took its token. One that is connecting has proved nothing yet. */
const holds = (status: string): string => `${status} in ('connected', 'restricted')`;

/**
 * Takes the routes of callbacks: a number or account belongs to one workspace. Another's is taken over only when its
 * account is not connected there, or when the number has left it: the provider lists a number under one account only. A workspace
 * that has the provider's token has proved ownership. The owner is `other` where the route was not taken.
 *
 * The lock of a route settles who is first: an account becomes connected in the transaction that takes its routes.
 */
export const claimRoutes = hotFunction({
  name: "claim_routes",
  input: ROUTE,
  answers: columns({ provider_id: "text", owner: of<"mine" | "other">("text") }),
  declare: "r record; owner_row record; holder_status text;",
  body: `
for r in
  select x.* from ${recordset(ROUTE)} order by x.kind, x.provider_id
loop
  holder_status := 'disconnected';
  if r.kind = 'account' then
    insert into business_account_route (provider_account_id, workspace_id, business_account_id)
    values (r.provider_id, r.workspace_id, r.id)
    on conflict do nothing;
    select o.workspace_id, o.business_account_id as account into owner_row
    from business_account_route o
    where o.provider_account_id = r.provider_id for update;
  else
    insert into phone_number_route (provider_phone_number_id, workspace_id, phone_number_id)
    values (r.provider_id, r.workspace_id, r.id)
    on conflict do nothing;
    select o.workspace_id, (
      select n.business_account_id from phone_number n
      where n.workspace_id = o.workspace_id and n.id = o.phone_number_id and not (${statusHasLeft("n.status")})) as account
      into owner_row from phone_number_route o where o.provider_phone_number_id = r.provider_id for update of o;
  end if;
  if owner_row.workspace_id <> r.workspace_id then
    select a.status into holder_status from business_account a
    where a.workspace_id = owner_row.workspace_id and a.id = owner_row.account;
  end if;
  if ${holds("holder_status")} then
    return query select r.provider_id, 'other';
    continue;
  end if;
  if r.kind = 'account' then
    update business_account_route o set workspace_id = r.workspace_id, business_account_id = r.id
    where o.provider_account_id = r.provider_id and (o.workspace_id, o.business_account_id) <> (r.workspace_id, r.id);
  else
    update phone_number_route o set workspace_id = r.workspace_id, phone_number_id = r.id
    where o.provider_phone_number_id = r.provider_id and (o.workspace_id, o.phone_number_id) <> (r.workspace_id, r.id);
  end if;
  return query select r.provider_id, 'mine';
end loop;`,
});

/** The provider's ids of routes that another workspace has; with any, roll back, for others may have been taken. */
export async function claimAll(
  sql: Sql,
  workspaceId: string,
  routes: readonly Omit<RouteRow, "workspace_id">[],
  now: number,
): Promise<string[]> {
  const rows = routes.map((row): RouteRow => ({ ...row, workspace_id: workspaceId }));
  const answers = await callWithin(sql, claimRoutes, rows, now);
  return answers.flatMap(({ owner, provider_id }) => (owner === "mine" ? [] : [provider_id]));
}

const ASKED = columns({
  workspace_id: "uuid",
  kind: of<"account" | "number">("text"),
  provider_id: "text",
});

/** Which accounts and numbers another workspace holds connected: as `claimRoutes` decides it, before anything is done. */
export const heldElsewhere = hotFunction({
  name: "held_elsewhere",
  writes: false,
  input: ASKED,
  answers: columns({ provider_id: "text", held: "boolean" }),
  body: `return query select x.provider_id, case when x.kind = 'account' then exists (
      select from business_account_route o join business_account a on a.workspace_id = o.workspace_id and a.id = o.business_account_id
      where o.provider_account_id = x.provider_id and o.workspace_id <> x.workspace_id and ${holds("a.status")})
    else exists (
      select from phone_number_route o join phone_number n on n.workspace_id = o.workspace_id and n.id = o.phone_number_id
      join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
      where o.provider_phone_number_id = x.provider_id and o.workspace_id <> x.workspace_id and ${holds("a.status")}
        and not (${statusHasLeft("n.status")}))
    end from ${recordset(ASKED)};`,
});

const DISCONNECT = columns({
  workspace_id: "uuid",
  id: "uuid",
  reason: "text",
  provider_event: "text?",
  /** False when the workspace did it itself and needs no event. */
  with_event: "boolean",
  /** What the provider said of it. */
  detail: of<object>("json?"),
});
type DisconnectRow = RowOf<typeof DISCONNECT>;

/**
 * Ends the connection of accounts. Of one that was connected there is an event, once and where asked: `signup_revoked`. Routes stay, so that late
 * statuses still find their messages, until another workspace connects the account.
 */
export const disconnectAccounts = hotFunction({
  name: "disconnect_accounts",
  input: DISCONNECT,
  answers: columns({ id: "uuid", changed: "boolean", slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}
  r record;
  old_status text;
  a record;`,
  body: `
for r in
  select x.* from ${recordset(DISCONNECT)} order by x.workspace_id, x.id
loop
  select b.status into old_status from business_account b
  where b.workspace_id = r.workspace_id and b.id = r.id for no key update;
  if old_status is null or old_status = 'disconnected' then
    return query select r.id, false, ${SLOTS_MASK};
    continue;
  end if;
  update business_account b set status = 'disconnected', status_reason = r.reason, updated_at = now
  where b.workspace_id = r.workspace_id and b.id = r.id
  returning b.id, b.provider_account_id, b.name, b.status, b.status_reason, b.portfolio_id, b.time_zone,
    b.messaging_account_id, b.waac_id, b.created_at into a;
  if r.with_event and old_status <> 'connecting' then
    ${emitEvent({
      workspace: "r.workspace_id",
      kind: "'signup_revoked'",
      resource: "r.id",
      account: "r.id",
      occurredAt: "now",
      state:
        "json_build_object('business_account', row_to_json(a), 'provider_event', r.provider_event, 'reason', r.reason, 'detail', r.detail)",
      conversation: "hashtextextended(r.id::text, 0)",
    })}
  end if;
  return query select r.id, true, ${SLOTS_MASK};
end loop;`,
});

/** Answers the `deliver` slots to hint after the commit; null when it was disconnected already. */
export async function disconnectIn(
  sql: Sql,
  row: Omit<DisconnectRow, "detail"> & { detail?: object },
  now: number,
): Promise<string | null> {
  const [answer] = await callWithin(sql, disconnectAccounts, [{ detail: null, ...row }], now);
  return answer?.changed ? answer.slots_mask : null;
}

const RESTRICT = columns({
  workspace_id: "uuid",
  id: "uuid",
  restricted: "boolean",
  /** The provider's own text, kept as `status_reason` while it is restricted. */
  reason: "text?",
  provider_event: "text?",
});
type RestrictRow = RowOf<typeof RESTRICT>;

/** `detail` of the event when the account may send again. */
const LIFTED = "The provider lets the account send again; messages that waited are sent.";

/** Restricts connected accounts, or lifts that, with one event for each change: `account_changed`. Others stay as they are. */
export const restrictAccounts = hotFunction({
  name: "restrict_accounts",
  input: RESTRICT,
  answers: columns({ id: "uuid", changed: "boolean", slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}
  r record;
  a record;`,
  body: `
for r in
  select x.* from ${recordset(RESTRICT)} order by x.workspace_id, x.id
loop
  update business_account b set status = case when r.restricted then 'restricted' else 'connected' end,
    status_reason = case when r.restricted then r.reason end, updated_at = now
  where b.workspace_id = r.workspace_id and b.id = r.id
    and b.status = case when r.restricted then 'connected' else 'restricted' end
  returning b.id, b.provider_account_id, b.name, b.status, b.status_reason, b.portfolio_id, b.time_zone,
    b.messaging_account_id, b.waac_id, b.created_at into a;
  if not found then
    return query select r.id, false, ${SLOTS_MASK};
    continue;
  end if;
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "'account_changed'",
    resource: "r.id",
    account: "r.id",
    occurredAt: "now",
    state: `json_build_object('business_account', row_to_json(a), 'provider_event', r.provider_event,
      'detail', case when r.restricted then r.reason else '${LIFTED}' end)`,
    conversation: "hashtextextended(r.id::text, 0)",
  })}
  return query select r.id, true, ${SLOTS_MASK};
end loop;`,
});

/** Answers the `deliver` slots to hint after the commit; null when nothing changed. */
export async function restrictIn(sql: Sql, row: RestrictRow, now: number): Promise<string | null> {
  const [answer] = await callWithin(sql, restrictAccounts, [row], now);
  return answer?.changed ? answer.slots_mask : null;
}
