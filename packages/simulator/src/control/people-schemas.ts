import { INBOUND_SAMPLES } from "../people/inbound-samples.ts";
import { closed, text } from "./schemas.ts";

const yesOrNo = { type: "boolean" } as const;
/** Unix seconds as text, as in messages; receivers must cope with others, so that any text is taken. */
const seconds = text;
const manyTexts = { type: "array", items: text, maxItems: 100 } as const;

/** Open: the objects of any message type, and keys that the provider may invent, are passed on. */
export const inbound = {
  type: "object",
  required: ["phone_number_id", "from"],
  properties: {
    phone_number_id: text,
    from: text,
    type: text,
    name: text,
    id: text,
    timestamp: seconds,
    quotes: text,
    number_hidden: yesOrNo,
    sample: { enum: INBOUND_SAMPLES },
    user_ids: yesOrNo,
    with_contacts: yesOrNo,
    report: yesOrNo,
  },
} as const;

export const contactCard = closed(
  {
    phone_number_id: text,
    from: text,
    origin: { enum: ["contact_request", "other"] },
    phone: text,
    card_name: text,
    name: text,
    id: text,
    timestamp: seconds,
    quotes: text,
    number_hidden: yesOrNo,
    report: yesOrNo,
  },
  ["phone_number_id", "from", "origin"],
);

export const person = closed(
  {
    person: text,
    wa_id: text,
    forms: manyTexts,
    landline: { const: true },
    name: text,
    username: { anyOf: [text, { type: "null" }] },
    number_hidden: { anyOf: [yesOrNo, { type: "null" }] },
    parent_user_id: yesOrNo,
    on_whatsapp: yesOrNo,
  },
  ["person"],
);

export const window = closed({ phone_number_id: text, person: text, open: yesOrNo }, [
  "phone_number_id",
  "person",
  "open",
]);

const change = {
  phone_number_id: text,
  person: text,
  also_to: manyTexts,
  id: text,
  timestamp: seconds,
  report: yesOrNo,
} as const;

export const numberChange = closed(
  {
    ...change,
    to: text,
    wa_id: text,
    kind: { enum: ["user_changed_number", "customer_changed_number"] },
    user_ids: yesOrNo,
  },
  ["phone_number_id", "person", "to"],
);

export const userIdChange = closed({ ...change, with_number: yesOrNo }, ["phone_number_id", "person"]);

export const marketing = closed(
  {
    phone_number_id: text,
    person: text,
    value: { enum: ["stop", "resume", "signup"] },
    signup_id: text,
    detail: text,
    timestamp: { type: "integer" },
    report: yesOrNo,
  },
  ["phone_number_id", "person", "value"],
);
