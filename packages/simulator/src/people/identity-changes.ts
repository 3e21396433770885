import {
  contactOf,
  digitsIn,
  identityOf,
  isNumberHidden,
  personIn,
  type Sender,
  senderOf,
} from "../simulation/identity.ts";
import { type ReportedUpdate, report } from "../simulation/report.ts";
import { metadataOf, type Simulation, timestampOf } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { Identity, Person } from "../world/people.ts";
import { chatWith, type PhoneNumber } from "../world/world.ts";

/** `report: false`: the callback is only returned, to be sent later. */
type ReportInput = { phone_number_id: string; person: string; report?: boolean };

/** A system message of the provider; `also_to`: more phone numbers that it is reported to. */
type ChangeInput = ReportInput & { also_to?: readonly string[]; id?: string; timestamp?: string };

/** `wa_id` when it is not the usual form of `to`; `user_ids: false` leaves them out, as before 2026-08-11. */
export type NumberChangeInput = ChangeInput & {
  to: string;
  wa_id?: string;
  kind?: "user_changed_number" | "customer_changed_number";
  user_ids?: boolean;
};

/** `with_number`: the message has `from`, which is mostly left out. */
export type UserIdChangeInput = ChangeInput & { with_number?: boolean };

/** `timestamp` is a number here, in Unix seconds. `signup`: by a link of the business, which `signup_id` names. */
export type MarketingInput = ReportInput & {
  value: "stop" | "resume" | "signup";
  signup_id?: string;
  detail?: string;
  timestamp?: number;
};

export type ChangeResult = {
  /** Of the system message. */
  id: string;
  wa_id: string | null;
  previous_wa_id: string | null;
  /** In the portfolio of the number that it was reported to. */
  user_id: string;
  previous_user_id: string;
  reported: boolean;
  update: ReportedUpdate;
};

export type MarketingResult = { wa_id: string | null; user_id: string; reported: boolean; update: ReportedUpdate };

/** The person moves to another number, and so gets new user ids everywhere. One result for each number that it is reported to. */
export function changeNumber(
  sim: Simulation,
  numbers: readonly PhoneNumber[],
  person: Person,
  input: NumberChangeInput,
): ChangeResult[] {
  const { people } = sim.world;
  const to = digitsIn(input.to);
  const waId = input.wa_id === undefined ? undefined : digitsIn(input.wa_id);
  if (people.find(to) === person) throw new ControlError(400, `the person has the number ${to} already`);
  const { kind = "user_changed_number", user_ids = kind === "user_changed_number" } = input;
  const reports = numbers.map((number) => {
    const before = identityOf(sim, number, person);
    return { number, before, sender: senderOf(before, isNumberHidden(sim, number, person)) };
  });
  people.move(person, to, waId);
  forgetNumberUse(sim, person);
  return reports.map(({ number, before, sender }) => {
    const after = identityOf(sim, number, person);
    const system = {
      body: `${person.name} changed from ${before.waId ?? before.userId} to ${after.waId ?? ""}`,
      type: kind,
      [kind === "user_changed_number" ? "wa_id" : "new_wa_id"]: after.waId,
      ...(user_ids ? changedIds(before, after) : {}),
    };
    const { from } = sender;
    return reportChange(sim, number, input, { before, after, sender: user_ids ? sender : { from }, system });
  });
}

/** The person gets new user ids everywhere and keeps the number. */
export function changeUserId(
  sim: Simulation,
  numbers: readonly PhoneNumber[],
  person: Person,
  input: UserIdChangeInput,
): ChangeResult[] {
  const befores = numbers.map((number) => ({ number, before: identityOf(sim, number, person) }));
  sim.world.people.renewUserIds(person);
  return befores.map(({ number, before }) => {
    const after = identityOf(sim, number, person);
    const sender = senderOf(before, input.with_number !== true);
    const system = { body: "User ID changed", type: "user_changed_user_id", ...changedIds(before, after) };
    return reportChange(sim, number, input, { before, after, sender, system });
  });
}

const DETAILS: Readonly<Record<MarketingInput["value"], string>> = {
  stop: "User requested to stop marketing messages",
  resume: "User requested to resume marketing messages",
  signup: "User signed up for marketing messages",
};

/** The person stops or resumes this number's marketing in the app; marketing templates then fail with 131050. */
export function setMarketing(sim: Simulation, number: PhoneNumber, input: MarketingInput): MarketingResult {
  const person = personIn(sim, number, input.person);
  chatWith(number, person).marketingStopped = input.value === "stop";
  const identity = identityOf(sim, number, person);
  const { profile, ...ids } = contactOf(person, identity, isNumberHidden(sim, number, person));
  const preference = {
    ...ids,
    detail: input.detail ?? DETAILS[input.value],
    category: "marketing_messages",
    value: input.value,
    ...(input.signup_id === undefined ? {} : { signup_id: input.signup_id }),
    timestamp: input.timestamp ?? Math.floor(sim.clock.nowMs() / 1000),
  };
  const value = {
    messaging_product: "whatsapp",
    metadata: metadataOf(number),
    contacts: [{ profile, ...ids }],
    user_preferences: [preference],
  };
  const update = { waba_id: number.account.id, field: "user_preferences", value };
  return {
    wa_id: identity.waId,
    user_id: identity.userId,
    reported: input.report !== false && report(sim, number.account, update),
    update,
  };
}

// Who wrote to the old number has not written to the new one, which a username hides again.
function forgetNumberUse(sim: Simulation, person: Person): void {
  for (const { chats } of sim.world.phoneNumbers.values()) {
    const chat = chats.get(person);
    if (chat !== undefined) chat.numberUsedAt = null;
  }
}

function changedIds(before: Identity, after: Identity): Record<string, unknown> {
  return {
    user_id: after.userId,
    ...(after.parentUserId === null ? {} : { parent_user_id: after.parentUserId }),
    previous_user_id: before.userId,
    ...(before.parentUserId === null ? {} : { previous_parent_user_id: before.parentUserId }),
  };
}

// System messages have no `contacts`.
function reportChange(
  sim: Simulation,
  number: PhoneNumber,
  input: ChangeInput,
  change: { before: Identity; after: Identity; sender: Sender; system: Record<string, unknown> },
): ChangeResult {
  const { before, after, sender, system } = change;
  const message = {
    ...sender,
    id: input.id ?? sim.ids.messageId(),
    timestamp: input.timestamp ?? timestampOf(sim.clock),
    type: "system",
    system,
  };
  const value = { messaging_product: "whatsapp", metadata: metadataOf(number), messages: [message] };
  const update = { waba_id: number.account.id, field: "messages", value };
  return {
    id: message.id,
    wa_id: after.waId,
    previous_wa_id: before.waId,
    user_id: after.userId,
    previous_user_id: before.userId,
    reported: input.report !== false && report(sim, number.account, update),
    update,
  };
}
