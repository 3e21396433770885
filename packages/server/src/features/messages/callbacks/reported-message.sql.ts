import { columns, of } from "../../../db/hot-function.ts";
import type { ArrivingFile } from "../../media/arriving.sql.ts";
import type { Provided } from "../reported-schema.ts";

// A message that the provider reports, of a person or from another app of the business: parts of the statements that take it. They are of its row `x`.

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
  /** The files in its content, whose ids there are those of their media; none where it has none. */
  files: of<readonly ArrivingFile[]>("json?"),
});

/** Of a row `x`: its number and its person; or its group, which is no conversation of the person's. */
export const CONVERSATION_OF_REPORTED =
  "hashtextextended(x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0)";

/** Of a row `x`: no earlier call, and no row before it, had the provider's id of its message. */
export const IS_NEW = "x.id = any((select array_agg(k.message_id) from named k)::uuid[])";

/** Rows that no person is learned from: an earlier call had the provider's id of the message. */
export const REPEATED = `exists (
    select from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id)`;

const quotedOr = (ofThisCall: string): string => `case when x.reply_to_provider_id is not null then coalesce(
        message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
        ${ofThisCall}) end`;

/** uuid: the message that a row `x` names, of an earlier call or of a row of this one. */
export const QUOTED = quotedOr(`(select k.message_id from named k
         where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id)`);
/** The same of a row that is alone in its call, before its own id is known. */
export const QUOTED_ALONE = quotedOr("case when x.reply_to_provider_id = x.provider_message_id then x.id end");

/** boolean: whether a row `x` is a copy of a message whose conversation another responder owns. */
export const IS_COPY = "coalesce(x.provided ->> 'handled_by' = 'other', false)";
