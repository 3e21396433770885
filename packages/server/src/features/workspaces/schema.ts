import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nameInput, nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { LONGEST_KEYWORD } from "../identity/consent/keywords.ts";
import { API_KEY_EXAMPLE, ApiKey } from "../keys/schema.ts";
import { FrontSecret } from "../webhooks/front-secret.ts";

const status = Type.Union([Type.Literal("active"), Type.Literal("suspended")], {
  description: "The status. Calls with keys of a suspended workspace are refused with 403.",
});

const LONGEST_NAME = 100;
const name = nameInput(LONGEST_NAME, { description: "A name for humans, such as the workspace's owner." });

const EXAMPLE = {
  id: "ws_01jd0000000000000000000000",
  name: "Acme",
  status: "active",
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

/** A tenant. */
export const Workspace = Type.Object(
  {
    id: idSchema("ws"),
    name: Type.String({ description: "The name of the workspace." }),
    status: Type.String({ description: "The status: active or suspended." }),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
  },
  { $id: "Workspace", examples: [EXAMPLE] },
);
export type Workspace = Static<typeof Workspace>;

export const WorkspaceInput = Type.Object({ name }, { $id: "WorkspaceInput", examples: [{ name: "Acme" }] });
export type WorkspaceInput = Static<typeof WorkspaceInput>;

export const WorkspaceChange = Type.Object(
  { name: Type.Optional(name), status: Type.Optional(status) },
  { $id: "WorkspaceChange", examples: [{ name: "Acme Ltd" }] },
);
export type WorkspaceChange = Static<typeof WorkspaceChange>;

/** As many as the provider's editor of templates has nearly, and more than the defaults; few enough to be compared with each short message. */
export const MOST_LANGUAGES = 60;
const MOST_WORDS = 20;

const Keywords = Type.Record(Type.String(), Type.Array(nameInput(LONGEST_KEYWORD), { maxItems: MOST_WORDS }), {
  examples: [{ en: ["STOP", "UNSUBSCRIBE"], es: ["BAJA"] }],
});
const MEANING = "by language (BCP 47); the languages are for you, and every keyword counts for every person.";

/** What a workspace can set itself. */
export const OwnWorkspaceChange = Type.Object(
  {
    opt_out_keywords: Type.Optional(
      nullable(
        Keywords,
        `Messages that stop marketing to the person who sends them, ${MEANING} Replaces all of them; null sets the defaults.`,
      ),
    ),
    opt_in_keywords: Type.Optional(
      nullable(
        Keywords,
        "The same for messages that allow marketing. Keywords that you set are an opt-in of the person who sends one; the defaults only end an opt-out, and are no consent of a person who has said nothing before. A keyword of both lists stops marketing.",
      ),
    ),
    front_app_secret: Type.Optional(
      nullable(
        FrontSecret,
        "The app secret that signs the callbacks of endpoints which clients of the provider's API set up, from the next attempt on. Kept encrypted and never returned; null removes it.",
      ),
    ),
  },
  {
    $id: "OwnWorkspaceChange",
    examples: [{ opt_out_keywords: { en: ["STOP", "UNSUBSCRIBE"], es: ["BAJA"] }, opt_in_keywords: null }],
  },
);
export type OwnWorkspaceChange = Static<typeof OwnWorkspaceChange>;

const EffectiveKeywords = (description: string) =>
  Type.Record(Type.String(), Type.Array(Type.String()), { description });

/** The caller's workspace with the key of the request. */
export const OwnWorkspace = Type.Object(
  {
    ...Workspace.properties,
    api_key: nullable(ApiKey, "The calling key; null in a session of the operator."),
    limits: Type.Object({
      requests_per_second: nullable(Type.Integer(), "The limit of requests per second; null if there is none."),
    }),
    opt_out_keywords: EffectiveKeywords("Messages that stop marketing, by language: yours, or the defaults."),
    opt_in_keywords: EffectiveKeywords(
      "Messages that allow marketing, by language: yours, or the defaults, which only end an opt-out.",
    ),
  },
  {
    $id: "OwnWorkspace",
    examples: [
      {
        ...EXAMPLE,
        api_key: API_KEY_EXAMPLE,
        limits: { requests_per_second: 1_000 },
        opt_out_keywords: { en: ["STOP", "UNSUBSCRIBE"], es: ["BAJA"] },
        opt_in_keywords: { en: ["START"], es: ["ALTA"] },
      },
    ],
  },
);
export type OwnWorkspace = Static<typeof OwnWorkspace>;
