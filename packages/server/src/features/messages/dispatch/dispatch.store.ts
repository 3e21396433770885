import {
  type AnswerOf,
  changeLocked,
  columns,
  each,
  HAS_ONE_ROW,
  hotFunction,
  inSpan,
  lookUp,
  of,
  readOnlyRow,
  recordset,
} from "../../../db/hot-function.ts";
import { LANE_KINDS, STARTED } from "../../../lanes/lane-kinds.ts";
import { defineQueue, lockQueue } from "../../../lanes/queue.ts";
import { optedOut } from "../../identity/consent/consent.sql.ts";
import { wireForm } from "../../identity/identifiers.sql.ts";
import { JOINS_MORE, joinedConversations } from "../../identity/joined-conversations.sql.ts";
import type { Reach } from "../../identity/possible-duplicates.sql.ts";
import { countedMinute, minuteOf } from "../../limits/ledger.sql.ts";
import { hasLostMedia, lacksUploads, mediaAtNumber } from "../../media/media-of-sends.sql.ts";
import { isOthers } from "../../threads/owner.sql.ts";
import { EVIDENCE_BITS, REPORTS } from "../../threads/status.ts";
import { DISPATCH_WINDOW_MS, isOutsideWindow } from "../../threads/thread.sql.ts";
import { windowClosed } from "../message.sql.ts";
import { needsTarget, needsWindow } from "../types.ts";

export const dispatchQueue = defineQueue({
  kind: "dispatch",
  table: "dispatch",
  item: "message_id",
  key: "recipient",
  workspace: true,
  event: false,
  intents: true,
});

const INTENT = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  message_id: "uuid",
  attempt: "smallint",
  worker: "uuid",
  epoch: "int",
  state: "smallint",
  /** This attempt was asked for already, and whether it was begun is not known. */
  asked: "boolean",
  /** The row's key, and how many keys the lane knows to be one with it. */
  recipient: "bigint",
  joined: "int",
  /** The sender's portfolio where it has a messaging limit. */
  portfolio: "text?",
});

const BEGUN = columns({
  /**
   * `needs_media`: it names media that is not at the provider yet; `no_media`: one that is gone. No attempt was begun.
   * `go`: the attempt is ours and may be written. `settled`: it was to be sent once more after a lost answer, and by now it is
   * known what became of that. `joined`: rows of other keys are the same person's, and none was begun before
   * the lane knows. `uncounted`: it has a messaging limit, in which the person must be counted before. `window_closed`, `not_owned`, `opted_out`:
   * no attempt was begun; nor with `unreachable`: the number is another person's by
   * now, and no other is known; nor with `no_target`: the message to react to has no id at the provider; nor with `erased`: the contact was
   * erased. `unwritten`: an earlier call began the attempt, and by now the lane is not ours. `no`: not ours, or gone.
   */
  outcome: of<
    | "go"
    | "settled"
    | "joined"
    | "needs_media"
    | "no_media"
    | "uncounted"
    | "window_closed"
    | "not_owned"
    | "opted_out"
    | "unreachable"
    | "no_target"
    | "erased"
    | "unwritten"
    | "no"
  >("text"),
  /** With `joined`: all keys of the person. */
  keys: "text[]?",
  /** What is sent: the message, or its fallback. */
  type: "text",
  /** JSON text, as stored; only with `go`. */
  content: "text",
  /** Whether the fallback is sent; null without one. */
  fallback_used: "boolean?",
  /** True: an earlier answer was lost, and this attempt may send a second copy. */
  possible_duplicate: "boolean?",
  /** The number on the wire: the form that the provider last named, else as the request gave it. Null: `user_id` is used. */
  recipient: "text?",
  user_id: "text?",
  /**
   * An answer that names this teaches nothing: the contact's `wa_id` or, where there is none, the number written to if that is the
   * contact's. The provider repeats it whether or not the number has an account; the first status proves it.
   */
  known_number: "text?",
  reply_to_provider_id: "text?",
  /** The provider's ids of the media that it names, by uuid; null for what must be uploaded first. Null where it names none. */
  files: of<Readonly<Record<string, string | null>>>("json?"),
  /** The conversation is ours once the provider accepts this. */
  takes_thread: "boolean?",
});
export type IntentAnswer = AnswerOf<typeof BEGUN>;

