import { parsePhone, phoneOfProvider } from "../../../lib/phone/phone.ts";
import type { PhoneBookEntry } from "../../reported.ts";
import { asRecord, asText } from "../json.ts";
import { providerTime } from "./provider-time.ts";

/** Reads one item of `state_sync` (Cloud API documentation, webhooks: coexistence); null: it has no number that could be a person's. */
export function readEntry(item: unknown): PhoneBookEntry | null {
  const record = asRecord(item);
  const contact = asRecord(record?.["contact"]);
  const written = asText(contact?.["phone_number"]);
  const phone = phoneOfProvider(written) ?? parsePhone(`+${written?.replace(/^\+/, "") ?? ""}`)?.slice(1) ?? null;
  if (record === null || phone === null) return null;
  return {
    phone,
    name: nameOf(asText(contact?.["full_name"]) ?? asText(contact?.["first_name"])),
    removed: record["action"] === "remove",
    at: providerTime(asRecord(record["metadata"])?.["timestamp"]),
  };
}

/** As long as a name that a client may give. */
const MOST_NAME_CHARACTERS = 256;
/** Invisible characters that a phone puts around names: control characters and marks of direction. */
const UNSEEN = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

function nameOf(text: string | null): string | null {
  const shown = text?.replace(UNSEEN, "").trim() ?? "";
  // By characters: half of one is none.
  return shown === "" ? null : Array.from(shown).slice(0, MOST_NAME_CHARACTERS).join("");
}
