import { STATUS_NAMES } from "../world/settings.ts";
import { closed, component, text } from "./schemas.ts";

const yesOrNo = { type: "boolean" } as const;
const code = { type: "integer" } as const;
const timestamp = text;
const report = yesOrNo;

/** Open: further keys go into the object that is reported, as the provider may invent some. */
function open(properties: Record<string, unknown>, required: readonly string[]) {
  return { type: "object", properties: { ...properties, timestamp, report }, required } as const;
}

export const status = open(
  { id: text, status: { enum: STATUS_NAMES }, phone_number_id: text, person: text, code, group_id: text },
  ["id", "status"],
);

export const errors = closed({ phone_number_id: text, code, errors: { type: "array" }, report }, ["phone_number_id"]);

export const payment = open(
  { id: text, status: text, payment: { type: "object" }, phone_number_id: text, person: text },
  ["id", "status"],
);

export const call = open(
  { phone_number_id: text, person: text, from_business: yesOrNo, event: text, id: text, errors: { type: "array" } },
  ["phone_number_id", "person"],
);

const textOrNull = { type: ["string", "null"] } as const;

export const userAction = closed(
  {
    phone_number_id: text,
    action_type: text,
    click_id: textOrNull,
    tracking_token: textOrNull,
    click_component: { enum: ["cta", "body"] },
    product_id: text,
    timestamp,
    report,
  },
  ["phone_number_id"],
);

export const echo = open(
  {
    phone_number_id: text,
    to: text,
    type: text,
    id: text,
    field: { enum: ["smb_message_echoes", "message_echoes"] },
    with_contacts: yesOrNo,
    user_ids: yesOrNo,
  },
  ["phone_number_id", "to"],
);

export const thread = open(
  {
    phone_number_id: text,
    person: text,
    action: { enum: ["take", "pass", "release", "write", "status"] },
    id: text,
    type: text,
    status: { enum: STATUS_NAMES },
    metadata: text,
    conversation_context: { type: "object" },
  },
  ["phone_number_id", "person", "action"],
);

const historyMessage = {
  type: "object",
  properties: {
    by_person: yesOrNo,
    id: text,
    timestamp,
    type: text,
    status: { enum: ["DELIVERED", "ERROR", "PENDING", "PLAYED", "READ", "SENT"] },
  },
} as const;

export const history = closed(
  {
    phone_number_id: text,
    threads: {
      type: "array",
      items: closed({ person: text, messages: { type: "array", items: historyMessage } }, ["person"]),
    },
    phase: { type: "integer" },
    chunk_order: { type: "integer" },
    progress: { type: "integer", minimum: 0, maximum: 100 },
    declined: yesOrNo,
    report,
  },
  ["phone_number_id"],
);

const entry = { person: text, full_name: text, first_name: text, action: { enum: ["add", "remove"] } } as const;

export const appState = closed(
  { phone_number_id: text, contacts: { type: "array", items: closed(entry, ["person"]) }, timestamp, report },
  ["phone_number_id", "contacts"],
);

const news = { apply: yesOrNo, report, without_name: yesOrNo } as const;

export const decision = closed({ status: text, reason: text, extra: { type: "object" }, ...news }, ["status"]);

export const quality = closed({ score: text, previous: text, ...news }, ["score"]);

export const category = closed(
  { category: text, previous: text, impending: yesOrNo, detected: yesOrNo, at: { type: "integer" }, ...news },
  ["category"],
);

export const components = closed({ components: { type: "array", items: component }, ...news });

export const accountEvent = closed(
  {
    waba_id: text,
    event: text,
    field: text,
    value: { type: "object" },
    phone_number_id: text,
    token_subcode: { type: "integer" },
    report,
  },
  ["waba_id"],
);

export const messagingLimit = closed({ limit: text, report }, ["limit"]);

export const update = closed({ waba_id: text, field: text, value: { type: "object" } }, ["waba_id", "field", "value"]);
