import { lookUp } from "../../../db/hot-function.ts";
import { contactShown } from "../../identity/identifiers.sql.ts";

/**
 * What the body of an event is rendered from besides its own row. In these look-ups `x` is a row of the call, with its workspace and perhaps
 * the contact that is known of the event, and `e` the event.
 */

/** float8: milliseconds of a time. */
export const ms = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;

/** `yes`: the event's contact was erased. */
export const ERASED =
  "select true as yes from erased_contact c where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)";

/** `outbound` and `message`. */
export const MESSAGE =
  "select m.outbound, row_to_json(m) as message from message m where m.workspace_id = x.workspace_id and m.id = e.message_id";

/** All of them for many events, as parts of a `from` list: `z`, `m`, `f` and `s`. */
export const SOURCES = `${lookUp("z", ERASED)}
  ${lookUp("m", MESSAGE)}
  -- What happens to a message that was sent is reported without its contact.
  ${lookUp("f", contactShown("x.workspace_id", "e.contact_id", "m.outbound is not true"))}
  -- Of a merged record the surviving one is shown.
  ${lookUp("s", contactShown("x.workspace_id", "f.merged_into", "f.merged_into is not null"))}`;

/** json: the contact, from `SOURCES`. */
export const SOURCE_CONTACT = "coalesce(s.contact, f.contact)";
