import { columns, sqlInterval } from "../../../db/hot-function.ts";
import { VALUE_KEPT_MS } from "../../../http/idempotency.ts";
import { insertActivities } from "../../audit/activity.sql.ts";
import { insertAccepted } from "../column-lists.ts";

// What accepting writes, of each row `x` of a part of the statement, or (without one) of the row that the variable `x` holds. A row has
// the columns of the input and those of `DECIDED`.

/** What they need of a row beside its input. */
export const DECIDED = columns({
  lane: "int",
  slot: "smallint",
  contact: "uuid",
  recipient: "text",
  conversation: "bigint",
  sequence: "bigint",
  seq: "bigint",
});

/** text: the number that is written to, as far as it is known by now. */
export const SENT_TO = "coalesce(x.phone, c.phone, '+' || c.wa_id)";
/** bigint: of an event, and of the queue. */
export const CONVERSATION_KEY = "hashtextextended(x.phone_number_id::text || c.id::text, 0)";

const from = (part: string | null): string => (part === null ? "" : `from ${part} x`);

export const insertMessages = (part: string | null): string => insertAccepted(from(part));

export const insertStates = (part: string | null): string => `
  insert into message_state (workspace_id, id, contact_id, conversation, slot, seq)
  select x.workspace_id, x.id, x.contact, x.conversation, x.slot, x.seq ${from(part)}`;

/** Audit rows of what requests asked for. */
export const insertAudits = (part: string | null): string =>
  insertActivities({
    from: from(part),
    id: "x.id",
    at: "x.now",
    action: "'message.create'",
    resource: { type: "'message'", id: "x.public_id" },
    status: "202",
  });

export const insertQueueRows = (part: string | null): string => `
  insert into dispatch (slot, lane, due, seq, workspace_id, message_id, recipient, expires_at) overriding system value
  select x.slot, x.lane, case when x.send_at > batch_now then x.send_at else '-infinity' end, x.seq, x.workspace_id, x.id,
    x.conversation, x.expires_at ${from(part)}`;

/** boolean: thinned out: a conversation needs to know its last message to a minute, not each of them. `known`: what has `last_message_at`. */
export const isNews = (known: string): string =>
  `(${known}.last_message_at is null or ${known}.last_message_at < batch_now - interval '1 minute')`;

/** Writes when conversations had their last message, in sorted order, where it is news. That of one row: call it only then. */
export const upsertConversations = (part: string | null): string => `
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
  ${
    part === null
      ? "select x.workspace_id, x.contact, x.phone_number_id, batch_now"
      : `select distinct x.workspace_id, x.contact, x.phone_number_id, batch_now ${from(part)}
  where ${isNews("x")}
  order by x.workspace_id, x.contact, x.phone_number_id`
  }
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_message_at = greatest(v.last_message_at, excluded.last_message_at)`;

/**
 * Takes the keys of rows that have one, in sorted order; waits while another process holds one of them in a transaction of its own. A
 * key that another one used since it was looked up is not taken: that use is younger than any that the look-up has passed over.
 */
export const takeKeys = (part: string | null): string => `
  insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
  select x.workspace_id, decode(x.key, 'hex'), decode(x.fingerprint, 'hex'), x.public_id, batch_now
  ${part === null ? "" : `${from(part)} where x.verdict = 'fresh' and x.key is not null order by x.workspace_id, decode(x.key, 'hex')`}
  on conflict (workspace_id, digest) do update set
    fingerprint = excluded.fingerprint, resource_id = excluded.resource_id, created_at = excluded.created_at,
    answer = null, status = null
  where i.created_at < batch_now - ${sqlInterval(VALUE_KEPT_MS)}`;

/** Behind `takeKeys`. The call is rolled back as a whole; the next one finds the key that another process has used. */
export const UNLESS_OVERTAKEN =
  "if not found then raise exception 'overtaken' using errcode = 'serialization_failure'; end if;";
