import type { PartPlace } from "./part-place.ts";
import type { ProviderCall } from "./reported.ts";

/** What an event reports of a callback. */
export type CallbackPart = ListedPart | PartPlace;

/** One item of the lists of a number. */
export type ListedPart = {
  /** The number that it is of: the same message may stand in a callback for both of its sides. */
  providerPhoneNumberId: string;
  /** Of the message; of a call its own; null where what is reported has none. */
  providerId: string | null;
  is: PartKind;
};

/**
 * `message` is of a person, `echo` of the business; a status is the provider's word, and so is that of a payment. Of a call either what
 * happened to it, or what became of one that the business made.
 */
export type PartKind =
  | "message"
  | "echo"
  | { status: string }
  | { payment: string; reference: string | null }
  | { callEvent: string }
  | { callStatus: string }
  /** A person's setting, by the provider's word for its value, and who answers from now on: these are found by their place. */
  | { preference: string }
  | { handover: "self" | "other" | "none" };

/** A notice as a callback has it, with what is kept of what it says: nothing of a person. */
export type ReportedNotice = { part: PartPlace; value: Record<string, unknown> };

/** What of a part is ours, and is passed on otherwise or not at all. */
export type OwnValues = {
  /** Whether this value of `biz_opaque_callback_data` is a gateway's. */
  isOurs(value: string): boolean;
  /** Whether it names the message that the part is of. */
  namesMessage(value: string): boolean;
  /** What its files are here, in the order in which `filesIn` finds them: with ids and addresses of ours. */
  files?: readonly OwnFile[];
  /** Of the message that a status is of, where its id in public is not the provider's. */
  publicId?: string | null;
  /** What the client gave for `biz_opaque_callback_data` of the message that a status is of, where we have sent a value of ours. */
  clientValue?: string | null;
  /** Ids in public of messages that a message names, where these are not the provider's: by the provider's. */
  ids?: ReadonlyMap<string, string>;
};
export type OwnFile = { id: string; url: string };

/** An envelope of one part, in ASCII; `field` is that of its change. */
export type PartEnvelope = { field: string; body: Buffer };

/** What the envelope of a part is written from where the callback is gone. */
export type Written = WrittenPart | WrittenNotice;

export type WrittenNotice = ReportedNotice & {
  providerAccountId: string;
  /** Milliseconds; null: the provider gave no time. */
  at: number | null;
};

export type WrittenPart = ListedPart & {
  providerAccountId: string;
  /** E.164 with `+`, here and below. */
  businessPhone: string | null;
  person: { phone: string | null; userId: string | null; name: string | null };
  /** Milliseconds. */
  at: number;
  /** Of a conversation that another responder of the number owns. */
  isCopy?: boolean;
  /** Of a message or echo, as it is kept. */
  message?: {
    type: string;
    content: unknown;
    context: unknown;
    referral: unknown;
    errors: unknown;
    groupId: string | null;
    fields: Record<string, unknown>;
  } | null;
  /** As of `OwnValues`. */
  clientValue?: string | null;
  /** Of a status. */
  error?: { code: number; title: string; details: string | null } | null;
  pricing?: unknown;
  /** Of a call, as it is kept. */
  call?: ProviderCall;
  /** Of a setting: the provider's words, by its names. */
  fields?: Record<string, unknown>;
};
