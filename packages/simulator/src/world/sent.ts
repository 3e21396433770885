import type { Charge, Pricing } from "./charge.ts";
import type { Identity, Person } from "./people.ts";
import type { StatusName } from "./settings.ts";
import type { PhoneNumber } from "./world.ts";

/** One request to the messages endpoint, accepted or not. `at` in epoch milliseconds, when its head arrived. */
export type SentEntry = {
  cursor: number;
  at: number;
  phone_number_id: string;
  /** As written in `to`, or in `recipient`. */
  to: string | null;
  /** What the number written leads to; null when a user id was written. */
  wa_id: string | null;
  /** The user id written; null when a number was. */
  user_id: string | null;
  type: string | null;
  template: string | null;
  opaque: string | null;
  /** The message id, also when the sender never learned it. */
  id: string | null;
  accepted: boolean;
  /** What was answered; null when there was no answer. */
  http_status: number | null;
  /** The error code answered, or reported by `failed`. */
  code: number | null;
  behaviour: string | null;
  /** The last status emitted. */
  status: string | null;
  /** What it costs: as expected until it is delivered, and as billed from then on; null: nothing was accepted. */
  pricing: Pricing | null;
  /** When it was delivered, or read without that, in epoch milliseconds; null: not yet. */
  delivered_at: number | null;
  /** The body; null once it is among the older ones. */
  request: unknown;
};

/** A message whose statuses are to come. */
export type AcceptedMessage = {
  number: PhoneNumber;
  entry: SentEntry;
  id: string;
  person: Person;
  /** The person's when it was sent. */
  identity: Identity;
  byUserId: boolean;
  opaque: string | null;
  charge: Charge;
  /** It will not be delivered, for want of payment: nothing more is reported of it. */
  isUnpaid: boolean;
  /** Which of `delivered` and `read` was reported first: it repeats the pricing. */
  confirmedBy: "delivered" | "read" | null;
};

export type DueStatus = { message: AcceptedMessage; status: StatusName; code: number | null };
