import { Type } from "typebox";
import { explained, nullable } from "../../../http/schema-types.ts";

export const PROVIDER_FIELDS = ["messages", "message_echoes", "smb_message_echoes", "standby"] as const;
export type ProviderField = (typeof PROVIDER_FIELDS)[number];

const STATUSES = ["sent", "delivered", "read", "played", "failed", "message_deleted", "warning"];
/** The kinds of events that callbacks of a field may be; of which field the callback of an event is, its envelope says. */
const KINDS_OF_FIELD: Readonly<Record<ProviderField, readonly string[]>> = {
  messages: ["messages", ...STATUSES],
  message_echoes: ["sent"],
  smb_message_echoes: ["sent"],
  standby: ["standby_messages", ...STATUSES],
};

/** The kinds of events that an endpoint listens to for these fields. */
export const kindsOfFields = (fields: readonly ProviderField[]): string[] => [
  ...new Set(fields.flatMap((field) => KINDS_OF_FIELD[field])),
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
/** Shorter ones can be guessed from a signature. */
export const BroughtSecret = Type.Intersect([VISIBLE(16, 256)], {
  description:
    "With the format `provider`: your own secret, such as the app secret that the receiver has already. Kept encrypted and never returned.",
});
