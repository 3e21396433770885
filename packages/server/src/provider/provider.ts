import type { Access, AccountAccess, CallResult, ErrorClass, MessageErrorCode, ProviderError } from "./call-result.ts";
import type { CallbackChange, ParsedCallback, PastMessage, TemplateNews } from "./callback-changes.ts";
import type { CallbackPart, OwnValues, PartEnvelope, Written } from "./callback-parts.ts";
import type { MediaCalls } from "./media-calls.ts";
import type { PassedCalls } from "./passed-calls.ts";
import type { ProfileCalls } from "./profile-calls.ts";
import type { SignupCalls } from "./signup-calls.ts";
import type { TemplateCalls } from "./template-calls.ts";
import type { TemplateStatus } from "./template-status.ts";
import type { ThreadCalls } from "./thread-calls.ts";

export { TEMPLATE_STATUSES, type TemplateStatus } from "./template-status.ts";
// Apart from the port, because each group of its calls needs them too.
export type {
  AccountAccess,
  CallbackChange,
  CallResult,
  ErrorClass,
  MessageErrorCode,
  ParsedCallback,
  PastMessage,
  ProviderError,
  TemplateNews,
};

/**
 * The port to the messaging provider. It has one adapter (`provider/whatsapp`); the simulator speaks the same protocol, so both
 * are tested by one suite. Functions return values and never throw for the provider's answers: an exception is a bug.
 */
export type Provider = MediaCalls &
  PassedCalls &
  ProfileCalls &
  SignupCalls &
  TemplateCalls &
  ThreadCalls & {
    send(request: SendRequest): Promise<SendOutcome>;
    /** What `send` writes of a message, without token, proof and correlation value. */
    writeSend(message: SentMessage): SentRequest;
    /** Shows an inbound message, and those before it, as read; safe to repeat. */
    markRead(request: MarkReadRequest): Promise<CallResult<null>>;
    listPhoneNumbers(account: AccountAccess): Promise<CallResult<ProviderPhoneNumber[]>>;
    /** With `name`, those that have it as their name or as a part of it. */
    listTemplates(account: AccountAccess & { name?: string }): Promise<CallResult<ProviderTemplate[]>>;
    getTemplate(access: Access & { providerTemplateId: string }): Promise<CallResult<ProviderTemplate>>;
    getAccount(account: AccountAccess): Promise<CallResult<ProviderAccount>>;
    /** Whether what has the id of the account is a phone number. */
    isPhoneNumber(account: AccountAccess): Promise<boolean>;
    /** The ids of the apps that get the account's callbacks. */
    listSubscribedApps(account: AccountAccess): Promise<CallResult<string[]>>;
    /** Subscribes our app to the account's callbacks; safe to repeat. */
    subscribe(account: AccountAccess): Promise<CallResult<null>>;
    /** The provider's own number of a time zone, by its IANA name; null for one that it has none for. */
    timeZoneId(name: string): string | null;
    /** The verification handshake of GET /webhooks/receive: the challenge to echo, or null when the token is wrong. */
    answerHandshake(query: Record<string, string | undefined>): string | null;
    /** False for what cannot be a signature, whatever the body is. */
    isSignature(signature: string | undefined): boolean;
    /** True when `signature` (the X-Hub-Signature-256 header) fits the raw bytes under any configured app secret. Constant time. */
    verifySignature(body: Uint8Array, signature: string | undefined): boolean;
    /** Routing key of a callback, read cheaply before it is parsed: phone number id, else account id, else null. */
    routingKey(body: Uint8Array): string | null;
    /** Parses one callback change by change. Never throws: parts that are not understood are returned as `unrecognized`. */
    parseCallback(body: Uint8Array): ParsedCallback;
    /** The envelope of one part alone, cut out of a callback; null where it is not in there. */
    cutCallback(body: Uint8Array, part: CallbackPart, own: OwnValues): PartEnvelope | null;
    /** The same from what is kept of it, where the callback is gone. */
    writeCallback(written: Written): PartEnvelope;
    close(): Promise<void>;
  };

/** One message to one person. `to` is E.164 with `+`; `userId` the business-scoped id, used when there is no number. */
export type SendRequest = {
  accessToken: string;
  providerPhoneNumberId: string;
  /** The Messaging account that it is billed to, where the number has several; null or absent: the provider knows. */
  messagingAccountId?: string | null;
  to: string | null;
  userId: string | null;
  type: string;
  /** The object named after `type`, in the provider's own field names. */
  content: unknown;
  /** Provider id of the message that is quoted, or reacted to. */
  replyToProviderId: string | null;
  /** Our authenticated correlation value, echoed in status callbacks (`biz_opaque_callback_data`, at most 512 characters). */
  correlationToken: string;
  /** Called once, synchronously, just before the first byte may leave; false stops the send with `definite_no` and zero bytes. */
  mayWrite: () => boolean;
  signal?: AbortSignal;
};

/** What of a send says what the person gets. */
export type SentMessage = Omit<SendRequest, "accessToken" | "correlationToken" | "mayWrite" | "signal">;

/** A request as it is written; `path` without its query. */
export type SentRequest = { method: "POST"; path: string; body: Record<string, unknown> };

/** `typing`: the person also sees that a reply is being written. */
export type MarkReadRequest = Pick<SendRequest, "accessToken" | "providerPhoneNumberId" | "signal"> & {
  providerMessageId: string;
  typing: boolean;
};

/**
 * What is certain about a send.
 * - accepted: 200 with an id.
 * - definite_no: the provider refused it, or no byte was sent (`error.bytesSent === false`).
 * - lost: bytes were sent and there was no answer, or one without a result: the message may or may not have been sent.
 */
export type SendOutcome =
  | {
      kind: "accepted";
      providerMessageId: string;
      /** What the provider calls the recipient: a way to reach the number, no proof that anyone has it. */
      waId: string | null;
      userId: string | null;
      parentUserId: string | null;
      held: boolean;
    }
  | { kind: "definite_no"; error: ProviderError }
  | { kind: "lost"; error: ProviderError };

export type ProviderAccount = {
  providerAccountId: string;
  name: string;
  portfolioId: string | null;
  /** IANA name; null: one that is not known here. Undefined: the provider said nothing of it. */
  timeZone: string | null | undefined;
  /** Why the account may send nothing now, as the provider says it; null: it may. */
  blocked: string | null;
};

export type ProviderPhoneNumber = {
  providerPhoneNumberId: string;
  /** E.164 with `+`. */
  phone: string;
  verifiedName: string | null;
  /** green, yellow, red or unknown. */
  quality: string;
  /** The provider's status in lower case: connected, disconnected, pending, … */
  status: string;
  /** Messages per second that the provider allows; null when it did not say. */
  throughputPerSecond: number | null;
  /** People that its portfolio may write to outside their windows in 24 hours; null when the provider did not say. */
  messagingLimit: number | "unlimited" | null;
};

export type ProviderTemplate = {
  providerTemplateId: string;
  name: string;
  /** As the API writes it: `en_US`. */
  language: string;
  /** utility, marketing or authentication. */
  category: string;
  status: TemplateStatus;
  quality: string;
  parameterFormat: "positional" | "named";
  components: unknown[];
  rejectionReason: string | null;
};