const INTENTS = recordset(INTENT);

const REACH: Reach = { workspace: "x.workspace_id", phones: ["m.recipient", "c.phone", "c.wa_id"] };

// Of a row of `given`. `fell_back` is null without a fallback.
const FALLS_BACK = "(x.is_outside and x.fell_back is not null)";
/** A fallback is a template, which goes whatever the owner of the conversation. */
const IS_NOT_OWNED = `(x.is_others and not ${FALLS_BACK})`;
const IS_CLOSED = "(x.is_outside and x.fell_back is null)";
const IS_HELD_BACK = "(x.has_opted_out and (x.is_outside or x.fell_back is null))";
// `seen` is null unless the message is to be sent once more after a lost answer, and was tried.
const IS_SETTLED = `coalesce(x.seen & ${EVIDENCE_BITS} <> 0, false)`;
const HAS_NO_TARGET = `(x.quoted is null and not ${FALLS_BACK} and ${needsTarget("x.message_type")})`;

const HAS_LOST_MEDIA = hasLostMedia("x.media", "x.files");
const LACKS_UPLOADS = lacksUploads("x.media", "x.files");
const LACKS_MEDIA = `(${HAS_LOST_MEDIA} or ${LACKS_UPLOADS})`;

const NUMBER = wireForm("c", "x.workspace_id", "m.recipient");
const knownNumber = (number: string): string =>
  `coalesce(c.wa_id, case when c.is_named and ${number} = c.phone then substr(c.phone, 2) end)`;
const HAS_OPTED_OUT = `coalesce(coalesce(m.category, m.fallback_category) = 'marketing' and ${optedOut("c", REACH)}, false)`;
const TAKES_THREAD = `m.takes_thread and ${needsWindow("m.type")}`;
const OWNED_SLOT = `select s.owner from slot s
      where s.kind = ${LANE_KINDS.dispatch} and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch`;
const messageOf = (columns: string): string =>
  `select ${columns} from message m where m.workspace_id = x.workspace_id and m.id = x.message_id and ${inSpan("m.id")}`;
const CONVERSATION = `select v.last_inbound_at, v.owner_role, v.owner_since from conversation v
      where (m.type <> 'template' or x.portfolio is not null) and v.workspace_id = x.workspace_id and v.contact_id = c.id
        and v.phone_number_id = m.phone_number_id`;

/** Too late for a free-form message, by what is known of the person or because the provider has said so. */
const IS_OUTSIDE = `${needsWindow("m.type")} and (
        ${windowClosed(
          { lastInboundAt: "v.last_inbound_at", now: "now", contact: "c", phoneNumber: "m.phone_number_id" },
          REACH,
          DISPATCH_WINDOW_MS,
        )}
        or m.fallback is not null and x.attempt > 0 and was_refused_as_closed(x.workspace_id, x.message_id))`;

/**
 * boolean: whether the recipient of a row must be counted in the portfolio first. Nearly always they were when the message was
 * accepted; in a later minute they move forward, because the provider counts from when it is sent.
 */
const IS_UNCOUNTED = `case when x.portfolio is not null and case when m.type = 'template' then ${isOutsideWindow("v.last_inbound_at", "now")} else m.fallback is not null and ${IS_OUTSIDE} end
        then coalesce(${countedMinute("x.portfolio", "counted_person(x.workspace_id, c.id, m.phone_number_id)")} < ${minuteOf("now")}, true)
        else false end`;

/** The queue row of `x`, a row of the call, by its key. */
export const queueRow = (x: string): string =>
  `d.slot = ${x}.slot and d.seq = ${x}.seq and d.workspace_id = ${x}.workspace_id`;

/** What the short way reads of a message and of its contact. */
const MESSAGE_OF_ONE = `m.type, m.content, m.fallback, m.fallback_category, m.category, m.reply_to, m.recipient, m.contact_id,
    m.phone_number_id, m.takes_thread, m.media`;
