import type { PartPlace } from "./part-place.ts";
import type { ProviderPerson } from "./person.ts";

/** A call as the provider reports it; fields that it did not give are absent. */
export type ProviderCall = {
  id: string;
  /** `connect` and `terminate` of the call itself; absent of what became of a call that the business made: that is its `status`. */
  event?: string;
  direction?: string;
  status?: string;
  /** Whole seconds, as texts. */
  start_time?: string;
  end_time?: string;
  /** Seconds. */
  duration?: number;
};

/** A person in the phone book. `phone`: digits, as in a message. */
export type PhoneBookEntry = { phone: string; name: string | null; removed: boolean; at: number | null };

/** A payment that a message asked for: nothing of how far the message came. */
export type ReportedPayment = {
  kind: "payment";
  providerPhoneNumberId: string;
  providerMessageId: string;
  /** Null where the provider gives no time. */
  at: number | null;
  /** As of a status. */
  correlationToken: string | null;
  /** In lower case: captured, pending, failed, and what the provider adds. */
  status: string;
  /** What the business calls the payment; null where the provider did not say. */
  reference: string | null;
};

/** The conversation of a number with this person has another owner. */
export type ProviderHandover = ProviderPerson & {
  kind: "handover";
  providerPhoneNumberId: string;
  at: number;
  /** Who answers from now on: this app, another responder, or neither. */
  owner: "self" | "other" | "none";
  /** It was taken from the provider's own agent: also what is reported of a conversation that this app took from it. */
  fromAgent: boolean;
  /** A digest of what was said: the provider repeats it. */
  mark: string;
  /** As of a message; a handover says nothing of it. */
  previous: null;
  /** Where the callback says it. */
  place?: PartPlace;
};
