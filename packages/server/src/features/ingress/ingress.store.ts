import { type AnswerOf, columns, each, hotFunction, lookUp, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { slotOfLane } from "../../lanes/lane-kinds.ts";
import { defineQueue } from "../../lanes/queue.ts";
import { scopeOf } from "../identity/identifiers.sql.ts";
import { CALLBACK_INPUT, queueCallbackRows, storeCallbackRows } from "../messages/callbacks/callback.sql.ts";
import { replayPause } from "./failures.ts";

export const ingestQueue = defineQueue({
  kind: "ingest",
  table: "ingest",
  item: "callback_id",
  key: null,
  workspace: false,
  event: false,
  intents: false,
});

const ID = columns({ id: "uuid" });

/** Stores callbacks byte for byte with their queue rows; the provider gets its 200 only after this has committed. */
export const storeCallbacks = hotFunction({
  name: "store_callbacks",
  input: CALLBACK_INPUT,
  answers: ID,
  body: `
return query
  with given as materialized (select x.* from ${recordset(CALLBACK_INPUT)}),
  ${storeCallbackRows("given")},
  queued as (${queueCallbackRows("given x where x.id = any((select array_agg(s.id) from stored s)::uuid[])")})
  select x.id from given x order by x.ordinality;`,
});

const LOADED = columns({
  id: "uuid",
  received_at: "timestamptz?",
  /** Null: the raw callback is gone, or, when `later`, there was no room for it in this answer. */
  body: "bytea?",
  later: "boolean",
});
export type LoadedCallback = AnswerOf<typeof LOADED>;

/** Bytes of bodies in one answer: a callback has up to 3 MiB, and 200 of those at once would be 600. */
const LOADED_BYTES_A_CALL = 8 * 1024 * 1024;

export const loadCallbacks = hotFunction({
  name: "load_callbacks",
  writes: false,
  input: ID,
  answers: LOADED,
  // The length of a body is known without reading it.
  body: `return query select l.id, l.received_at, case when l.room then l.body end, not l.room
    from (select x.id, x.ordinality, c.received_at, c.body,
        x.ordinality = 1
          or coalesce(sum(octet_length(c.body)) over (order by x.ordinality), 0) <= ${LOADED_BYTES_A_CALL} as room
      from ${recordset(ID)}
      ${lookUp("c", "select c.received_at, c.body from callback c where c.id = x.id")}) l order by l.ordinality;`,
});

/** What goes into quarantine of a callback: a change, or all of it. */
const QUARANTINE = columns({
  id: "uuid",
  /** `failed` is replayed by itself; anything else when its cause is gone: by connecting the number, or by the operator. */
  reason: "text",
  /** For people; nothing of what was in the callback. */
  detail: "text?",
  provider_phone_number_id: "text?",
  provider_account_id: "text?",
  change: "json",
});
export type QuarantineInsert = RowOf<typeof QUARANTINE>;

const FINISH = columns({
  slot: "smallint",
  lane: "int",
  seq: "bigint",
  callback_id: "uuid",
  /** Null: done. Else tried again then. */
  due: "timestamptz?",
  quarantine: of<readonly QuarantineInsert[]>("json"),
});
export type FinishRow = RowOf<typeof FINISH>;

/** Ends one callback: what was not understood goes into quarantine in the same transaction. */
export const finishIngest = hotFunction({
  name: "finish_ingest",
  input: FINISH,
  answers: columns({ done: "boolean" }),
  declare: "r record;",
  body: `
for r in select * from ${recordset(FINISH)} order by x.ordinality loop
  if json_array_length(r.quarantine) > 0 then
    insert into quarantine (id, callback_id, lane, provider_phone_number_id, provider_account_id, reason, detail,
      change, created_at)
    select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail,
      q.change, now
    from ${recordset(QUARANTINE, "q", "r.quarantine")} where q.reason <> 'failed'
    on conflict do nothing;
    -- Replayed, and it failed again.
    insert into quarantine as k (id, callback_id, lane, provider_phone_number_id, provider_account_id, reason,
      detail, created_at, replay_at)
    select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail, now,
      now + ${replayPause("0")}
    from ${recordset(QUARANTINE, "q", "r.quarantine")} where q.reason = 'failed' limit 1
    on conflict (callback_id) where reason = 'failed' do update
      set tries = least(k.tries, 30000) + 1, detail = excluded.detail, replayed_at = null,
        replay_at = now + ${replayPause("k.tries + 1")};
  end if;
  if r.due is null then delete from ingest i where i.slot = r.slot and i.seq = r.seq;
  else update ingest i set due = r.due, attempt = least(i.attempt, 30000) + 1 where i.slot = r.slot and i.seq = r.seq;
  end if;
  done := r.due is null;
  return next;
end loop;`,
});

const OWNED = columns({ provider_phone_number_id: "text?", provider_account_id: "text?" });
const OWNER = columns({
  workspace_id: "uuid?",
  phone_number_id: "uuid?",
  business_account_id: "uuid?",
  /** Of a number: the portfolio that the user ids of its people are valid in. */
  user_id_scope: "text?",
});

/** Whose number or account it is: the only way from a callback to a workspace. */
export const findOwners = hotFunction({
  name: "find_owners",
  writes: false,
  input: OWNED,
  answers: OWNER,
  body: `return query select coalesce(p.workspace_id, a.workspace_id), p.phone_number_id,
      coalesce(n.business_account_id, a.business_account_id),
      ${scopeOf("b")}
    from ${recordset(OWNED)}
    ${lookUp("p", "select p.* from phone_number_route p where p.provider_phone_number_id = x.provider_phone_number_id")}
    ${lookUp("n", "select n.business_account_id from phone_number n where n.workspace_id = p.workspace_id and n.id = p.phone_number_id")}
    ${lookUp("b", "select b.portfolio_id, b.provider_account_id from business_account b where b.workspace_id = p.workspace_id and b.id = n.business_account_id")}
    ${lookUp("a", "select a.* from business_account_route a where a.provider_account_id = x.provider_account_id")} order by x.ordinality;`,
});

/** The lane that a callback came from; those that the version before has quarantined go to one of their owner. */
export const LANE_OF_QUARANTINED =
  "coalesce(q.lane, hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647)";

/** Puts the callbacks of newly owned numbers and accounts back into the queue. Taking them twice does nothing. */
export const replayQuarantine = hotFunction({
  name: "replay_quarantine",
  input: OWNED,
  answers: columns({ slot: "smallint" }),
  declare: "r record;",
  body: `
for r in
  select q.callback_id, min(q.lane) as lane
  from ${recordset(OWNED)}
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
  update quarantine q set replayed_at = now, replay_at = null
  where q.callback_id = r.callback_id and q.replayed_at is null;
  insert into ingest (slot, lane, callback_id) values (${slotOfLane("r.lane")}, r.lane, r.callback_id);
  slot := ${slotOfLane("r.lane")};
  return next;
end loop;`,
});
