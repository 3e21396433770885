import { type Static, Type } from "typebox";
import { declaredItems } from "../../http/declared.ts";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/nullable.ts";
import type { Scope } from "../../http/route.ts";
import { nameInput } from "../../http/texts.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";

const scopes = declaredItems<Scope>("scopes", { description: "What the key may do; `*` is everything" });

/** A key as answers show it. */
export const API_KEY_EXAMPLE = {
  id: "key_01jd0000000000000000000000",
  name: "Shop backend",
  hint: "4fVtMk",
  scopes: ["messages:write", "messages:read"],
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
    name: Type.String({ description: "Yours" }),
    hint: Type.String({ description: "First characters after `wp_live_`, to recognise the key by" }),
    scopes: Type.Array(Type.String(), { description: "What the key may do; `*` is everything" }),
    expires_at: nullable(timestampOutput(), "Refused from then on; null: never"),
    revoked_at: nullable(timestampOutput(), "When it was revoked; null: it was not"),
    replaced_by: nullable(idSchema("key"), "The key that a rotation made in its place"),
    last_used_at: nullable(timestampOutput(), "To about a minute"),
    created_at: timestampOutput(),
  },
  { $id: "ApiKey", examples: [API_KEY_EXAMPLE] },
);
export type ApiKey = Static<typeof ApiKey>;

/** An API key with its text: the answer that made it, and no other. */
export const NewApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: "The key itself, shown this once" }) },
  {
    $id: "NewApiKey",
    examples: [{ ...API_KEY_EXAMPLE, last_used_at: null, key: "wp_live_4fVtMkQ0aP2xYc9LrB7sNwE3uHd5JgZ6iTo1KqXm" }],
  },
);
export type NewApiKey = Static<typeof NewApiKey>;

const LONGEST_NAME = 100;

export const ApiKeyInput = Type.Object(
  {
    name: nameInput(LONGEST_NAME, { description: "For people: what uses the key" }),
    scopes,
    expires_at: Type.Optional(nullable(timestampInput(), "Refused from then on; null or absent: never")),
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
        description: "How long the old key goes on; 0 ends it at once",
      }),
    ),
  },
  { $id: "RotateApiKeyInput", examples: [{ overlap_seconds: 3_600 }] },
);
export type RotateInput = Static<typeof RotateInput>;
