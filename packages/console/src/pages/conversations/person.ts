import type { Conversation } from "@waypost/sdk";
import { grouped } from "../../parts/phone-number.ts";
import { text } from "../../text/text.ts";

/** What a person is called: by name, else by number. */
export const personOf = ({ contact: { name, phone } }: Pick<Conversation, "contact">): string =>
  name ?? (phone === null ? text.conversations.noName : grouped(phone));
