import type { CallbackChange } from "../../provider.ts";
import type { ProviderCall } from "../../reported.ts";
import { asId, asInteger, asText } from "../json.ts";
import { type PeopleBeside, senderOf } from "./person.ts";
import { providerTime } from "./provider-time.ts";

type Item = Record<string, unknown>;
type Read = CallbackChange | { reason: string };

/** Where a call is that `calls` or `statuses` of the field `calls` has: beside which people, and of which number. */
export type OfNumber = { beside: PeopleBeside; providerPhoneNumberId: string; displayNumber: string | null };

/**
 * Reads one item of `calls` (Cloud API documentation, webhooks: calls), or says why it cannot. Of its session (the addresses and keys
 * of one line, for seconds), its payloads and the numbers nothing is kept: the person is the change's own.
 */
export function readCall(item: Item, { beside, providerPhoneNumberId, displayNumber }: OfNumber): Read {
  const byBusiness = isByBusiness(item, displayNumber);
  const names = personOfCall(item, displayNumber);
  const call = callOf(item, asText(item["event"]));
  // Its end, which may come first, says when it was answered.
  const started = providerTime(item["start_time"]) ?? providerTime(item["timestamp"]);
  return changeOf(item, call, { names, beside, providerPhoneNumberId, calledAt: byBusiness ? null : started });
}

/** What calls the person of an item of `calls`, as a sender is called. */
export function personOfCall(item: Item, displayNumber: string | null): Item {
  const side = isByBusiness(item, displayNumber) ? "to" : "from";
  return {
    from: item[side],
    from_user_id: item[`${side}_user_id`] ?? item["user_id"],
    from_parent_user_id: item[`${side}_parent_user_id`] ?? item["parent_user_id"],
  };
}

/** Reads one item of `statuses` of the field `calls`: what became of a call that the business made. */
export function readCallStatus(item: Item, { beside, providerPhoneNumberId }: OfNumber): Read {
  const names = {
    from: item["recipient_id"],
    from_user_id: item["recipient_user_id"],
    from_parent_user_id: item["recipient_parent_user_id"],
  };
  const call = callOf({ direction: "BUSINESS_INITIATED", ...item }, undefined);
  return changeOf(item, call, { names, beside, providerPhoneNumberId, calledAt: null });
}

function isByBusiness(item: Item, displayNumber: string | null): boolean {
  const direction = asText(item["direction"]);
  if (direction !== null) return direction.toUpperCase() === "BUSINESS_INITIATED";
  const from = asText(item["from"])?.replace(/\D/g, "");
  return from !== undefined && from === displayNumber?.replace(/\D/g, "");
}

export function callOf(item: Item, event: string | null | undefined): ProviderCall | null {
  const id = asId(item["id"]);
  if (id === null || event === null) return null;
  const texts = {
    event: short(event),
    direction: short(item["direction"]),
    status: short(Array.isArray(item["status"]) ? item["status"][0] : item["status"]),
    start_time: secondsOf(item["start_time"]),
    end_time: secondsOf(item["end_time"]),
  };
  const duration = asInteger(item["duration"]);
  return {
    id,
    ...Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === "string")),
    ...(duration === null ? {} : { duration }),
  };
}

/** Names of the provider's, such as COMPLETED: longer ones are none. */
const MOST_NAME_CHARACTERS = 40;
const NAME = /^\w+$/;
function short(value: unknown): string | null {
  const text = asText(value);
  return text !== null && text.length <= MOST_NAME_CHARACTERS && NAME.test(text) ? text : null;
}
const secondsOf = (value: unknown): string | null => (providerTime(value) === null ? null : String(value));

type About = {
  names: Item;
  beside: PeopleBeside;
  providerPhoneNumberId: string;
  calledAt: number | null;
};

function changeOf(item: Item, call: ProviderCall | null, about: About): Read {
  const { names, beside, providerPhoneNumberId, calledAt } = about;
  const at = providerTime(item["timestamp"]);
  if (call === null) return { reason: "call without id or event" };
  if (at === null) return { reason: "call without readable time" };
  const person = senderOf(names, beside);
  if (person === null) return { reason: "call without person" };
  return { kind: "call", providerPhoneNumberId, at, calledAt, call, ...person };
}
