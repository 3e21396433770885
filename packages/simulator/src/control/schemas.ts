import { STATUS_NAMES } from "../world/settings.ts";
import { NUMBER_STATUSES } from "../world/world.ts";

/** JSON schemas of the control API: a misspelt key is a 400 instead of a test that tests nothing. */
export const text = { type: "string", minLength: 1 } as const;
export const count = { type: "integer", minimum: 1 } as const;
const milliseconds = { type: "number", minimum: 0 } as const;
const delay = {
  anyOf: [milliseconds, { type: "array", items: milliseconds, minItems: 2, maxItems: 2 }, { type: "null" }],
} as const;

export function closed(properties: Record<string, unknown>, required: readonly string[] = []) {
  return { type: "object", additionalProperties: false, properties, required } as const;
}

export const component = { type: "object", required: ["type"], properties: { type: text } } as const;

const template = {
  id: { type: "string", pattern: "^\\d+$" },
  name: text,
  language: text,
  category: text,
  parameter_format: text,
  components: { type: "array", items: component },
  status: {
    enum: [
      "APPROVED",
      "PENDING",
      "REJECTED",
      "IN_APPEAL",
      "PAUSED",
      "DISABLED",
      "PENDING_DELETION",
      "DELETED",
      "LIMIT_EXCEEDED",
      "ARCHIVED",
    ],
  },
} as const;
const templateRequired = ["name", "language", "category", "components"] as const;

const registration = {
  status: { enum: NUMBER_STATUSES },
  pin: { anyOf: [{ type: "string", pattern: "^\\d{6}$" }, { type: "null" }] },
} as const;

const waacId = { anyOf: [{ type: "string", pattern: "^\\d{1,32}$" }, { type: "null" }] } as const;

const phoneNumber = closed(
  {
    id: text,
    display_phone_number: text,
    verified_name: text,
    throughput: { type: "number", exclusiveMinimum: 0 },
    quality_rating: { enum: ["GREEN", "YELLOW", "RED", "UNKNOWN", "NA"] },
    waac_id: waacId,
    ...registration,
  },
  ["id", "display_phone_number"],
);

const billed = {
  timezone_id: { type: "string", pattern: "^\\d{1,4}$" },
  time_zone: text,
  payment_method: { type: "boolean" },
  paid_exempt: { type: "boolean" },
} as const;
export const accountChange = closed(billed);
export const serviceUse = closed({ others: { type: "integer", minimum: 0 } }, ["others"]);
export const clock = closed({ now: { anyOf: [text, { type: "null" }] } }, ["now"]);

export const account = closed(
  {
    waba_id: text,
    name: text,
    business_id: text,
    token: text,
    phone_numbers: { type: "array", items: phoneNumber },
    templates: { type: "array", items: closed(template, templateRequired) },
    subscribed: { type: "boolean" },
    messaging_limit: text,
    ...billed,
  },
  ["waba_id", "name", "business_id", "token", "phone_numbers"],
);

export const tokenDeath = closed({ valid: { type: "boolean" }, subcode: { type: "integer" } }, ["valid"]);

export const numberChange = closed({
  throughput: { type: "number", exclusiveMinimum: 0 },
  quality_rating: { enum: ["GREEN", "YELLOW", "RED", "UNKNOWN", "NA"] },
  verified_name: text,
  waac_id: waacId,
  ...registration,
});

export const signupCode = closed(
  {
    waba_ids: { type: "array", items: text, minItems: 1, maxItems: 100 },
    code: text,
    redirect_uri: text,
    scopes: { type: "array", items: text, maxItems: 20 },
    targets: { enum: ["named", "all"] },
    expires_in_ms: milliseconds,
    used: { type: "boolean" },
    app_id: text,
    token_expires_in_ms: { anyOf: [milliseconds, { type: "null" }] },
    report: { type: "boolean" },
  },
  ["waba_ids"],
);

export const accountLock = closed({ code: { anyOf: [{ type: "integer" }, { type: "null" }] } }, ["code"]);
export const templateOfAccount = closed({ waba_id: text, ...template }, ["waba_id", ...templateRequired]);

export const fault = closed(
  {
    kind: { enum: ["refuse", "fail", "html", "hang", "reset", "no_id", "delay", "statuses", "early"] },
    code: { type: "integer" },
    subcode: { type: "integer" },
    httpStatus: { type: "integer", minimum: 200, maximum: 599 },
    accept: { type: "boolean" },
    delayMs: milliseconds,
    statuses: { type: "array", items: { enum: STATUS_NAMES }, maxItems: 20 },
    count: { anyOf: [count, { type: "null" }] },
    operation: text,
    waba_id: text,
    phone_number_id: text,
    recipient: text,
  },
  ["kind"],
);

export const callbackUrl = closed({ url: { anyOf: [text, { type: "null" }] } }, ["url"]);

export const handshake = closed({ url: text, verify_token: text });

export const delays = closed({
  sentMs: delay,
  deliveredMs: delay,
  readMs: delay,
  playedMs: delay,
  reviewMs: delay,
  firstPauseMs: delay,
  secondPauseMs: delay,
  statuses: { type: "boolean" },
});

const waitOrNone = { anyOf: [milliseconds, delay.anyOf[1]] } as const;
const seed = { anyOf: [{ type: "integer" }, { type: "null" }] } as const;
const positive = { type: "number", exclusiveMinimum: 0 } as const;

export const callbackRetries = closed({
  firstMs: positive,
  capMs: positive,
  giveUpMs: milliseconds,
  timeoutMs: positive,
  speed: positive,
});

export const settings = closed({
  throughputLimit: { type: "boolean" },
  pairLimit: { type: "boolean" },
  standbySends: { enum: ["take", "refused"] },
  mayTakeThreads: { type: "boolean" },
  wrongFiles: { enum: ["refused", "failed", "allowed"] },
  outsideWindow: { enum: ["failed", "refused", "allowed"] },
  allowedRecipients: { anyOf: [{ type: "array", items: text, maxItems: 100 }, { type: "null" }] },
  messagingLimit: { type: "boolean" },
  messagingLimitCode: { type: "integer" },
  templatesPerAccount: { anyOf: [count, { type: "null" }] },
  templatesPerHour: { anyOf: [count, { type: "null" }] },
  managementQuota: { type: "boolean" },
  managementCallsPerHour: { anyOf: [count, { type: "null" }] },
  requireAppSecretProof: { type: "boolean" },
  signature: { enum: ["valid", "wrong", "missing"] },
  statusContacts: { type: "boolean" },
  templateLanguages: { enum: ["tag", "code"] },
  opaqueOnFailed: { type: "boolean" },
  callbackVersion: { type: "integer", minimum: 17 },
  prices: { enum: ["october_2026", "july_2025"] },
  billableField: { type: "boolean" },
  freeEntryHours: { anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "null" }] },
  optionalFieldsSeed: seed,
  callbacksInFlight: { type: "integer", minimum: 0 },
  updatesPerCallback: { type: "integer", minimum: 1, maximum: 1000 },
  accountsPerCallback: count,
  accountsMixed: { enum: ["when_busy", "always"] },
  callbackDelayMs: waitOrNone,
  shuffleSeed: seed,
  callbackCopies: { type: "integer", minimum: 1, maximum: 100 },
  copyDelayMs: waitOrNone,
  callbackEscapes: { type: "boolean" },
  signupCallbacks: { type: "boolean" },
});

export const rawCallback = closed({ body: { type: "string" } }, ["body"]);

export const reset = closed({ keep_accounts: { type: "boolean" } });