const CONTACT_OF_ONE =
  "c.id, c.phone, c.wa_id, c.refused_form, c.user_id, c.is_named, c.has_merged, c.merged_into, c.marketing_consent";

/** Bytes of one intent: rows that are more are not counted. */
const LONGEST_INTENT = 1_000;

/**
 * The short way of a row that is alone in its call, as most are: the first attempt of a message without fallback and quotation, to a
 * person of whom one record is known, with a number. Each fact is read by a statement of its own, and only where the row needs it. What
 * is anything else, or may not go, is left before anything is changed.
 */
const BEGIN_ONE = `
<<alone>>
begin
  exit alone when again or pg_column_size(rows) > ${LONGEST_INTENT} or not (${HAS_ONE_ROW});
  ${readOnlyRow(INTENT)}
  exit alone when x.asked or x.attempt > 0;
  perform ${OWNED_SLOT.replace("select ", "")};
  exit alone when not found;
  ${messageOf(MESSAGE_OF_ONE)} into m;
  exit alone when not found or m.fallback is not null or m.reply_to is not null or m.media is not null or ${needsTarget("m.type")};
  select ${CONTACT_OF_ONE} into c from contact c where c.workspace_id = x.workspace_id and c.id = m.contact_id;
  exit alone when not found or c.merged_into is not null or c.has_merged;
  recipient := ${NUMBER};
  exit alone when recipient is null;
  if m.category = 'marketing' then
    exit alone when ${HAS_OPTED_OUT};
  end if;
  if ${needsWindow("m.type")} or x.portfolio is not null then
    ${CONVERSATION} into v;
    if ${needsWindow("m.type")} then
      exit alone when ${isOutsideWindow("v.last_inbound_at", "now", DISPATCH_WINDOW_MS)} or v.owner_role = 'other';
    end if;
    if x.portfolio is not null then
      exit alone when ${IS_UNCOUNTED};
    end if;
  end if;
  update dispatch d set attempt = d.attempt + 1, state = ${STARTED}, worker = x.worker, started_at = now
  where ${queueRow("x")} and d.attempt = x.attempt and d.state = x.state;
  exit alone when not found;
  outcome := 'go';
  type := m.type;
  content := m.content::text;
  user_id := c.user_id;
  known_number := ${knownNumber("recipient")};
  takes_thread := case when ${TAKES_THREAD} then true end;
  return next;
  return;
end;`;

/**
 * Begins attempts: the only thing that allows a send. A compare-and-set of `attempt` under the slot's epoch, committed
 * before the first byte leaves, so at most one attempt (message, n) ever exists, whatever leases and clocks do. It changes
 * no indexed column. The answer holds the message too: one round trip a batch of sends.
 */
