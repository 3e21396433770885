import { type Static, Type } from "typebox";
import { declaredItems } from "../../http/declared.ts";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { lineInput, nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import {
  BusinessAccountIds,
  DEFAULT_TIMEOUT_SECONDS,
  HeaderValue,
  headersOf,
  PhoneNumberIds,
  RatePerSecond,
  TimeoutSeconds,
} from "./endpoints/setting-fields.ts";

import { BroughtSecret, Fields, Format, PROVIDER_FIELDS, VerifyToken } from "./provider-format/fields.ts";

const LONGEST_DESCRIPTION = 500;

const Events = declaredItems("event_kinds", { description: "The kinds of events to receive, or `*` for all." });
/** A URL is stored, logged and returned; browsers and servers agree on about this much. */
export const LONGEST_URL = 2_048;
const Url = Type.String({
  minLength: 1,
  maxLength: LONGEST_URL,
  examples: ["https://example.com/hooks"],
  description:
    "An https URL with a public address and port 443 or 8443, without credentials or spaces. Stored and returned as parsed, with the host in lower-case ASCII.",
});
const Description = nullable(lineInput(LONGEST_DESCRIPTION));
const Ordered = Type.Boolean({
  description:
    "Whether deliveries of a conversation keep their order: a delivery that waits for its retry holds back the later ones.",
});

export const ENDPOINT_EXAMPLE = {
  id: "whe_01jd0000000000000000000000",
  url: "https://example.com/hooks",
  format: "waypost",
  fields: [],
  events: ["messages", "delivered", "failed"],
  description: "Shop backend",
  ordered: false,
  phone_number_ids: null,
  business_account_ids: null,
  headers: ["authorization"],
  timeout_seconds: DEFAULT_TIMEOUT_SECONDS,
  rate_per_second: null,
  enabled: true,
  status: "active",
  disabled_reason: null,
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};

const endpointFields = {
  id: idSchema("whe"),
  url: Type.String(),
  format: Format,
  events: Type.Array(Type.String()),
  fields: Type.Array(Type.Enum([...PROVIDER_FIELDS])),
  description: nullable(Type.String()),
  ordered: Type.Boolean(),
  phone_number_ids: nullable(Type.Array(idSchema("num"))),
  business_account_ids: nullable(Type.Array(idSchema("acc"))),
  headers: Type.Array(Type.String(), {
    description:
      "The names of the headers that deliveries carry besides those of the gateway; their values are not returned.",
  }),
  timeout_seconds: Type.Integer(),
  rate_per_second: nullable(Type.Integer()),
  enabled: Type.Boolean(),
  status: Type.Union([Type.Literal("active"), Type.Literal("failing"), Type.Literal("disabled")], {
    description: "`failing`: every attempt of an hour or longer failed. One that succeeds makes it `active` again.",
  }),
  disabled_reason: nullable(
    Type.String({
      description:
        "Why the endpoint is disabled: `requested`, `gone` if the receiver responded with 410, or `failing` if every attempt of 5 days failed.",
    }),
  ),
  created_at: timestampOutput(),
  updated_at: timestampOutput(),
};
const Secret = Type.String({
  description:
    "The secret that signs every delivery. Returned only in this response; store it. Absent where the request brings one.",
});

export const WebhookEndpoint = Type.Object(endpointFields, {
  $id: "WebhookEndpoint",
  examples: [ENDPOINT_EXAMPLE],
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export const WebhookEndpointWithSecret = Type.Object(
  { ...endpointFields, secret: Type.Optional(Secret) },
  {
    $id: "WebhookEndpointWithSecret",
    examples: [{ ...ENDPOINT_EXAMPLE, secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }],
  },
);
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;
export const WebhookEndpointList = listOf(WebhookEndpoint);
export const WebhookEndpointListQuery = Type.Object({ ...listQuery });

export const NewWebhookEndpoint = Type.Object(
  {
    url: Url,
    format: Type.Optional(Format),
    events: Type.Optional(Events),
    fields: Type.Optional(Fields),
    verify_token: Type.Optional(VerifyToken),
    secret: Type.Optional(BroughtSecret),
    description: Type.Optional(Description),
    ordered: Type.Optional(Ordered),
    phone_number_ids: Type.Optional(PhoneNumberIds),
    business_account_ids: Type.Optional(BusinessAccountIds),
    headers: Type.Optional(
      headersOf(HeaderValue, "Headers that deliveries carry besides those of the gateway, by name."),
    ),
    timeout_seconds: Type.Optional(TimeoutSeconds),
    rate_per_second: Type.Optional(RatePerSecond),
    enabled: Type.Optional(
      Type.Boolean({
        description: "False: the endpoint begins disabled, and its deliveries wait until it is enabled.",
      }),
    ),
  },
  {
    $id: "NewWebhookEndpoint",
    examples: [
      {
        url: ENDPOINT_EXAMPLE.url,
        events: ENDPOINT_EXAMPLE.events,
        description: ENDPOINT_EXAMPLE.description,
        headers: { Authorization: "Bearer 2c7e1f" },
      },
    ],
  },
);
export type NewWebhookEndpoint = Static<typeof NewWebhookEndpoint>;

export const WebhookEndpointChange = Type.Object(
  {
    url: Type.Optional(Url),
    events: Type.Optional(Events),
    fields: Type.Optional(Fields),
    verify_token: Type.Optional(VerifyToken),
    description: Type.Optional(Description),
    ordered: Type.Optional(Ordered),
    phone_number_ids: Type.Optional(PhoneNumberIds),
    business_account_ids: Type.Optional(BusinessAccountIds),
    headers: Type.Optional(
      headersOf(nullable(HeaderValue), "A header that is given is set, null removes it, others stay."),
    ),
    timeout_seconds: Type.Optional(TimeoutSeconds),
    rate_per_second: Type.Optional(RatePerSecond),
    enabled: Type.Optional(
      Type.Boolean({ description: "Whether the endpoint receives deliveries. False parks them, true releases them." }),
    ),
  },
  { $id: "WebhookEndpointChange", examples: [{ events: ["*"] }] },
);
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>;

/** An overlap longer than a week is a secret that never rotates. */
const LONGEST_OVERLAP_SECONDS = 7 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const SecretRotation = Type.Object(
  {
    secret: Type.Optional(BroughtSecret),
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LONGEST_OVERLAP_SECONDS,
        default: DEFAULT_OVERLAP_SECONDS,
        description: "How long the present secret also signs.",
      }),
    ),
  },
  { $id: "SecretRotation", examples: [{ overlap_seconds: 3_600 }] },
);
export type SecretRotation = Static<typeof SecretRotation>;

