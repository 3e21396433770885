import type { Event, Message } from "@waypost/sdk";
import { messageOf } from "../../api/event-message.ts";
import { grouped } from "../../parts/phone-number.ts";
import { summaryOf } from "../messages/summary.ts";

type Data = {
  message?: Message | null;
  contact?: { name?: string | null; phone?: string | null } | null;
  template?: { name?: string } | null;
  webhook_endpoint?: { url?: string } | null;
  phone_number?: { phone?: string } | null;
  business_account?: { name?: string } | null;
};

/** What an event is about, in a few words; empty where its kind says it all. */
export function aboutOf({ data }: Event): string {
  const {
    message,
    contact,
    template,
    webhook_endpoint: endpoint,
    phone_number: number,
    business_account: account,
  } = data as Data; // by its kind
  if (message) {
    const person = message.direction === "outbound" ? message.to : message.from;
    return [person && grouped(person), summaryOf(message), message.error?.code].filter(Boolean).join(" · ");
  }
  const phone = contact?.phone ?? number?.phone;
  return [contact?.name, phone && grouped(phone), template?.name, endpoint?.url, account?.name]
    .filter(Boolean)
    .join(" · ");
}

/** Id of the message that an event is about. */
export const messageIdOf = (event: Event): string | null => messageOf(event)?.id ?? null;
