import { columns, lookUp, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { emitEventRows, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { consentsOf } from "../../identity/consent/consent.sql.ts";
import type { DefaultConsent } from "../../identity/consent/keywords.ts";
import {
  findOrCreateSenders,
  KNOWN_SENDER_COLUMNS,
  RESET_SENDERS,
  SENDER_COLUMNS,
  SENDER_CONTACT,
  saysMore,
} from "../../identity/sender.sql.ts";
import { ownersOf } from "../../threads/owner.sql.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { insertReported } from "../column-lists.ts";
import type { Provided } from "../reported-schema.ts";

/** A message of a person, or to one, as the provider reports it. */
export const REPORTED_MESSAGE = columns({
  workspace_id: "uuid",
  id: "uuid",
  phone_number_id: "uuid",
  provider_message_id: "text",
  new_contact_id: "uuid",
  type: "text",
  content: "json",
  reply_to_provider_id: "text?",
  /** The provider's time. */
  at: "timestamptz",
  /** What the provider said beside the content; none where it said nothing more. */
  provided: of<Provided>("json?"),
});

const MESSAGE = columns({
  ...REPORTED_MESSAGE,
  opens_window: "boolean",
  /** What it says, folded, a line for each text, where it is so short that it may be a keyword; and what that means where the defaults apply. */
  words: "text?",
  default_consent: of<DefaultConsent>("text?"),
});

/** One inbound message of a callback. */
export const INBOUND = columns({ kind: of<"message">("text"), ...MESSAGE, ...SENDER_COLUMNS });
export type InboundRow = RowOf<typeof INBOUND>;

const KNOWN = recordset(columns({ ...MESSAGE, ...KNOWN_SENDER_COLUMNS }));

/** The contact that the quoted message was exchanged with: only that person can quote it, except in a group. */
const ADDRESSED = `case when x.reply_to_provider_id is not null and not (${isOfGroup("x")}) then
      contact_of_message(x.workspace_id, message_of_provider_id(x.workspace_id, x.reply_to_provider_id)) end`;

/** Of a row `x`: its number and its person; or its group, which is no conversation of the person's. */
export const CONVERSATION_OF_REPORTED =
  "hashtextextended(x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0)";

const WORDS = "string_to_array(x.words, e'\\n')";

/**
 * What the message says of marketing, by the keywords of its workspace `w`: in both lists it is an opt-out. Keywords that the
 * workspace chose opt in; the defaults only end an opt-out (`resumed`).
 */
const CONSENT = `case
      when x.words is null then null
      when case when w.opt_out_words is null then x.default_consent = 'opted_out' else w.opt_out_words && ${WORDS} end
        then 'opted_out'
      when w.opt_in_words is null then nullif(x.default_consent, 'opted_out')
      when x.type <> 'interactive' and w.opt_in_words && ${WORDS} then 'opted_in' end`;

/** Of a row `x`: no earlier call, and no row before it, had the provider's id of its message. */
export const IS_NEW = "x.id = any((select array_agg(k.message_id) from named k)::uuid[])";

/** uuid: the message that a row `x` names, of an earlier call or of a row of this one. */
export const QUOTED = `case when x.reply_to_provider_id is not null then coalesce(
        message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
        (select k.message_id from named k
         where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id)) end`;

/** Rows that no person is learned from: an earlier call had the provider's id of the message. */
export const REPEATED = `exists (
    select from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id)`;

/** boolean: whether a row `x` is a copy of a message whose conversation another responder owns. */
export const IS_COPY = "coalesce(x.provided ->> 'handled_by' = 'other', false)";

/** Rows of `fresh` that say who owns their conversation, but for those between two of a conversation that say the same. */
const SAYING_WHO_OWNS = `(
      select x.*, x.is_copy = lag(x.is_copy) over w and x.is_copy = lead(x.is_copy) over w as says_nothing_new
      from (select x.*, ${IS_COPY} as is_copy from fresh x where x.opens_window and not (${isOfGroup("x")})) x
      window w as (partition by x.workspace_id, x.contact_id, x.phone_number_id order by x.ordinality)) x
      where x.says_nothing_new is not true`;

/** With `REPORT_VARIABLES`, `SENDER_VARIABLES`, `CONSENT_VARIABLES`, `OWNER_VARIABLES`, `r record`, and `has_copies`: whether some row is a copy. */
export const RECEIVE_VARIABLES = `
  prepared boolean;
  complete boolean;`;

/**
 * Takes inbound messages (`InboundRow`) in order of arrival, with their windows; a repeated provider id writes nothing. One
 * statement when every person is known: it writes nothing when one is not, and is repeated when they are. A statement whose
 * parts do not see each other's writes is safe here: rows are new but for conversations, and none of those is named twice.
 * Outcomes: `received` or `repeated`.
 */
export const RECEIVE_MESSAGES = `
prepared := false;
${RESET_SENDERS}
loop
  -- Each column that passes through the parts of a statement costs something.
  with given as materialized (
    select x.workspace_id, x.id, x.phone_number_id, x.provider_message_id, x.type, x.content, x.reply_to_provider_id,
      x.opens_window, x.at, x.provided, x.phone, x.ordinality, p.id as contact_id, ${saysMore(ADDRESSED)} as says_more,
      n.phone as number_phone, ${CONSENT} as consent
    from ${KNOWN}
    ${SENDER_CONTACT}
    ${lookUp("n", "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
    ${lookUp("w", "select w.opt_out_words, w.opt_in_words from workspace w where x.words is not null and w.workspace_id = x.workspace_id")}
    order by x.ordinality),
  all_known as materialized (
    select bool_and(prepared or not x.says_more) as yes from given x),
  named as (
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
    select x.workspace_id, x.provider_message_id, x.id, now, true from all_known a join given x on a.yes
    order by x.workspace_id, x.provider_message_id, x.ordinality
    on conflict do nothing
    returning workspace_id, provider_message_id, message_id),
  fresh as materialized (
    select x.*, nextval('conversation_sequence') as sequence,
      ${CONVERSATION_OF_REPORTED} as conversation, ${QUOTED} as quoted
    from given x where ${IS_NEW} order by x.ordinality),
  windows as (
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
    select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
    from fresh x
    where not (${isOfGroup("x")})
    group by x.workspace_id, x.contact_id, x.phone_number_id
    order by x.workspace_id, x.contact_id, x.phone_number_id
    on conflict (workspace_id, contact_id, phone_number_id) do update set
      last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at), last_message_at = excluded.last_message_at
    returning v.owner_role is not null as has_owner),
  stored as (
    ${insertReported("fresh", {
      outbound: "false",
      recipient: "x.number_phone",
      sender: "x.phone",
      created_at: "now",
    })}),
  states as (
    insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
    select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id from fresh x),
  ${emitEventRows("fresh", {
    workspace: "x.workspace_id",
    kind: `case when has_copies and ${IS_COPY} then 'standby_messages' else 'messages' end`,
    message: "x.id",
    contact: "x.contact_id",
    occurredAt: "x.at",
    state: "json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id)",
    conversation: "x.conversation",
  })}
  select (select a.yes from all_known a),
    array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
    array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
    slots_filled | ${SLOTS_OF_EVENTS}, ${consentsOf("fresh x where x.consent is not null", {
      contact: "x.contact_id",
      consent: "x.consent",
      source: "'keyword'",
      at: "x.at",
      proof: "x.id",
      conversation: "x.conversation",
      isFound: true,
    })},
    case when has_copies or (select bool_or(v.has_owner) from windows v) then ${ownersOf(SAYING_WHO_OWNS, {
      workspace: "x.workspace_id",
      contact: "x.contact_id",
      phoneNumber: "x.phone_number_id",
      role: "case when x.is_copy then 'other' else 'self' end",
      at: "x.at",
      // Of most numbers this app is the only responder, and no row asks who owns their conversations.
      isPlain: "not x.is_copy",
    })} else owner_signs end
  into complete, verdicts, messages, sent_twices, slots_filled, consents, owner_signs
  from (select x.id, x.ordinality, ${IS_NEW} as is_new from given x) x;
  exit when complete;
${findOrCreateSenders({
  input: recordset(INBOUND),
  source: "'inbound_message'",
  message: "x.id",
  addressed: ADDRESSED,
  except: REPEATED,
})}
  prepared := true;
end loop;`;
