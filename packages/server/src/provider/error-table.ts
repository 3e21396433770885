/**
 * What an error of the provider means: one table from its code to what is done. Each code has a class, which says what follows
 * here, and a code of ours, which says to people what it means and who must act. `message.error`, the sending of messages and
 * docs/errors.md follow from it. (Cloud API documentation, error codes.)
 */
import type { ErrorClass, MessageErrorCode, ProviderError } from "./provider.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The pauses before an attempt that follows a refusal: `firstMs`, and `factor` times as long after each, up to `mostMs`. */
export type Backoff = {
  firstMs: number;
  factor: number;
  mostMs: number;
  /** How many refusals of this class a message has before the last one is final; null: it waits as long as it may. */
  attempts: number | null;
};

/**
 * What follows from a class. The later messages of the person wait for a message that is tried again, unless what it waits for
 * does not concern them: the end of a stop of marketing, or room in the messaging limit.
 */
type ClassRule = {
  /** Null: the message fails at once. */
  again: Backoff | null;
  /** What is slowed or stopped beside this message. */
  stops: "number" | "marketing" | "account" | null;
  /** The same for people. */
  follows: string;
};

// A throttle ends with the message's own `expires_at`, or after about a day of the longest pause.
const THROTTLE_ATTEMPTS = 90;
/** While an account has no access its lanes are closed. What had been begun before is tried again with the first that opens. */
const WITHOUT_ACCESS: Backoff = { firstMs: 10 * SECOND_MS, factor: 1, mostMs: 10 * SECOND_MS, attempts: null };

export const ERROR_CLASSES: Record<ErrorClass, ClassRule> = {
  token: {
    again: WITHOUT_ACCESS,
    stops: "account",
    follows: "The account is disconnected. Its messages wait, in their order, until it is connected again.",
  },
  locked: {
    again: WITHOUT_ACCESS,
    stops: "account",
    follows: "The account is restricted. Its messages wait, in their order, until the provider lifts the restriction.",
  },
  access: {
    again: { firstMs: 10 * SECOND_MS, factor: 3, mostMs: MINUTE_MS, attempts: null },
    stops: null,
    follows:
      "Token and account are checked at the provider. Without access, as after 190 or 368; with it, the message fails if it is refused again.",
  },
  asset: {
    again: null,
    stops: null,
    follows: "The message fails, and account and number are checked at the provider.",
  },
  throttle_number: {
    again: { firstMs: SECOND_MS, factor: 2, mostMs: 30 * SECOND_MS, attempts: THROTTLE_ATTEMPTS },
    stops: "number",
    follows: "Tried again, and the number's speed is halved for a while.",
  },
  // 4^X seconds, X from 0 (the provider's page on pair rates); the pause no longer grows after the sixth.
  throttle_pair: {
    again: { firstMs: SECOND_MS, factor: 4, mostMs: 1_024 * SECOND_MS, attempts: THROTTLE_ATTEMPTS },
    stops: null,
    follows: "Messages to this person wait for 4^X seconds, X being the refusals in a row.",
  },
  spam: {
    again: null,
    stops: "marketing",
    follows:
      "The number's marketing waits, and holds back no other message; one is tried after 1 h, then after twice as long, up to 24 h. A message that is no marketing fails.",
  },
  // People count for a day in the messaging limit; it may have room some hours later than that.
  throttle_long: {
    again: { firstMs: HOUR_MS, factor: 1, mostMs: HOUR_MS, attempts: 26 },
    stops: null,
    follows: "Tried again each hour, for about a day; the person's other messages go on.",
  },
  // Not one byte has left: however long the provider or the network is away, the message is not spent.
  unreachable: {
    again: { firstMs: 2 * SECOND_MS, factor: 4, mostMs: 15 * MINUTE_MS, attempts: 100 },
    stops: null,
    follows: "Nothing was sent: tried again for about a day.",
  },
  transient: {
    again: { firstMs: 2 * SECOND_MS, factor: 4, mostMs: 15 * MINUTE_MS, attempts: 7 },
    stops: null,
    follows: "Tried again for about 20 minutes.",
  },
  // The provider fetches the media: a server that was slow for a moment answers the second time, a wrong file never.
  media: {
    again: { firstMs: 10 * SECOND_MS, factor: 1, mostMs: 10 * SECOND_MS, attempts: 2 },
    stops: null,
    follows: "Tried once more after 10 seconds.",
  },
  permanent: { again: null, stops: null, follows: "The message fails." },
  recipient: { again: null, stops: null, follows: "The message fails." },
  later: { again: null, stops: null, follows: "The message fails now; another may be sent later." },
  window: { again: null, stops: null, follows: "The message fails." },
};