export const beginSends = hotFunction({
  name: "begin_sends",
  input: INTENT,
  answers: BEGUN,
  span: ({ message_id }) => [message_id],
  declare: `
  x record;
  m record;
  c record;
  v record;`,
  body: `
${lockQueue("dispatch")}
${BEGIN_ONE}
return query
  with given as materialized (
    select x.*, m.type as message_type, m.content as message_content, m.fallback as message_fallback, p.phone,
      case when m.fallback is not null then lock_fallback_used(x.workspace_id, x.message_id) end as fell_back,
      case when m.resend_once and x.attempt > 0 then lock_seen(x.workspace_id, x.message_id) end as seen,
      case when p.phone is null then user_id_for(x.workspace_id, c.id, m.phone_number_id) else c.user_id end as user_id,
      ${knownNumber("p.phone")} as known_number,
      m.media, case when m.media is not null then ${mediaAtNumber({ workspace: "x.workspace_id", ids: "m.media", phoneNumber: "m.phone_number_id", now: "now" })} end as files,
      g.keys, ${JOINS_MORE} as joins_more,
      case when m.reply_to is not null then quoted_provider_id(x.workspace_id, m.reply_to) end as quoted, s.owner is not null and m.type is not null as is_ours,
      -- A contact goes in no other way.
      c.id is null as is_erased,
      ${IS_OUTSIDE} as is_outside,
      ${HAS_OPTED_OUT} as has_opted_out,
      ${IS_UNCOUNTED} as is_uncounted, ${TAKES_THREAD} as takes_thread,
      case when v.owner_role = 'other' and m.takes_thread is not true and ${needsWindow("m.type")} then ${isOthers("v", "now")} else false end as is_others
    from ${INTENTS}
    ${lookUp("s", OWNED_SLOT)}
    ${lookUp("m", messageOf("m.*"))}
    ${lookUp("o", "select coalesce(o.merged_into, o.id) as id from contact o where o.workspace_id = x.workspace_id and o.id = m.contact_id")}
    ${lookUp("c", "select c.* from contact c where c.workspace_id = x.workspace_id and c.id = o.id")}
    ${each("p", `select ${NUMBER} as phone`)}
    ${joinedConversations("c.has_merged", "x.recipient")}
    ${lookUp("v", CONVERSATION)}),
  -- Only one transaction changes a row at a time: what is found here is what is changed.
  found as materialized (
    select d.*, x.ordinality, x.worker as new_worker from given x
    ${each(
      "d",
      `
      select d.* from dispatch d
      where x.is_ours and not x.is_erased and not ${IS_SETTLED} and not ${IS_CLOSED} and not ${IS_NOT_OWNED} and not ${IS_HELD_BACK} and not x.joins_more and coalesce(x.phone, x.user_id) is not null and not ${HAS_NO_TARGET} and not ${LACKS_MEDIA} and not x.is_uncounted and ${queueRow("x")} and d.attempt = x.attempt and d.state = x.state
      for no key update`,
    )}),
  begun as (
    insert into dispatch (slot, lane, due, seq, workspace_id, message_id, recipient, expires_at, attempt, state, worker,
      started_at) overriding system value
    select d.slot, d.lane, d.due, d.seq, d.workspace_id, d.message_id, d.recipient, d.expires_at, d.attempt + 1,
      ${STARTED}, d.new_worker, now
    from found d order by d.ordinality
    ${changeLocked("slot, seq, workspace_id", ["attempt", "state", "worker", "started_at"])}),
  judged as materialized (
    select x.*, case when not x.is_ours then case when e.is_begun then 'unwritten' else 'no' end when e.is_begun then 'go' when ${IS_SETTLED} then 'settled' when x.is_erased then 'erased' when x.joins_more then 'joined'
      when ${IS_CLOSED} then 'window_closed' when ${IS_NOT_OWNED} then 'not_owned' when ${IS_HELD_BACK} then 'opted_out' when coalesce(x.phone, x.user_id) is null then 'unreachable'
      when ${HAS_NO_TARGET} then 'no_target' when ${HAS_LOST_MEDIA} then 'no_media' when ${LACKS_UPLOADS} then 'needs_media' when x.is_uncounted then 'uncounted'
      when x.ordinality = any((select array_agg(d.ordinality) from found d)::bigint[]) then 'go' else 'no' end as verdict
    from given x
    -- An earlier call may have committed: the attempt that it began is this worker's, and unsent.
    ${lookUp(
      "e",
      `
      select true as is_begun from dispatch d
      where (again or x.asked) and ${queueRow("x")} and d.attempt = x.attempt + 1 and d.state = ${STARTED}
        and d.worker = x.worker`,
    )})
  select x.verdict, case when x.verdict = 'joined' then x.keys::text[] end,
    case when ${FALLS_BACK} then 'template' else x.message_type end,
    case when x.verdict = 'go' then case when ${FALLS_BACK} then x.message_fallback else x.message_content end::text end,
    -- An earlier attempt may have sent the other.
    case when x.verdict = 'go' and x.fell_back <> x.is_outside
      then set_fallback_used(x.workspace_id, x.message_id, x.is_outside) else x.fell_back end,
    case when x.verdict = 'go' and x.seen & ${REPORTS.unknown.bit} <> 0
      then set_possible_duplicate(x.workspace_id, x.message_id) end,
    x.phone, x.user_id, x.known_number, case when not ${FALLS_BACK} or not ${needsTarget("x.message_type")} then x.quoted end, x.files,
    case when x.takes_thread and x.verdict = 'go' and not ${FALLS_BACK} then true end
  from judged x
  order by x.ordinality;`,
});
