import { each, hotFunction, lookUp } from "../../db/hot-function.ts";
import { defineQueue } from "../../lanes/queue.ts";

export const ingestQueue = defineQueue({
  table: "ingest",
  item: "callback_id",
  key: null,
  workspace: false,
  event: false,
  intents: false,
});

export type CallbackRow = { id: string; lane: number /** Base64 of the raw bytes. */; body: string };

/** Stores callbacks byte for byte with their queue rows; the provider gets its 200 only after this has committed. */
export const storeCallbacks = hotFunction({
  name: "store_callbacks",
  returns: "id uuid",
  declare: "r record;",
  body: `
for r in select * from rows from (json_to_recordset(rows) as (id uuid, lane int, body text)) with ordinality x order by x.ordinality loop
  insert into callback (id, received_at, body) values (r.id, now, decode(r.body, 'base64')) on conflict do nothing;
  if found then insert into ingest (slot, lane, callback_id) values ((r.lane % 64)::smallint, r.lane, r.id); end if;
  id := r.id;
  return next;
end loop;`,
});

export type LoadedCallback = { id: string; received_at: Date; body: Buffer };

export const loadCallbacks = hotFunction({
  name: "load_callbacks",
  writes: false,
  returns: "id uuid, received_at timestamptz, body bytea",
  body: `return query select x.id, c.received_at, c.body
    from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x ${lookUp("c", "select c.received_at, c.body from callback c where c.id = x.id")} order by x.ordinality;`,
});

export type FinishRow = {
  slot: number;
  seq: number;
  callback_id: string;
  /** Null: done. Else tried again then. */
  due: string | null;
  quarantine: {
    id: string;
    reason: string;
    provider_phone_number_id: string | null;
    provider_account_id: string | null;
    change: unknown;
  }[];
};

/** Ends one callback: what was not understood goes into quarantine in the same transaction. */
export const finishIngest = hotFunction({
  name: "finish_ingest",
  returns: "done boolean",
  declare: "r record;",
  body: `
for r in select * from rows from (json_to_recordset(rows) as (slot smallint, seq bigint, callback_id uuid, due timestamptz, quarantine json)) with ordinality x order by x.ordinality loop
  insert into quarantine (id, callback_id, provider_phone_number_id, provider_account_id, reason, change, created_at)
  select q.id, r.callback_id, q.provider_phone_number_id, q.provider_account_id, q.reason, q.change, now
  from json_to_recordset(r.quarantine) as q(id uuid, reason text, provider_phone_number_id text, provider_account_id text, change json) on conflict do nothing;
  if r.due is null then delete from ingest i where i.slot = r.slot and i.seq = r.seq;
  else update ingest i set due = r.due, attempt = i.attempt + 1 where i.slot = r.slot and i.seq = r.seq;
  end if;
  done := r.due is null;
  return next;
end loop;`,
});

export type RouteAsk = { provider_phone_number_id: string | null; provider_account_id: string | null };
export type RouteAnswer = {
  workspace_id: string | null;
  phone_number_id: string | null;
  business_account_id: string | null;
};

/** Whose number or account it is: the only way from a callback to a workspace. */
export const findRoutes = hotFunction({
  name: "find_routes",
  writes: false,
  returns: "workspace_id uuid, phone_number_id uuid, business_account_id uuid",
  body: `return query select coalesce(p.workspace_id, a.workspace_id), p.phone_number_id, a.business_account_id
    from rows from (json_to_recordset(rows) as (provider_phone_number_id text, provider_account_id text)) with ordinality x
    ${lookUp("p", "select p.* from phone_number_route p where p.provider_phone_number_id = x.provider_phone_number_id")}
    ${lookUp("a", "select a.* from business_account_route a where a.provider_account_id = x.provider_account_id")} order by x.ordinality;`,
});

/** Puts the callbacks of newly owned numbers and accounts back into the queue. Taking them twice does nothing. */
export const replayQuarantine = hotFunction({
  name: "replay_quarantine",
  returns: "slot smallint",
  declare: "r record; lane_of int;",
  body: `
for r in
  select distinct q.callback_id, coalesce(q.provider_phone_number_id, q.provider_account_id) as owner
  from json_to_recordset(rows) as x(provider_phone_number_id text, provider_account_id text)
  ${each(
    "q",
    ["provider_phone_number_id", "provider_account_id"]
      .map(
        (owner) =>
          `select q.callback_id, q.provider_phone_number_id, q.provider_account_id from quarantine q where q.${owner} = x.${owner} and q.replayed_at is null and q.reason = 'unowned'`,
      )
      .join(" union "),
  )}
  order by q.callback_id
loop
  -- All of the callback's: what has no owner even now comes back here from its second reading.
  update quarantine q set replayed_at = now where q.callback_id = r.callback_id and q.reason = 'unowned' and q.replayed_at is null;
  lane_of := hashtext(r.owner) & 2147483647;
  insert into ingest (slot, lane, callback_id) values ((lane_of % 64)::smallint, lane_of, r.callback_id);
  slot := (lane_of % 64)::smallint;
  return next;
end loop;`,
});