const EVENT_EXAMPLE = {
  id: "evt_01jd0000000000000000000000",
  kind: "contact_updated",
  category: "contact",
  workspace_id: "ws_01jd0000000000000000000000",
  created_at: "2026-01-31T09:30:00.000Z",
  sequence: 4211,
  data: { contact: { id: "con_01jd0000000000000000000000", name: "Ana" }, source: "api" },
};

export const Event = Type.Object(
  {
    id: idSchema("evt"),
    kind: Type.String({ description: "What happened, such as `delivered`." }),
    category: Type.String({ description: "The group of the kind, whose `data` has the same fields." }),
    workspace_id: idSchema("ws"),
    created_at: timestampOutput(),
    sequence: Type.Integer({
      minimum: 1,
      description: "The order of events within a conversation: a later one has a larger number. Gaps have no meaning.",
    }),
    data: Type.Object({}, { additionalProperties: true, description: "What the event is about, by its category." }),
    truncated: Type.Optional(
      Type.Boolean({
        description:
          "True where the body would be larger than 256 KiB: `data` has ids, states and what else is short, without the content.",
      }),
    ),
  },
  {
    $id: "Event",
    description: "An event, as it is the body of its deliveries.",
    examples: [EVENT_EXAMPLE],
  },
);
export type Event = Static<typeof Event>;

const eventFilters = {
  kind: Type.Optional(Type.String({ maxLength: 64, description: "The kind of the event, such as `delivered`." })),
  message_id: Type.Optional(Type.String({ maxLength: 64, description: "Only events of this message." })),
  contact_id: Type.Optional(
    Type.String({ maxLength: 64, description: "Only events of this person, under each id that they have had." }),
  ),
};

export const EventListQuery = Type.Object({
  ...listQuery,
  ...eventFilters,
  created_after: Type.Optional(timestampInput("Only events created after this time.")),
});
export type EventListQuery = Static<typeof EventListQuery>;

export const EventStreamQuery = Type.Object({ cursor: listQuery.cursor, ...eventFilters });
export type EventStreamQuery = Static<typeof EventStreamQuery>;

/** As it is on the wire. */
export const STREAM_EXAMPLE = `retry: 2104
: 
id: MS45MDEyLjAxOTQ

id: MS45MDEzLjAxOTQ
event: contact_updated
data: ${JSON.stringify(EVENT_EXAMPLE)}

`;

export const EventList = Type.Object(
  {
    data: Type.Array(Event),
    next_cursor: Type.String({
      description: "Where to go on, in any case: use it later for what has happened by then. With the same filters.",
    }),
    has_more: Type.Boolean({ description: "Whether there may be more at once." }),
    gap: Type.Boolean({
      description:
        "Whether events behind the cursor are no longer kept: the page begins with the oldest that are. Read again what you keep a copy of.",
    }),
  },
  { examples: [{ data: [EVENT_EXAMPLE], next_cursor: "MS45MDEyLjAxOTQ", has_more: false, gap: false }] },
);
export type EventList = Static<typeof EventList>;
