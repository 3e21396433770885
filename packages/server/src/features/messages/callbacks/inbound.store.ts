import { columns, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { emitEventRows, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { consentsOf } from "../../identity/consent/consent.sql.ts";
import { findOrCreateSenders, RESET_SENDERS, SENDER_COLUMNS } from "../../identity/sender.sql.ts";
import { ownersOf } from "../../threads/owner.sql.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { insertReported } from "../column-lists.ts";
import {
  ADDRESSED,
  givenRows,
  INBOUND_MESSAGE,
  insertNames,
  insertReceivedStates,
  KNOWN,
  NAME,
  ownerSaid,
  RECEIVED_VALUES,
  receivedEvent,
  upsertWindows,
} from "./received.sql.ts";
import { CONVERSATION_OF_REPORTED, IS_COPY, IS_NEW, QUOTED, REPEATED } from "./reported-message.sql.ts";

/** One inbound message of a callback. */
export const INBOUND = columns({ kind: of<"message">("text"), ...INBOUND_MESSAGE, ...SENDER_COLUMNS });
export type InboundRow = RowOf<typeof INBOUND>;

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
  with given as materialized (${givenRows(recordset(KNOWN))}
    order by x.ordinality),
  all_known as materialized (
    select bool_and(prepared or not x.says_more) as yes from given x),
  named as (${insertNames(`select ${NAME} from all_known a join given x on a.yes
    order by x.workspace_id, x.provider_message_id, x.ordinality`)}
    returning workspace_id, provider_message_id, message_id),
  fresh as materialized (
    select x.*, nextval('conversation_sequence') as sequence,
      ${CONVERSATION_OF_REPORTED} as conversation, ${QUOTED} as quoted
    from given x where ${IS_NEW} order by x.ordinality),
  windows as (${upsertWindows(`select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
    from fresh x
    where not (${isOfGroup("x")})
    group by x.workspace_id, x.contact_id, x.phone_number_id
    order by x.workspace_id, x.contact_id, x.phone_number_id`)}),
  stored as (
    ${insertReported("from fresh x", RECEIVED_VALUES)}),
  states as (${insertReceivedStates("from fresh x")}),
  ${emitEventRows("fresh", receivedEvent(`case when has_copies and ${IS_COPY} then 'standby_messages' else 'messages' end`))}
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
    case when has_copies or (select bool_or(v.has_owner) from windows v) then ${ownersOf(SAYING_WHO_OWNS, ownerSaid("x.is_copy"))} else owner_signs end
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
