import type { Message, MessageError } from "./api.gen.ts";

type Envelope<Category extends string, Kind extends string, Data> = {
  id: string;
  kind: Kind;
  category: Category;
  workspace_id: string;
  /** RFC 3339. */
  created_at: string;
  data: Data;
};

/** An inbound message: text, media, a button, or a type that this version does not know (`type: "unsupported"`). */
export type InboundMessageEvent = Envelope<
  "inbound_message",
  "messages",
  { message: Message; contact: { id: string; [field: string]: unknown } }
>;

/** A message that was sent has changed its status. `message` is its state at that commit, `status` the reported one. */
export type MessageStatusEvent = Envelope<
  "message_status",
  | "accepted"
  | "sent"
  | "delivered"
  | "read"
  | "played"
  | "failed"
  | "unknown"
  | "canceled"
  | "expired"
  | "message_deleted"
  | "warning",
  { message: Message; status: string; occurred_at: string; error: MessageError | null }
>;

/** Templates, accounts, contacts and the endpoint itself; `kind` names the event. */
export type OtherEvent = Envelope<
  "template_status" | "template" | "account" | "contact" | "operational",
  string,
  Record<string, unknown>
>;

/** The body of a delivery; `category` distinguishes the three shapes. The same `id` may be delivered more than once. */
export type WebhookEvent = InboundMessageEvent | MessageStatusEvent | OtherEvent;