/** True for classes that are about the account, its token or its number. */
export const isOfAccount = (class_: ErrorClass): boolean =>
  class_ === "token" || class_ === "locked" || class_ === "access" || class_ === "asset";

/**
 * True where the provider says that the object of the call does not exist for this token. Code 100 alone is also that of a parameter,
 * a field or an `appsecret_proof` that it does not take; the subcode is missing at times (Cloud API documentation, error codes).
 */
export const isUnknownObject = ({ provider }: ProviderError): boolean =>
  provider?.code === 803 ||
  (provider?.code === 100 && (provider.subcode === 33 || /\bdoes not exist\b/i.test(provider.title)));

/** First code, last code (inclusive), class, our code; and what to do, where that is more exact than the remedy of our code. */
type Row = readonly [from: number, to: number, class_: ErrorClass, code: MessageErrorCode, remedy?: string];

/** How one provider code is treated. */
type CodeRule = Pick<ProviderError, "class" | "code" | "remedy">;

export const PROVIDER_CODES: readonly Row[] = [
  [0, 0, "access", "account_disconnected"],
  [3, 3, "access", "account_restricted"],
  [10, 10, "access", "account_disconnected"],
  [102, 102, "access", "account_disconnected"],
  [104, 104, "access", "account_disconnected"],
  [190, 190, "token", "account_disconnected"],
  [200, 299, "access", "account_disconnected"],
  [368, 368, "locked", "account_restricted"],
  [130497, 130497, "recipient", "recipient_not_allowed"],
  [131031, 131031, "locked", "account_restricted"],
  // Limits of app, user and account name no phone number; slowing the number down is the only means.
  [4, 4, "throttle_number", "rate_limited"],
  [17, 17, "throttle_number", "rate_limited"],
  [32, 32, "throttle_number", "rate_limited"],
  [341, 341, "throttle_number", "rate_limited"],
  [613, 613, "throttle_number", "rate_limited"],
  [80000, 80014, "throttle_number", "rate_limited"],
  [130429, 130429, "throttle_number", "rate_limited"],
  [131048, 131048, "spam", "spam_limited"],
  [131056, 131056, "throttle_pair", "rate_limited"],
  [
    131064,
    131064,
    "throttle_long",
    "messaging_limit_reached",
    "The provider limits the account because templates have the wrong category. Correct their categories; the limit lifts by itself.",
  ],
  [133016, 133016, "throttle_long", "rate_limited"],
  [1, 1, "transient", "provider_error"],
  [2, 2, "transient", "provider_error"],
  [33, 33, "asset", "sender_not_registered"],
  // Of a send this may be an unknown number, which is another class there (`sendOutcome`).
  [100, 100, "permanent", "provider_rejected"],
  [803, 803, "permanent", "provider_rejected"],
  [130403, 130403, "recipient", "recipient_not_allowed"],
  [130472, 130472, "recipient", "recipient_not_allowed"],
  [131000, 131000, "transient", "provider_error"],
  [131005, 131005, "access", "account_disconnected"],
  [131008, 131009, "permanent", "provider_rejected"],
  [131016, 131016, "transient", "provider_error"],
  [131020, 131020, "permanent", "provider_rejected"],
  [131041, 131041, "permanent", "provider_rejected"],
  [131201, 131215, "permanent", "provider_rejected"],
  [131021, 131021, "recipient", "recipient_not_allowed"],
  [131026, 131026, "recipient", "recipient_unreachable"],
  [131030, 131030, "recipient", "recipient_not_allowed"],
  [131037, 131037, "asset", "account_restricted"],
  [131042, 131042, "asset", "payment_required"],
  [131045, 131045, "asset", "sender_not_registered"],
  [131047, 131047, "window", "window_closed"],
  [131049, 131049, "later", "marketing_capped"],
  [131050, 131050, "recipient", "recipient_opted_out"],
  [131051, 131051, "permanent", "provider_rejected"],
  [131052, 131052, "permanent", "media_failed"],
  [131053, 131053, "media", "media_failed"],
  [131055, 131055, "permanent", "provider_rejected"],
  [131057, 131057, "transient", "provider_error"],
  [131059, 131060, "permanent", "provider_rejected"],
  [131061, 131061, "permanent", "marketing_route_required"],
  [
    131062,
    131062,
    "permanent",
    "recipient_not_allowed",
    "The provider does not take this message for a user id. Send it to the person's phone number.",
  ],
  [131063, 131063, "permanent", "marketing_route_required"],
  [131065, 131065, "permanent", "provider_rejected", "Take the bid out, or send to another country."],
  [131070, 131070, "permanent", "thread_not_owned"],
  // Number, kinds and length of the parameters fitted our copy of the definition when the message was accepted, so the template
  // has changed.
  [132000, 132001, "permanent", "template_changed"],
  [132005, 132005, "permanent", "template_changed"],
  [132007, 132007, "permanent", "template_rejected"],
  [132008, 132008, "permanent", "provider_rejected"],
  [132012, 132012, "permanent", "template_changed"],
  [132015, 132015, "later", "template_paused"],
  [132016, 132016, "permanent", "template_rejected"],
  [132018, 132018, "permanent", "template_changed"],
  [132068, 132068, "permanent", "template_rejected"],
  // One flow is throttled: slowing the whole number for it would punish its other messages.
  [132069, 132069, "transient", "rate_limited"],
  [133000, 133000, "transient", "provider_error"],
  [133004, 133004, "transient", "provider_error"],
  [133005, 133005, "permanent", "provider_rejected"],
  [133006, 133006, "permanent", "sender_not_registered"],
  [133008, 133008, "throttle_long", "rate_limited"],
  [133009, 133009, "transient", "rate_limited"],
  [133010, 133010, "asset", "sender_not_registered"],
  [133015, 133015, "transient", "rate_limited"],
  [134011, 134011, "permanent", "payment_required"],
  [134100, 134101, "permanent", "provider_rejected"],
  [134102, 134102, "transient", "provider_error"],
  [135000, 135000, "permanent", "provider_rejected"],
  [136024, 136024, "permanent", "provider_rejected"],
  [137000, 137000, "recipient", "recipient_not_allowed"],
  [139200, 139200, "permanent", "direct_send_unavailable"],
  // Taking a conversation over is not allowed to this app.
  [2494191, 2494191, "permanent", "thread_not_owned"],
];

