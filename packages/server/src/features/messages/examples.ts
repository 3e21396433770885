import { LATER_EXAMPLE } from "./column-lists.ts";

const TO = "+15551230001";
const FROM = "+15559990000";

const template = {
  to: TO,
  type: "template",
  template: { name: "order_ready", language: { code: "en_US" } },
};

const parameters = {
  to: TO,
  type: "template",
  template: {
    name: "order_update",
    language: { code: "en_US" },
    components: [
      {
        type: "body",
        parameters: [
          { type: "text", text: "Ana" },
          { type: "text", text: "A17" },
        ],
      },
    ],
  },
  reference: "order-17",
};

const text = {
  to: TO,
  type: "text",
  text: { body: "We are on our way.", preview_url: false },
};

const fallback = {
  ...text,
  fallback: { template: template.template },
};

const image = {
  to: TO,
  type: "image",
  image: { link: "https://cdn.example/a.jpg", caption: "Your order" },
};

const buttons = {
  to: TO,
  type: "interactive",
  interactive: {
    type: "button",
    body: { text: "Shall we deliver today?" },
    action: {
      buttons: [
        { type: "reply", reply: { id: "yes", title: "Yes" } },
        { type: "reply", reply: { id: "no", title: "No" } },
      ],
    },
  },
};

const list = {
  to: TO,
  type: "interactive",
  interactive: {
    type: "list",
    body: { text: "When shall we deliver?" },
    action: {
      button: "Times",
      sections: [
        {
          rows: [
            { id: "morning", title: "Morning", description: "9 to 12" },
            { id: "evening", title: "Evening" },
          ],
        },
      ],
    },
  },
};

const location = {
  to: TO,
  type: "location",
  location: { latitude: 37.48, longitude: -122.15, name: "Shop", address: "1 Main St" },
};

const contacts = {
  to: TO,
  type: "contacts",
  contacts: [
    {
      name: { formatted_name: "Ana Diaz", first_name: "Ana" },
      phones: [{ phone: "+15551230002", type: "WORK", wa_id: "15551230002" }],
    },
  ],
};

/** Bodies of `POST /v1/messages`, one for each common use. */
export const SEND_EXAMPLES = {
  template: { summary: "An approved template", value: template },
  template_with_parameters: { summary: "A template with parameters, and your own reference", value: parameters },
  text: { summary: "Free text, within 24 hours of the person's last message", value: text },
  fallback: { summary: "Free text, and a template that is sent instead when the window is closed", value: fallback },
  image: { summary: "An image by its URL", value: image },
  buttons: { summary: "A question with buttons", value: buttons },
  list: { summary: "A list to choose from", value: list },
  location: { summary: "A location", value: location },
  contacts: { summary: "A contact card", value: contacts },
};

const queued = {
  id: "msg_01jd0000000000000000000000",
  direction: "outbound",
  status: "queued",
  final: false,
  to: TO,
  from: FROM,
  phone_number_id: "num_01jd0000000000000000000000",
  contact_id: "con_01jd0000000000000000000000",
  type: "template",
  template: template.template,
  reply_to: null,
  reference: null,
  category: "utility",
  pricing: null,
  error: null,
  provider_message_id: null,
  possible_duplicate: false,
  created_at: "2026-01-31T09:30:00.000Z",
  estimated_dispatch_at: "2026-01-31T09:30:01.000Z",
  send_at: null,
  expires_at: null,
  accepted_at: null,
  sent_at: null,
  delivered_at: null,
  read_at: null,
  failed_at: null,
  sequence: 17,
};

const { template: _template, ...unnamed } = queued;
const queuedParameters = { ...queued, template: parameters.template, reference: parameters.reference };
const answerTo = ({
  summary,
  value: { to: _to, ...content },
}: {
  summary: string;
  value: object & { to: string };
}) => ({
  summary,
  value: { ...unnamed, ...content, category: null },
});

/** The answers to them. */
export const SENT_EXAMPLES = {
  template: { summary: SEND_EXAMPLES.template.summary, value: queued },
  template_with_parameters: { summary: SEND_EXAMPLES.template_with_parameters.summary, value: queuedParameters },
  text: answerTo(SEND_EXAMPLES.text),
  fallback: {
    ...answerTo(SEND_EXAMPLES.fallback),
    value: { ...answerTo(SEND_EXAMPLES.fallback).value, fallback_used: false },
  },
  image: answerTo(SEND_EXAMPLES.image),
  buttons: answerTo(SEND_EXAMPLES.buttons),
  list: answerTo(SEND_EXAMPLES.list),
  location: answerTo(SEND_EXAMPLES.location),
  contacts: answerTo(SEND_EXAMPLES.contacts),
};

