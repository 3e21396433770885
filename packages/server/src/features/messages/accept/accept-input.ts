import { columns, type RowOf } from "../../../db/hot-function.ts";
import { CALLER_INPUT } from "../../audit/activity.sql.ts";
import { GIVEN_COLUMNS } from "../column-lists.ts";

/** What a request asks for, its ids generated beforehand. Callers leave out what is not there: a null costs as many bytes as any value. */
export const ACCEPT = columns({
  ...GIVEN_COLUMNS,
  /** `msg_…`, kept in the key row. */
  public_id: "text",
  /** Hex; none without a key. */
  key: "text?",
  fingerprint: "text?",
  /** Seconds; none where it is remembered as long as most. */
  key_kept: "int?",
  /** How the recipient was named: exactly one of phone (E.164), contact_id and user_id. */
  phone: "text?",
  /** Digits: the number's canonical form where it is another, and what it has in common with forms that evidence can join. */
  phone_key: "text?",
  phone_loose: "text?",
  contact_id: "uuid?",
  user_id: "text?",
  /** Used when the phone or user id is a stranger's; left out when it is known not to be. */
  new_contact_id: "uuid?",
  sender: "text",
  /** Of the template that is sent, or that is the fallback: the definition that the parameters were checked against. */
  template_revision: "int?",
  /** Of the same. */
  category: "text?",
  /**
   * The sender's portfolio where it has a messaging limit: then the recipient of a template is counted in it. Left out of what is
   * sent later, which is counted when it is sent.
   */
  portfolio: "text?",
  /** It is sent although another responder owns the conversation. */
  take: "boolean?",
  /** The request's own time: a batch may hold requests of different moments, and each keeps its `created_at`. */
  now: "timestamptz",
  ...CALLER_INPUT,
});
export type AcceptRow = RowOf<typeof ACCEPT>;
