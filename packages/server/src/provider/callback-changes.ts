import type { ProviderError } from "./call-result.ts";
import type { ReportedNotice } from "./callback-parts.ts";
import type { NamedWaac } from "./named-waac.ts";
import type { PartPlace } from "./part-place.ts";
import type { PreviousNames, ProviderPerson } from "./person.ts";
import type { PhoneBookEntry, ProviderCall, ProviderHandover, ReportedPayment } from "./reported.ts";
import type { TemplateStatus } from "./template-status.ts";

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
      /** A copy of what a person wrote to another responder of the number: the message is not one of ours. */
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
      /** The provider's words for it, by its names: nothing that the person wrote. Absent without any. */
      fields?: Record<string, string>;
      /** As of a message. */
      previous: PreviousNames | null;
      /** Where the callback says it, of a setting. */
      place?: PartPlace;
    })
  | ProviderHandover
  | (ProviderPerson & {
      /** Something happened to a call between a person and the number, in either direction. */
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
      /** The change that says so, for endpoints in the provider's format. */
      reported: ReportedNotice;
    }
  | {
      /** Whatever else the provider reports of an account or one of its numbers. */
      kind: "notice";
      /** The name of the field, the event of an `account_update`, or `errors`: of a number, in any field. */
      event: string;
      /** Access was granted or removed, or something else has changed. `silent`: what it was must be asked for. */
      meaning: "granted" | "removed" | "changed" | "silent";
      /** Account and numbers may not be as they were: the provider is asked. */
      asks: boolean;
      providerAccountId: string | null;
      providerPhoneNumberId: string | null;
      /** As of a template. */
      at: number | null;
      /** What was said, as the provider gave it: by it a repetition is known again. */
      value: Record<string, unknown>;
      /** What of it may be reported: all that is of the business, and nothing that may be of a person. */
      detail: Record<string, unknown>;
      /** As of a template; absent where the change may be of people too. */
      reported?: ReportedNotice;
    }
  | {
      kind: "unrecognized";
      reason: string;
      providerPhoneNumberId: string | null;
      providerAccountId: string | null;
      value: unknown;
    };