/** A batch of which one message is refused. */
export const BATCH_EXAMPLE = {
  messages: [{ ...template, idempotency_key: "order-17" }, text],
};

export const BATCH_ANSWER_EXAMPLE = {
  data: [
    { index: 0, message: queued },
    {
      index: 1,
      error: {
        type: "/docs/errors/window_closed",
        title: "The 24-hour window is closed",
        status: 422,
        detail: "No message of this person came to this number in the last 24 hours.",
        code: "window_closed",
        request_id: "6f1f6d0e-3c5b-4f0e-9a55-1f0f6ab0f2c1",
        retryable: false,
      },
    },
  ],
};

/** What is said of a text to a person who wrote long ago. */
export const VALIDATION_EXAMPLE = {
  sendable: false,
  problems: [BATCH_ANSWER_EXAMPLE.data[1]?.error],
  window: { phone_number_id: "num_01jd0000000000000000000000", open: false, expires_at: "2026-01-20T09:29:00.000Z" },
  template: null,
  limits: {
    messaging: { limit: 2_000, used: 417, remaining: 1_583, resets_at: "2026-01-31T18:04:00.000Z" },
    queue: { waiting: 10, limit: 288_000, estimated_dispatch_at: "2026-01-31T09:30:01.000Z" },
  },
};

/** A message that was read. */
export const MESSAGE_EXAMPLE = {
  ...queued,
  ...LATER_EXAMPLE,
  status: "read",
  final: true,
  pricing: { billable: true, pricing_model: "PMP", category: "utility", type: "regular" },
  provider_message_id: "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
  accepted_at: "2026-01-31T09:30:00.412Z",
  sent_at: "2026-01-31T09:30:01.000Z",
  delivered_at: "2026-01-31T09:30:02.000Z",
  read_at: "2026-01-31T09:31:07.000Z",
};

const reported = (status: string, at: string, receivedAt: string) => ({
  status,
  at,
  received_at: receivedAt,
  error: null,
});

/** The same in a list. */
export const LISTED_EXAMPLE = { ...MESSAGE_EXAMPLE, preview: "Your order is ready." };

export const HISTORY_EXAMPLE = {
  ...MESSAGE_EXAMPLE,
  history: [
    reported("accepted", MESSAGE_EXAMPLE.accepted_at, "2026-01-31T09:30:00.412Z"),
    reported("sent", MESSAGE_EXAMPLE.sent_at, "2026-01-31T09:30:01.377Z"),
    reported("delivered", MESSAGE_EXAMPLE.delivered_at, "2026-01-31T09:30:02.291Z"),
    reported("read", MESSAGE_EXAMPLE.read_at, "2026-01-31T09:31:07.530Z"),
  ],
};

const CANCELED_AT = "2026-01-31T09:45:00.000Z";

/** The answer to a cancellation. */
export const CANCELED_EXAMPLES = {
  canceled: {
    summary: "A scheduled message that is never sent",
    value: {
      ...queued,
      ...LATER_EXAMPLE,
      status: "canceled",
      final: true,
      send_at: "2026-02-01T08:00:00.000Z",
      estimated_dispatch_at: "2026-02-01T08:00:00.000Z",
      history: [reported("canceled", CANCELED_AT, CANCELED_AT)],
    },
  },
};

/** A message that a person wrote. */
export const RECEIVED_EXAMPLE = {
  ...unnamed,
  direction: "inbound",
  status: "received",
  final: true,
  to: FROM,
  from: TO,
  type: "text",
  text: { body: "Is it still there?" },
  ...LATER_EXAMPLE,
  context: { from: "15559990000", id: "wamid.HBgLMTU1NTEyMzAwMDEVAgARGBI5QTNDQTVCM0Q0" },
  occurred_at: "2026-01-31T09:29:58.000Z",
  category: null,
  provider_message_id: "wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQzQTdG",
};

/** The answer to marking a message as read. */
export const READ_EXAMPLES = { read: { summary: "What a person wrote", value: RECEIVED_EXAMPLE } };