const UNKNOWN_PERMANENT: CodeRule = { class: "permanent", code: "provider_rejected" };
const THROTTLED: CodeRule = { class: "throttle_number", code: "rate_limited" };
const UNKNOWN_TRANSIENT: CodeRule = { class: "transient", code: "provider_error" };

const RULES: ReadonlyMap<number, CodeRule> = new Map(
  PROVIDER_CODES.flatMap(([from, to, class_, code, remedy]) => {
    const rule: CodeRule = { class: class_, code, ...(remedy === undefined ? {} : { remedy }) };
    return Array.from({ length: to - from + 1 }, (_, i): [number, CodeRule] => [from + i, rule]);
  }),
);

/** HTTP status of too many calls. What else is said of them are codes that new limits bring; these are retried whatever they are. */
const TOO_MANY = 429;
/** Classes that say no more than that the call was refused or failed: 429 says why. */
const SAYS_LITTLE: ReadonlySet<ErrorClass> = new Set(["permanent", "transient"]);

/**
 * The rule of a provider code; an undocumented code is permanent unless the provider marks it as transient. With HTTP 429 a code that
 * is not about access, a person or a limit of its own counts as one of the number's pace.
 */
export function ruleOf(code: number, hints: { httpStatus: number | null; isTransient: boolean }): CodeRule {
  const known = RULES.get(code);
  const saysLimit = known?.code === "rate_limited";
  if (hints.httpStatus === TOO_MANY && !saysLimit && (known === undefined || SAYS_LITTLE.has(known.class)))
    return THROTTLED;
  if (known !== undefined) return known;
  const passing = hints.isTransient || (hints.httpStatus !== null && hints.httpStatus >= 500);
  return passing ? UNKNOWN_TRANSIENT : UNKNOWN_PERMANENT;
}
