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

/** `body` null: the raw callback is gone, or, when `later`, there was no room for it in this answer. */
export type LoadedCallback = { id: string; received_at: Date | null; body: Buffer | null; later: boolean };

/** Bytes of bodies in one answer: a callback has up to 3 MiB, and 200 of those at once would be 600. */
const LOADED_BYTES_A_CALL = 8 * 1024 * 1024;

export const loadCallbacks = hotFunction({
  name: "load_callbacks",
  writes: false,
  returns: "id uuid, received_at timestamptz, body bytea, later boolean",
  // The length of a body is known without reading it.
  body: `return query select l.id, l.received_at, case when l.room then l.body end, not l.room
    from (select x.id, x.ordinality, c.received_at, c.body,
        x.ordinality = 1 or coalesce(sum(octet_length(c.body)) over (order by x.ordinality), 0) <= ${LOADED_BYTES_A_CALL} as room
      from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x
      ${lookUp("c", "select c.received_at, c.body from callback c where c.id = x.id")}) l order by l.ordinality;`,
});

/** What is set aside of a callback, or all of it. */
export type AsideRow = {
  id: string;
  /** `failed` is replayed by itself; anything else when its cause is gone: by connecting the number, or by the operator. */
  reason: string;
  /** For people; nothing of what was in the callback. */
  detail: string | null;
  provider_phone_number_id: string | null;
  provider_account_id: string | null;
  change: unknown;
};

export type FinishRow = {
  slot: number;
  lane: number;
  seq: number;
  callback_id: string;
  /** Null: done. Else tried again then. */
  due: string | null;
  quarantine: AsideRow[];
};

/** Seconds until what failed is replayed: half a minute for the first ten, then ever longer, up to an hour. */
const REPLAY_PAUSE = (tries: string): string =>
  `least(3600, 30 * 2 ^ greatest(0, least(${tries}, 40) - 20)) * (0.8 + 0.4 * random()) * interval '1 second'`;

/** Ends one callback: what was not understood goes into quarantine in the same transaction. */
export const finishIngest = hotFunction({
  name: "finish_ingest",
  returns: "done boolean",
  declare: "r record;",
  body: `
for r in select * from rows from (json_to_recordset(rows) as (slot smallint, lane int, seq bigint, callback_id uuid, due timestamptz, quarantine json)) with ordinality x order by x.ordinality loop
  if json_array_length(r.quarantine) > 0 then
    insert into quarantine (id, callback_id, lane, provider_phone_number_id, provider_account_id, reason, detail, change, created_at)
    select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail, q.change, now
    from json_to_recordset(r.quarantine) as q(id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, change json) where q.reason <> 'failed'
    on conflict do nothing;
    -- Replayed, and it failed again.
    insert into quarantine as k (id, callback_id, lane, provider_phone_number_id, provider_account_id, reason, detail, created_at, replay_at)
    select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail, now, now + ${REPLAY_PAUSE("0")}
    from json_to_recordset(r.quarantine) as q(id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text) where q.reason = 'failed' limit 1
    on conflict (callback_id) where reason = 'failed' do update
      set tries = least(k.tries, 30000) + 1, detail = excluded.detail, replayed_at = null, replay_at = now + ${REPLAY_PAUSE("k.tries + 1")};
  end if;
  if r.due is null then delete from ingest i where i.slot = r.slot and i.seq = r.seq;
  else update ingest i set due = r.due, attempt = least(i.attempt, 30000) + 1 where i.slot = r.slot and i.seq = r.seq;
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

/** The lane that a callback came from; those set aside by the version before go to one of their owner. */
export const LANE_OF_QUARANTINED =
  "coalesce(q.lane, hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647)";

/** Puts the callbacks of newly owned numbers and accounts back into the queue. Taking them twice does nothing. */
export const replayQuarantine = hotFunction({
  name: "replay_quarantine",
  returns: "slot smallint",
  declare: "r record;",
  body: `
for r in
  select q.callback_id, min(q.lane) as lane
  from json_to_recordset(rows) as x(provider_phone_number_id text, provider_account_id text)
  ${each(
    "q",
    ["provider_phone_number_id", "provider_account_id"]
      .map(
        (owner) =>
          `select q.callback_id, ${LANE_OF_QUARANTINED} as lane from quarantine q where q.${owner} = x.${owner} and q.replayed_at is null and q.reason = 'unowned'`,
      )
      .join(" union "),
  )}
  group by q.callback_id order by q.callback_id
loop
  -- All of the callback's: what has no owner even now, or is not understood, comes back here from its second reading.
  update quarantine q set replayed_at = now, replay_at = null where q.callback_id = r.callback_id and q.replayed_at is null;
  insert into ingest (slot, lane, callback_id) values ((r.lane % 64)::smallint, r.lane, r.callback_id);
  slot := (r.lane % 64)::smallint;
  return next;
end loop;`,
});
