import { Type } from "typebox";
import { explained, nullable } from "../../../http/schema-types.ts";
import { NOTICE_FIELDS } from "../../../provider/notice-fields.ts";

/** Of what happens between numbers and people. */
const LIST_FIELDS = [
  "calls",
  "message_echoes",
  "messages",
  "messaging_handovers",
  "smb_message_echoes",
  "standby",
  "user_preferences",
] as const;
export const PROVIDER_FIELDS = [...LIST_FIELDS, ...NOTICE_FIELDS] as const;
export type ProviderField = (typeof PROVIDER_FIELDS)[number];

/** The unlisted kind of what the provider says of accounts, numbers and templates. */
const NOTICES = ["provider_notice"];
const STATUSES = ["sent", "delivered", "read", "played", "failed", "message_deleted", "warning"];
/** Ends of which only the gateway knows: they are a status where the client has an id of ours for the message. */
const OWN_ENDS = ["expired", "canceled", "unknown"];
/** The kinds of events that callbacks of a field may be; of which field the callback of an event is, its envelope says. */
const KINDS_OF_FIELD: Readonly<Record<(typeof LIST_FIELDS)[number], readonly string[]>> = {
  // Errors of a number stand in the place of its calls or messages.
  calls: ["call", ...NOTICES],
  messages: ["messages", ...STATUSES, ...OWN_ENDS, "payment_updated", ...NOTICES],
  message_echoes: ["sent"],
  messaging_handovers: ["thread_taken", "thread_released"],
  smb_message_echoes: ["sent"],
  standby: ["standby_messages", ...STATUSES],
  user_preferences: ["opted_out", "opted_in"],
};
const isOfLists = (field: ProviderField): field is (typeof LIST_FIELDS)[number] => field in KINDS_OF_FIELD;

/** The kinds of events that an endpoint listens to for these fields. */
export const kindsOfFields = (fields: readonly ProviderField[]): string[] => [
  ...new Set(fields.flatMap((field) => (isOfLists(field) ? KINDS_OF_FIELD[field] : NOTICES))),
];

export const Format = Type.Enum(["waypost", "provider"], {
  description:
    "`waypost`, the default: our own events. `provider`: the envelopes of the provider's callbacks, as any receiver of its callbacks reads them. It cannot be changed.",
});
export const Fields = Type.Array(Type.Enum([...PROVIDER_FIELDS]), {
  minItems: 1,
  maxItems: PROVIDER_FIELDS.length,
  uniqueItems: true,
  description: "With the format `provider`, in place of `events`: the fields of the provider's callbacks to receive.",
});
const VISIBLE = (least: number, most: number) =>
  Type.String({
    minLength: least,
    maxLength: most,
    pattern: explained("^[\\x21-\\x7e]*$", { detail: "must be visible ASCII characters, without spaces" }),
  });
export const VerifyToken = nullable(
  VISIBLE(1, 256),
  "With the format `provider`: the URL is asked with it as the provider asks, by `hub.mode`, `hub.challenge` and `hub.verify_token`, when the endpoint is created and whenever its URL changes. Kept encrypted and never returned. Null: it is not asked.",
);
/** An app secret that a client brings. Shorter ones can be guessed from a signature. */
export const AppSecret = VISIBLE(16, 256);
export const BroughtSecret = Type.Intersect([AppSecret], {
  description:
    "With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned.",
});
