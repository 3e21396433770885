import { type Static, Type } from "typebox";
import { DEDUPE_FIELDS } from "../../ctx.ts";
import { declaredItems } from "../../http/declared.ts";
import { idSchema } from "../../http/ids.ts";
import type { Scope } from "../../http/route.ts";
import { nameInput, nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";

const scopes = declaredItems<Scope>("scopes", { description: "The scopes of the key; `*` is all of them." });

/** A key as responses contain it. */
export const API_KEY_EXAMPLE = {
  id: "key_01jd0000000000000000000000",
  name: "Shop backend",
  hint: "4fVtMk",
  scopes: ["messages:write", "messages:read"],
  phone_number_ids: null,
  dedupe_by: null,
  expires_at: null,
  revoked_at: null,
  replaced_by: null,
  last_used_at: "2026-01-31T09:30:00.000Z",
  created_at: "2026-01-31T09:00:00.000Z",
};

/** An API key without its text. */
export const ApiKey = Type.Object(
  {
    id: idSchema("key"),
    name: Type.String({ description: "The name that you gave the key." }),
    hint: Type.String({ description: "The first characters after `wp_live_`, to recognise the key." }),
    scopes: Type.Array(Type.String(), { description: "The scopes of the key; `*` is all of them." }),
    phone_number_ids: nullable(
      Type.Array(idSchema("num")),
      "The phone numbers to which the key is limited; null if it is for all of the workspace.",
    ),
    dedupe_by: nullable(
      Type.Enum([...DEDUPE_FIELDS]),
      "The field whose value is the idempotency key of a request to the Cloud API front that brings none; null if there is none.",
    ),
    expires_at: nullable(timestampOutput(), "When the key expires; null if it does not."),
    revoked_at: nullable(timestampOutput(), "When the key was revoked; null if it was not."),
    replaced_by: nullable(idSchema("key"), "The key that replaced this one in a rotation."),
    last_used_at: nullable(timestampOutput(), "When the key was last used, accurate to about a minute."),
    created_at: timestampOutput(),
  },
  { $id: "ApiKey", examples: [API_KEY_EXAMPLE] },
);
export type ApiKey = Static<typeof ApiKey>;

/** An API key with its text, which only the response that creates it contains. */
export const NewApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: "The text of the key, returned only in this response." }) },
  {
    $id: "NewApiKey",
    examples: [{ ...API_KEY_EXAMPLE, last_used_at: null, key: "wp_live_4fVtMkQ0aP2xYc9LrB7sNwE3uHd5JgZ6iTo1KqXm" }],
  },
);
export type NewApiKey = Static<typeof NewApiKey>;

const LONGEST_NAME = 100;
/** More than a business has; the key's numbers are compared with the rows of each page of a list. */
const MOST_NUMBERS = 100;

export const ApiKeyInput = Type.Object(
  {
    name: nameInput(LONGEST_NAME, { description: "A name for humans, such as the program that uses the key." }),
    scopes,
    phone_number_ids: Type.Optional(
      nullable(
        Type.Array(idSchema("num"), { minItems: 1, maxItems: MOST_NUMBERS, uniqueItems: true }),
        "The phone numbers to which the key is limited: it sends with these alone, and sees nothing of others. Null or absent: all, also those that are connected later.",
      ),
    ),
    dedupe_by: Type.Optional(
      nullable(
        Type.Enum([...DEDUPE_FIELDS]),
        "For clients of the Cloud API that send no idempotency key: a send whose `biz_opaque_callback_data` is that of one of the last 24 hours gets its answer again, and is not sent. Such values must have 16 characters or more. Null or absent: nothing is taken for a key.",
      ),
    ),
    expires_at: Type.Optional(nullable(timestampInput(), "When the key expires; null or absent if it does not.")),
  },
  {
    $id: "ApiKeyInput",
    examples: [{ name: "Shop backend", scopes: ["messages:write", "messages:read"] }],
  },
);
export type ApiKeyInput = Static<typeof ApiKeyInput>;

/** A week is enough to deploy anything; a day is what most need. */
const LONGEST_OVERLAP_SECONDS = 7 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

export const RotateInput = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_SECONDS,
        default: DEFAULT_OVERLAP_SECONDS,
        description: "How long the old key keeps working; 0 ends it immediately.",
      }),
    ),
  },
  { $id: "RotateApiKeyInput", examples: [{ overlap_seconds: 3_600 }] },
);
export type RotateInput = Static<typeof RotateInput>;
