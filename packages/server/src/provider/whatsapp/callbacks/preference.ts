import type { CallbackChange } from "../../provider.ts";
import { asId, asRecord, asText, wellFormed } from "../json.ts";
import { NONE_BESIDE, PeopleBeside, senderOf } from "./person.ts";
import { providerTime } from "./provider-time.ts";

type Preference = Extract<CallbackChange, { kind: "preference" }>;
type Said = Pick<Preference, "source"> & { consent: "opted_out" | "opted_in" };
const CONSENTS: ReadonlyMap<string, Said> = new Map<string, Said>([
  ["stop", { consent: "opted_out", source: "preference" }],
  ["resume", { consent: "opted_in", source: "preference" }],
  ["signup", { consent: "opted_in", source: "signup" }],
]);

/**
 * Reads one item of `user_preferences` (Cloud API documentation, webhooks: accounts), or says why it cannot. Null: a setting that
 * says nothing of consent.
 */
export function readPreference(
  preference: Record<string, unknown>,
  beside: PeopleBeside,
  providerPhoneNumberId: string,
): Preference | { reason: string } | null {
  const said = CONSENTS.get(asText(preference["value"]) ?? "");
  if (preference["category"] !== "marketing_messages" || said === undefined) return null;
  const at = providerTime(preference["timestamp"]);
  if (at === null) return { reason: "preference without readable time" };
  const person = senderOf(
    {
      from: preference["wa_id"],
      from_user_id: preference["user_id"],
      from_parent_user_id: preference["parent_user_id"],
    },
    beside,
  );
  if (person === null) return { reason: "preference without person" };
  return { kind: "preference", providerPhoneNumberId, at, ...said, ...wordsOf(preference), previous: null, ...person };
}

/** Longest text kept of each: the provider's own are one sentence, and an id. */
const MAX_WORDS_CHARS = 512;

/** The provider's sentence for the setting, and which of the business's sign-ups it was. Any other field may be of the person. */
function wordsOf({ detail, signup_id }: Record<string, unknown>): { fields?: Record<string, string> } {
  const texts = { detail: asText(detail), signup_id: asId(signup_id) };
  const said = Object.entries(texts).flatMap(([name, text]): [string, string][] =>
    text === null || text === "" ? [] : [[name, wellFormed(text.slice(0, MAX_WORDS_CHARS))]],
  );
  return said.length === 0 ? {} : { fields: Object.fromEntries(said) };
}

/** Reads one contact of `consumer_profile`: it says only who a person is. `at`: the time of the callback. */
export function readProfile(
  contact: unknown,
  providerPhoneNumberId: string,
  at: number,
): CallbackChange | { reason: string } {
  const person = senderOf({}, new PeopleBeside([contact], []));
  if (person === null) return { reason: "profile without person" };
  return {
    kind: "preference",
    providerPhoneNumberId,
    at,
    consent: null,
    source: "preference",
    previous: null,
    ...person,
  };
}

/**
 * Reads one item of `user_id_update`, which was withdrawn in August 2026 and may still come (Cloud API changelog): a person has another
 * user id.
 */
export function readUserIdUpdate(
  update: Record<string, unknown>,
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const at = providerTime(update["timestamp"]);
  if (at === null) return { reason: "change of a user id without readable time" };
  const [ids, parentIds] = [asRecord(update["user_id"]), asRecord(update["parent_user_id"])];
  const now = { from_user_id: ids?.["current"], from_parent_user_id: parentIds?.["current"] };
  const before = { from_user_id: ids?.["previous"], from_parent_user_id: parentIds?.["previous"] };
  const [person, previous] = [senderOf(now, NONE_BESIDE), senderOf(before, NONE_BESIDE)];
  if (person?.userId == null || previous === null) return { reason: "change of a user id without both ids" };
  const { userId, parentUserId } = previous;
  return {
    kind: "preference",
    providerPhoneNumberId,
    at,
    consent: null,
    source: "preference",
    previous: { waId: null, userId, parentUserId },
    ...person,
  };
}
