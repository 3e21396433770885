import { type AnswerOf, columns, hotFunction, inSpan, lookUp, of, recordset } from "../../../db/hot-function.ts";
import type { JsonRow } from "../../events/event-groups.ts";
import { contactShown } from "../../identity/identifiers.sql.ts";
import { ERASED, MESSAGE, ms } from "../deliver/event-source.sql.ts";

const EVENT = columns({ workspace_id: "uuid", id: "uuid" });

/** Rows as JSON have the columns of their tables; times in milliseconds. */
const PART = columns({
  /** Null where the event is gone. */
  kind: "text?",
  occurred_at: "float8?",
  state: of<JsonRow>("json?"),
  message_id: "uuid?",
  callback_id: "uuid?",
  message: of<JsonRow>("json?"),
  contact: of<JsonRow>("json?"),
  is_erased: "boolean",
  /** Of the number of the message, or of what else happened between it and a person. */
  provider_phone_number_id: "text?",
  phone: "text?",
  provider_account_id: "text?",
  /** The public id of the message where it was sent from here, else of the one that it names; null where it is the provider's. */
  minted_id: "text?",
});
export type PartAnswer = AnswerOf<typeof PART>;

/** uuid: the number of an event about a person, but of no message. Other events have other things under this name. */
const NUMBER_OF_EVENT = `case when e.kind in ('call', 'opted_out', 'opted_in') then (e.state->>'phone_number_id')::uuid
      when e.kind in ('thread_taken', 'thread_released') then e.resource_id end`;

/**
 * uuid: the message of the event `m` where it was sent from here, which has no time of the provider's; else the one that it names, which
 * may have come after it.
 */
const OF_PUBLIC_ID = `case when m.message->>'occurred_at' is null then e.message_id
      else coalesce((m.message->>'reply_to')::uuid, message_of_provider_id(x.workspace_id, coalesce(
        m.message->'content'->>'message_id', m.message->'content'->>'original_message_id', m.message->'provided'->'context'->>'id'))) end`;

/** What the provider's envelope of an event is cut or written from, but for the callback. */
export const loadParts = hotFunction({
  name: "load_parts",
  writes: false,
  input: EVENT,
  answers: PART,
  span: ({ id }) => [id],
  body: `
return query select e.kind, ${ms("e.occurred_at")}, e.state, e.message_id, e.callback_id, m.message, coalesce(s.contact, f.contact),
    z.yes is not null, n.provider_phone_number_id, n.phone, b.provider_account_id, i.minted_id
  from (select x.*, null::uuid as contact_id from ${recordset(EVENT)}) x
  left join lateral (
    select v.kind, v.contact_id, v.message_id, v.resource_id, v.occurred_at, v.state, v.callback_id from event v
    where v.workspace_id = x.workspace_id and v.id = x.id and ${inSpan("v.id")} offset 0) e on true
  ${lookUp("z", ERASED)}
  ${lookUp("m", MESSAGE)}
  ${lookUp("f", contactShown("x.workspace_id", "e.contact_id"))}
  ${lookUp("s", contactShown("x.workspace_id", "f.merged_into", "f.merged_into is not null"))}
  ${lookUp(
    "n",
    `select n.provider_phone_number_id, n.phone, n.business_account_id from phone_number n
    where n.workspace_id = x.workspace_id and n.id = coalesce((m.message->>'phone_number_id')::uuid, ${NUMBER_OF_EVENT})`,
  )}
  ${lookUp("b", "select b.provider_account_id from business_account b where b.workspace_id = x.workspace_id and b.id = n.business_account_id")}
  ${lookUp(
    "i",
    `select i.minted_id from message_state i
    where m.message is not null and i.workspace_id = x.workspace_id and i.id = ${OF_PUBLIC_ID}`,
  )}
  order by x.ordinality;`,
});
