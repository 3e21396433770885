import { columns, type RowOf } from "../../../db/hot-function.ts";
import { CALLER_INPUT } from "../../audit/activity.sql.ts";

/** What a request asks for, its ids generated beforehand. Callers leave out what is not there: a null costs as many bytes as any value. */
export const ACCEPT = columns({
  workspace_id: "uuid",
  id: "uuid",
  /** `msg_…`, kept in the key row. */
  public_id: "text",
  /** Hex; none without a key. */
  key: "text?",
  fingerprint: "text?",
  /** How the recipient was named: exactly one of phone (E.164), contact_id and user_id. */
  phone: "text?",
  /** Digits: the number's canonical form where it is another, and what it has in common with forms that evidence can join. */
  phone_key: "text?",
  phone_loose: "text?",
  contact_id: "uuid?",
  user_id: "text?",
  /** Used when the phone or user id is a stranger's; left out when it is known not to be. */
  new_contact_id: "uuid?",
  phone_number_id: "uuid",
  sender: "text",
  type: "text",
  content: "json",
  /** The template's content that goes instead while the window is closed. The next three are of this template then. */
  fallback: "json?",
  template_id: "uuid?",
  /** The definition that the parameters were checked against. */
  template_revision: "int?",
  category: "text?",
  /**
   * The sender's portfolio where it has a messaging limit: then the recipient of a template is counted in it. Left out of what is
   * sent later, which is counted when it is sent.
   */
  portfolio: "text?",
  reply_to: "uuid?",
  reference: "text?",
  send_at: "timestamptz?",
  expires_at: "timestamptz?",
  resend_once: "boolean",
  /** It is sent although another responder owns the conversation. */
  take: "boolean?",
  /** As it is known when the request comes; part of the first answer. */
  estimated_dispatch_at: "timestamptz?",
  /** The request's own time: a batch may hold requests of different moments, and each keeps its `created_at`. */
  now: "timestamptz",
  ...CALLER_INPUT,
});
export type AcceptRow = RowOf<typeof ACCEPT>;
