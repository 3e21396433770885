import type { Access, AccountAccess, CallResult, ErrorClass, MessageErrorCode, ProviderError } from "./call-result.ts";
import type { NamedWaac } from "./named-waac.ts";
import type { PreviousNames, ProviderPerson } from "./person.ts";
import type { ProfileCalls } from "./profile-calls.ts";
import type { PhoneBookEntry, ProviderCall, ProviderHandover, ReportedPayment } from "./reported.ts";
import type { SignupCalls } from "./signup-calls.ts";
import type { TemplateCalls } from "./template-calls.ts";
import type { ThreadCalls } from "./thread-calls.ts";

// Apart from the port, because each group of its calls needs them too.
export type { AccountAccess, CallResult, ErrorClass, MessageErrorCode, ProviderError };

/**
 * The port to the messaging provider. It has one adapter (`provider/whatsapp`); the simulator speaks the same protocol, so both
 * are tested by one suite. Functions return values and never throw for the provider's answers: an exception is a bug.
 */
export type Provider = ProfileCalls &
  SignupCalls &
  TemplateCalls &
  ThreadCalls & {
    /**
     * Resolves when a connection is open for one more send, or the signal fires. Never rejects: where none can be opened, the send meets
     * that. `end` is called when the send begins, or when there will be none.
     */
    reserveSend(signal: AbortSignal): Promise<{ end(): void }>;
    send(request: SendRequest): Promise<SendOutcome>;
    /** Shows an inbound message, and those before it, as read; safe to repeat. */
    markRead(request: MarkReadRequest): Promise<CallResult<null>>;
    listPhoneNumbers(account: AccountAccess): Promise<CallResult<ProviderPhoneNumber[]>>;
    /** With `name`, those that have it as their name or as a part of it. */
    listTemplates(account: AccountAccess & { name?: string }): Promise<CallResult<ProviderTemplate[]>>;
    getTemplate(access: Access & { providerTemplateId: string }): Promise<CallResult<ProviderTemplate>>;
    getAccount(account: AccountAccess): Promise<CallResult<ProviderAccount>>;
    /** Whether what has the id of the account is a phone number. */
    isPhoneNumber(account: AccountAccess): Promise<boolean>;
    /** Subscribes our app to the account's callbacks; safe to repeat. */
    subscribe(account: AccountAccess): Promise<CallResult<null>>;
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

export const TEMPLATE_STATUSES = [
  "pending",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "in_appeal",
  "flagged",
  "limit_exceeded",
  "locked",
  "pending_deletion",
  "deleted",
  "archived",
] as const;
export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

/** One callback: its changes in order. `json: false` means that the signed bytes were not JSON. */
export type ParsedCallback = {
  json: boolean;
  changes: CallbackChange[];
  waacs?: NamedWaac[];
};

/** What a callback says of a template: the kind of the event that reports it, and its words. */
export type TemplateNews =
  | { kind: TemplateStatus; reason: string | null; detail: Record<string, unknown> | null }
  | { kind: "template_quality_changed"; previous: string; current: string }
  /** `effectiveAt`: the category changes then (milliseconds); null: it has changed. */
  | { kind: "template_category_changed"; previous: string; current: string; effectiveAt: number | null };

/** A message of before the number was connected. */
export type PastMessage = Omit<MessageChange, "kind" | "direction" | "opensWindow" | "previous"> & {
  outbound: boolean;
  /** How far one that the business wrote has come; null: it is not known, or a person wrote it. */
  status: "accepted" | "sent" | "delivered" | "read" | "played" | "failed" | null;
};
type MessageChange = Extract<CallbackChange, { kind: "message" }>;

/** Times are the provider's, in milliseconds since the epoch (it sends whole seconds). */
export type CallbackChange =
  | {
      kind: "status";
      providerPhoneNumberId: string;
      providerMessageId: string;
      /** `deleted` and `warning` are of older versions and say nothing of how far the message came. */
      status: "sent" | "delivered" | "read" | "played" | "failed" | "deleted" | "warning";
      at: number;
      /** `biz_opaque_callback_data` as echoed, unverified. */
      correlationToken: string | null;
      error: ProviderError | null;
      /** As the provider gave it; null where it gave none, or no object. */
      pricing: Record<string, unknown> | null;
      conversation: Record<string, unknown> | null;
      /** What the provider calls the person that the message went to. `waId`: digits, as in `message`. */
      recipient: Omit<ProviderPerson, "from">;
      /** A copy of what another responder of the number was told: the message is not one of ours. */
      isCopy?: true;
    }
  | ReportedPayment
  | (ProviderPerson & {
      kind: "message";
      /** `echo`: the business wrote it itself in the WhatsApp Business app, and the person is whom it wrote to. */
      direction: "inbound" | "echo";
      /** A copy: another responder of the number owns the conversation, and is who answers, or wrote the echo. */
      isCopy?: true;
      providerPhoneNumberId: string;
      providerMessageId: string;
      at: number;
      /** The person changed number or user id: what they had until then. The ids above are the new ones. */
      previous: PreviousNames | null;
      /** A supported type, or `unsupported` with the raw object as content. */
      type: string;
      content: unknown;
      replyToProviderId: string | null;
      /** False for messages that do not open the 24-hour window: system notices, messages of groups, echoes. */
      opensWindow: boolean;
      /** The group that it was written in; null for one between two. */
      groupId: string | null;
      /** These two as the provider gave them; null where it gave none, or no object. */
      context: Record<string, unknown> | null;
      referral: Record<string, unknown> | null;
      /** As the provider gave them, in any shape; null where it gave none. */
      errors: unknown;
      /** By the provider's names, whatever else it said of the message, and of its person under `contact`; null without any. */
      fields: Record<string, unknown> | null;
    })
  | (ProviderPerson & {
      /** A person's setting for marketing of this business; or, without a consent, that they changed ids. */
      kind: "preference";
      providerPhoneNumberId: string;
      at: number;
      consent: "opted_out" | "opted_in" | null;
      /** How it was said: by the setting in the app, or by signing up. */
      source: "preference" | "signup";
      /** As of a message. */
      previous: PreviousNames | null;
    })
  | ProviderHandover
  | (ProviderPerson & {
      /** Something happened to a call between a person and the number, whoever made it. */
      kind: "call";
      providerPhoneNumberId: string;
      at: number;
      /** When the person made the call, which opens the 24-hour window as a message does; null: the business made it. */
      calledAt: number | null;
      /** By the provider's names, without what was said of people or is of use to the line alone. */
      call: ProviderCall;
    })
  | {
      /** Messages of before the number was connected, each with what became of it. A file may come alone, for a message without one. */
      kind: "history";
      providerPhoneNumberId: string;
      messages: readonly PastMessage[];
    }
  | {
      /** What changed in the phone book of the number's own phone. */
      kind: "phone_book";
      providerPhoneNumberId: string;
      entries: readonly PhoneBookEntry[];
    }
  | {
      /** A template has changed: the provider is asked for it. `news`: null where only that answer can tell what is new. */
      kind: "template";
      providerAccountId: string;
      providerTemplateId: string;
      /** When the provider reported it; null where it gives no time. */
      at: number | null;
      news: TemplateNews | null;
      /** The text of its body, where the callback is about its content: what a read must show. */
      body?: string;
    }
  | {
      /** Whatever else the provider reports of an account or one of its numbers. */
      kind: "notice";
      /** The name of the field, the event of an `account_update`, or `errors`: of a number, in any field. */
      event: string;
      /** Access was granted or removed, or something else has changed. `silent`: only asking tells what. */
      meaning: "granted" | "removed" | "changed" | "silent";
      /** Account and numbers may not be as they were: the provider is asked. */
      asks: boolean;
      providerAccountId: string | null;
      providerPhoneNumberId: string | null;
      /** As of a template. */
      at: number | null;
      /** What was said, as the provider gave it: by it a repetition is known again. */
      value: Record<string, unknown>;
      /** What of it may be told of: all that is of the business, and nothing that may be of a person. */
      detail: Record<string, unknown>;
    }
  | {
      kind: "unrecognized";
      reason: string;
      providerPhoneNumberId: string | null;
      providerAccountId: string | null;
      value: unknown;
    };
