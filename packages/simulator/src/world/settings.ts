import type { Delay } from "../lib/random.ts";

/** What a status callback reports of a message: `played` of voice, `deleted` and `warning` of older versions. */
export const STATUS_NAMES = ["sent", "delivered", "read", "played", "failed", "deleted", "warning"] as const;
export type StatusName = (typeof STATUS_NAMES)[number];

/** When things happen after a send or a submission; `null`: never by itself. Each status counts from the one before. */
export type Delays = {
  sentMs: Delay | null;
  deliveredMs: Delay | null;
  readMs: Delay | null;
  /** Of audio only, behind `read`. */
  playedMs: Delay | null;
  /** A submitted template is approved after this time, or only by control. */
  reviewMs: Delay | null;
  /** A template whose quality fell is paused for this time: the first time, and the second. */
  firstPauseMs: Delay | null;
  secondPauseMs: Delay | null;
  /** `false`: accepted messages get no status at all. */
  statuses: boolean;
};

/** Seconds rather than the minutes and hours of life, so that a newcomer sees the whole path while looking on. */
export const REALISTIC_DELAYS: Delays = {
  sentMs: [150, 400],
  deliveredMs: [300, 1200],
  readMs: [1000, 3000],
  playedMs: null,
  reviewMs: [3000, 6000],
  firstPauseMs: 3 * 3_600_000,
  secondPauseMs: 6 * 3_600_000,
  statuses: true,
};

/** Rules and habits of the provider that a test may switch. */
export type Settings = {
  /** 130429 beyond the number's messages per second. */
  throughputLimit: boolean;
  /** 131056 beyond one message each 6 s to one person, with a burst of 45 that borrows. */
  pairLimit: boolean;
  /** Free-form outside the window: 200 and then `failed` with 131047, or refused at once, or let through. */
  outsideWindow: "failed" | "refused" | "allowed";
  /** Free-form to a conversation that another responder owns: it takes the conversation over, or is refused with 131070. */
  standbySends: "take" | "refused";
  /** The app is the escalation partner: it may `take` a conversation; else 2494191. */
  mayTakeThreads: boolean;
  /** A file by an id that is not there for the number, or of another kind than its place: refused with 131053, or 200 and then `failed` with it. */
  wrongFiles: "refused" | "failed" | "allowed";
  /** Of test numbers: 131030 to every other number, in digits. Compared exactly: another form of a number on it is not on it. */
  allowedRecipients: readonly string[] | null;
  /** A refusal for one person too many in the portfolio's 24 hours, with this code, which the documentation does not say. */
  messagingLimit: boolean;
  messagingLimitCode: number;
  /** Templates that an account may have, and create in an hour; null: any number. */
  templatesPerAccount: number | null;
  templatesPerHour: number | null;
  /** 80007 beyond an account's management calls of an hour: 5,000, or 200 without a phone number; or this many. */
  managementQuota: boolean;
  managementCallsPerHour: number | null;
  /** Every call needs `appsecret_proof`, as with the switch "Require App Secret" of the app. */
  requireAppSecretProof: boolean;
  signature: "valid" | "wrong" | "missing";
  /**
   * `contacts` beside `statuses` and `recipient_user_id` inside, as since April 2026; never on `failed`. The same beside echoes and statuses of
   * calls.
   */
  statusContacts: boolean;
  /** Languages of templates in callbacks: `en-US`, as the documentation shows them, or `en_US`, as the API has them. */
  templateLanguages: "tag" | "code";
  /** Whether `failed` carries `biz_opaque_callback_data`, which the provider leaves open. */
  opaqueOnFailed: boolean;
  /** The version that the app subscribed with: up to 23 statuses have `conversation`, and limits another key. */
  callbackVersion: number;
  /** As since October 2026: service messages beyond a free thousand a month and utility templates inside the window are charged. */
  prices: "october_2026" | "july_2025";
  /** Whether `pricing` has the field `billable`, which will go. */
  billableField: boolean;
  /** How long a person who comes by an entry point is free; null: 168 hours by an advertisement, else 72. */
  freeEntryHours: number | null;
  /** A seed draws for each answer and status which optional fields it has; null: as the settings above say. */
  optionalFieldsSeed: number | null;
  /** POSTs to the callback URL at once; 0 keeps everything until it is more. */
  callbacksInFlight: number;
  /** Messages and statuses in one POST, for one account; the provider says up to 1,000. */
  updatesPerCallback: number;
  /** Accounts mixed into one POST. */
  accountsPerCallback: number;
  /** Mixed only when more accounts wait than POSTs are free, or always. */
  accountsMixed: "when_busy" | "always";
  /** How long each update waits before it may leave: with a range, later ones overtake earlier ones. */
  callbackDelayMs: Delay;
  /** A seed shuffles what waits, between POSTs and within them; null: in order. */
  shuffleSeed: number | null;
  /** How often each POST is posted, and how long after the first time the others are. */
  callbackCopies: number;
  copyDelayMs: Delay;
  /** Other characters than ASCII as `\uXXXX` and `/` as `\/`, or plain UTF-8. */
  callbackEscapes: boolean;
  /** PARTNER_ADDED and PARTNER_APP_INSTALLED when a signup dialog is completed. */
  signupCallbacks: boolean;
};

export const REALISTIC_SETTINGS: Settings = {
  throughputLimit: true,
  pairLimit: true,
  outsideWindow: "failed",
  standbySends: "take",
  mayTakeThreads: true,
  wrongFiles: "refused",
  allowedRecipients: null,
  messagingLimit: true,
  messagingLimitCode: 131048,
  templatesPerAccount: 6000,
  templatesPerHour: 100,
  managementQuota: true,
  managementCallsPerHour: null,
  requireAppSecretProof: false,
  signature: "valid",
  statusContacts: true,
  templateLanguages: "tag",
  opaqueOnFailed: true,
  callbackVersion: 26,
  prices: "october_2026",
  billableField: true,
  freeEntryHours: null,
  optionalFieldsSeed: null,
  callbacksInFlight: 20,
  updatesPerCallback: 100,
  accountsPerCallback: 50,
  accountsMixed: "when_busy",
  callbackDelayMs: 0,
  shuffleSeed: null,
  callbackCopies: 1,
  copyDelayMs: 0,
  callbackEscapes: true,
  signupCallbacks: true,
};

/**
 * How long a callback that got no 200 is tried again: gaps double from `firstMs` up to `capMs` until `giveUpMs`, and pass
 * `speed` times as fast as they say. `timeoutMs` is how long one try may take, whatever the speed.
 */
export type CallbackRetries = { firstMs: number; capMs: number; giveUpMs: number; timeoutMs: number; speed: number };

/** 36 h as the Graph page says; the WhatsApp page says 7 days (`giveUpMs: 604_800_000`). */
export const REALISTIC_RETRIES: CallbackRetries = {
  firstMs: 1000,
  capMs: 600_000,
  giveUpMs: 36 * 3_600_000,
  timeoutMs: 10_000,
  speed: 1,
};
