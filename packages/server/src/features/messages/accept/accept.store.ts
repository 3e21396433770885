import { type AnswerOf, columns, each, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { slotOfLane } from "../../../lanes/lane-kinds.ts";
import type { HandedRow } from "../../../lanes/queue.ts";
import { emitEventRows, SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { insertFirstIdentifiers, insertPhoneForm, scopeOf } from "../../identity/identifiers.sql.ts";
import { roomAt } from "../../limits/ledger.sql.ts";
import { MEDIA_USE_VARIABLES, noteMediaUse } from "../../media/media-of-sends.sql.ts";
import { ACCEPT } from "./accept-input.ts";
import { ONE_VARIABLES, TAKE_ONE } from "./alone.sql.ts";
import {
  CONVERSATION_KEY,
  insertAudits,
  insertMessages,
  insertQueueRows,
  insertStates,
  SENT_TO,
  takeKeys,
  UNLESS_OVERTAKEN,
  upsertConversations,
} from "./effects.sql.ts";
import { FIND_QUOTES } from "./quotes.sql.ts";
import { countAccepted, findRoom, ROOM_VARIABLES } from "./room.sql.ts";
import {
  CONVERSATION,
  FACTS,
  FACTS_OF_STRANGER,
  fitsWindow,
  IS_HELD_BACK,
  IS_OUT_OF_REACH,
  LACKS_MEDIA,
  QUOTE_FITS,
  RECIPIENT,
  SENDER,
  SENDER_FITS,
  TEMPLATE_FITS,
  VERDICT,
} from "./verdict.sql.ts";

const ACCEPTED = columns({
  /** `stranger`: a contact that the caller took for known is gone. What is neither accepted nor about a key is a refusal. */
  outcome: of<
    | "accepted"
    | "replay"
    | "reused"
    | "expired_key"
    | "stale_template"
    | "stranger"
    | "sender_unavailable"
    | "template_not_found"
    | "template_not_approved"
    | "reference_not_found"
    | "reference_not_found_reply_to"
    | "recipient_opted_out"
    | "out_of_reach"
    | "window_closed"
    | "thread_not_owned"
    | "messaging_limit_reached"
    | "media_not_found"
  >("text"),
  /** For replay, reused and expired_key: the first request's resource (public id). */
  resource: "text?",
  contact_id: "uuid?",
  recipient: "text?",
  sequence: "bigint?",
  slot: "smallint?",
  /** For messaging_limit_reached: when a person leaves the window that is counted. */
  room_at: "timestamptz?",
  slots_mask: "text",
  /** Its place in the queue, where it was alone in the call and took the short way. */
  queued: of<Pick<HandedRow, "slot" | "lane" | "seq" | "key"> | null>("json?"),
});
export type AcceptAnswer = AnswerOf<typeof ACCEPTED>;

const INPUT = recordset(ACCEPT);

// Each column that passes through the parts of a statement costs something: these end with the part that reads them.
const FOR_VERDICT = [
  "key_kept",
  "phone",
  "phone_key",
  "phone_loose",
  "contact_id",
  "user_id",
  "new_contact_id",
  "template_revision",
] as const satisfies readonly (keyof typeof ACCEPT)[];
const FOR_KEY = ["key", "fingerprint"] as const satisfies readonly (keyof typeof ACCEPT)[];

const columnsOf = (alias: string, without: readonly string[]): string =>
  [...Object.keys(ACCEPT), "ordinality"]
    .filter((column) => !without.includes(column))
    .map((column) => `${alias}.${column}`)
    .join(", ");

// Reading a row costs by the column, most of all its content: strangers are found and created by these.
const OF_STRANGER = [
  "workspace_id",
  "id",
  "key",
  "key_kept",
  "phone",
  "phone_key",
  "phone_loose",
  "contact_id",
  "user_id",
  "new_contact_id",
  "phone_number_id",
  "type",
  "fallback",
  "template_id",
  "template_revision",
  "category",
  "media",
  "reply_to",
] as const satisfies readonly (keyof typeof ACCEPT)[];
const STRANGER = Object.fromEntries(OF_STRANGER.map((column) => [column, ACCEPT[column]]));

const NEW_PERSON = {
  ...RECIPIENT,
  scope: "x.scope",
  contact: "x.new_contact_id",
  source: "'message'",
  at: "batch_now",
};

/**
 * Accepts messages: unknown recipients first, then rules again in SQL (what a cache said may be old), keys, and the effects
 * in order of arrival, so that `seq` and `sequence` follow it. Contacts, keys and conversations are written in sorted order,
 * so that two batches never wait for each other in a circle.
 *
 * The effects are one statement over the whole batch and no loop: into partitioned tables a statement's start costs more
 * than its row. The input is parsed once, by the statement that decides. A statement whose parts do not see each other's
 * writes is safe here: every row is new but for keys and conversations, and none of those is named twice.
 */
export const acceptMessages = hotFunction({
  name: "accept_messages",
  input: ACCEPT,
  answers: ACCEPTED,
  declare: `
  -- now inside a query is the row's own.
  batch_now timestamptz := now;
  rows_text text := rows::text;
  ${SLOTS_FILLED}${ROOM_VARIABLES}${ONE_VARIABLES}${MEDIA_USE_VARIABLES}
  losers uuid[];
  rows_with_quote uuid[];
  stored_id uuid[];
  stored_contact uuid[];
  stored_recipient text[];
  stored_sequence bigint[];`,
  body: `
${FIND_QUOTES}

${findRoom(INPUT)}

${TAKE_ONE}
if not is_taken then

-- Most recipients are known, and the caller remembers them.
if position('"new_contact_id"' in rows_text) > 0 then
  with candidates as materialized (
    select x.* from ${recordset(STRANGER)} where x.new_contact_id is not null),
  new_contacts as (
    insert into contact (workspace_id, id, phone, user_id, parent_user_id, created_at, updated_at, is_named)
    select distinct on (x.workspace_id, coalesce(x.phone_key, substr(x.phone, 2)), x.user_id)
      x.workspace_id, x.new_contact_id, x.phone, case when x.user_id not like '__.ENT.%' then x.user_id end,
      case when x.user_id like '__.ENT.%' then x.user_id end, batch_now, batch_now, true
    from candidates x
  ${FACTS_OF_STRANGER}
    where x.contact_id is null and k.resource_id is null
      and ${SENDER_FITS}
      and ${TEMPLATE_FITS}
      and ${QUOTE_FITS}
      and c.id is null
      and not coalesce(${IS_HELD_BACK}, false)
      and ${fitsWindow("null::timestamptz")}
      and not ${IS_OUT_OF_REACH}
      and not ${LACKS_MEDIA}
      and x.id <> all(beyond)
    order by x.workspace_id, coalesce(x.phone_key, substr(x.phone, 2)), x.user_id, x.ordinality
    on conflict do nothing
    returning id),
  strangers as materialized (
    select x.*, ${scopeOf("a")} as scope from candidates x
    ${SENDER}
    where x.new_contact_id = any(array(select s.id from new_contacts s))),
  first as (${insertFirstIdentifiers("strangers x", NEW_PERSON)}),
  winners as materialized (
    select x.* from strangers x where x.new_contact_id = any(array(select s.contact_id from first s))),
  forms as (${insertPhoneForm("winners x", NEW_PERSON)}),
  ${emitEventRows(
    "winners",
    {
      workspace: "x.workspace_id",
      kind: "'contact_created'",
      contact: "x.new_contact_id",
      occurredAt: "batch_now",
      state: "json_build_object('source', 'message')",
      conversation: "hashtextextended(x.phone_number_id::text || x.new_contact_id::text, 0)",
    },
    "batch_now",
  )}
  select ${SLOTS_OF_EVENTS}, array(select s.id from new_contacts s except select w.new_contact_id from winners w)
  into slots_filled, losers;
  -- Another call created these people at the same moment, perhaps under another form of their number.
  if losers <> '{}' then
    delete from contact c using ${INPUT}
    where x.new_contact_id = any(losers) and c.workspace_id = x.workspace_id and c.id = x.new_contact_id;
  end if;
end if;

if again then
  -- What an earlier call with these rows committed although its answer was lost is their answer.
  select array_agg(m.id), array_agg(m.contact_id), array_agg(m.recipient), array_agg(m.sequence)
  into stored_id, stored_contact, stored_recipient, stored_sequence
  from ${INPUT}
  ${each(
    "m",
    `
    select m.id, m.contact_id, m.recipient, m.sequence from message m
    where m.workspace_id = x.workspace_id and m.id = x.id`,
  )};
end if;

return query with
decided as materialized (
  select ${columnsOf("x", FOR_VERDICT)}, k.resource_id as first_resource,
    ${VERDICT} as verdict,
    n.lane, ${slotOfLane("n.lane")} as slot, v.last_message_at, m.sequence as stored_sequence,
    coalesce(m.contact_id, c.id) as contact, coalesce(m.recipient, ${SENT_TO}) as recipient,
    ${CONVERSATION_KEY} as conversation
  from ${INPUT}
  ${FACTS}
  ${CONVERSATION}
  left join unnest(stored_id, stored_contact, stored_recipient, stored_sequence)
    as m(id, contact_id, recipient, sequence) on m.id = x.id
  order by x.ordinality),
keys as (${takeKeys("decided")}
  returning 1),
-- False when another process used one of the keys after it was looked up above, and committed before it was taken here.
all_keys as materialized (
  select (select count(*) from keys)
    = (select count(*) from decided d where d.verdict = 'fresh' and d.key is not null) as taken),
-- Sorted once more, so that all numbers are drawn at once, in microseconds, and not one by one as rows are written: they lie
-- together, and however long the writing takes, a reader of new rows cannot pass half of the batch by.
fresh as materialized (
  select n.* from (
    select ${columnsOf("d", [...FOR_VERDICT, ...FOR_KEY])}, d.slot, d.lane, d.last_message_at, d.contact, d.recipient,
      d.conversation, nextval('conversation_sequence') as sequence, nextval('dispatch_seq_seq') as seq
    from all_keys join decided d on d.verdict = 'fresh'
    where all_keys.taken offset 0
  ) n order by n.ordinality),
messages as (${insertMessages("fresh")}),
states as (${insertStates("fresh")}),
audited as (${insertAudits("fresh")}),
queued as (${insertQueueRows("fresh")}),
conversations as (${upsertConversations("fresh")})
select a.outcome, a.resource, a.contact, a.recipient, a.sequence, a.slot,
  case when a.outcome = 'messaging_limit_reached' then ${roomAt("a.portfolio")} end, ${SLOTS_MASK}, null::json
from (
  select f.ordinality, 'accepted' as outcome, null as resource, f.contact, f.recipient, f.sequence, f.slot, f.portfolio
  from fresh f
  union all
  select d.ordinality, case d.verdict when 'stored' then 'accepted' else d.verdict end, d.first_resource, d.contact,
    d.recipient, d.stored_sequence, d.slot, d.portfolio
  from decided d where d.verdict <> 'fresh'
) a
join all_keys on all_keys.taken
order by a.ordinality;

${UNLESS_OVERTAKEN}
${noteMediaUse("rows_text")}
end if;

${countAccepted(INPUT)}`,
});
