import { TEMPLATE_STATUSES } from "../../../provider/provider.ts";

/** What an event is about; decides how its `data` is rendered. */
export type EventCategory =
  | "inbound_message"
  | "message_status"
  | "template_status"
  | "template"
  | "account"
  | "contact"
  | "operational";

const BY_CATEGORY = {
  inbound_message: ["messages"],
  message_status: ["accepted", "sent", "delivered", "read", "played", "failed", "unknown", "canceled", "expired"],
  template_status: TEMPLATE_STATUSES,
  template: ["template_quality_changed", "template_category_changed"],
  account: ["permissions_changed", "signup_completed", "signup_revoked", "account_changed", "phone_number_changed"],
  contact: ["contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in"],
  operational: ["endpoint_failing", "endpoint_disabled"],
} as const satisfies Record<EventCategory, readonly string[]>;

/** Kinds that a verb may emit. Those about a message are written by the database functions that write the message. */
export type EmittedKind = (typeof BY_CATEGORY)[Exclude<EventCategory, "inbound_message" | "message_status">][number];

/** The closed list of kinds that an endpoint may listen to. */
export const EVENT_KINDS: readonly string[] = Object.values(BY_CATEGORY).flat();
export const EVERY_KIND = "*";

/** Sent to one endpoint on request, whatever it listens to; so no endpoint can list it in `events`. */
export const TEST_KIND = "endpoint_test";

const CATEGORY_OF = new Map<string, EventCategory>([
  ...Object.entries(BY_CATEGORY).flatMap(([category, kinds]) =>
    kinds.map((kind) => [kind, category as EventCategory] as const),
  ),
  [TEST_KIND, "operational"],
]);

/** The category of a kind. A kind that this version does not know (written by a newer one) counts as operational. */
export const categoryOf = (kind: string): EventCategory => CATEGORY_OF.get(kind) ?? "operational";
