import type { ProviderPerson } from "../../person.ts";
import type { CallbackChange } from "../../provider.ts";
import { asRecord } from "../json.ts";
import { numberOf } from "./person.ts";

type Fields = Record<string, unknown>;
type MessageChange = Extract<CallbackChange, { kind: "message" }>;

/** What a message has that a field of its change says, beside its content and the names of its person. */
const READ_OF_MESSAGE: ReadonlySet<string> = new Set(["id", "timestamp", "type", "group_id", "errors"]);
/** The same, where they are objects. */
const READ_AS_OBJECTS = ["context", "referral"] as const;
/** What calls its person; the sender of an echo is the number itself. */
const NAMES_OF_PERSON: Record<MessageChange["direction"], ReadonlySet<string>> = {
  inbound: new Set(["from", "from_user_id", "from_parent_user_id"]),
  echo: new Set(["to", "to_user_id", "to_parent_user_id"]),
};
const NAMES_OF_CONTACT: ReadonlySet<string> = new Set(["wa_id", "user_id", "parent_user_id"]);
const NAMES_OF_PROFILE: ReadonlySet<string> = new Set(["name", "username"]);

/**
 * Everything of a message and its contact that no field of its change says, by the provider's names: what it adds next year is kept
 * and shown. So is what should call its person, or say what it is about, and was not understood; and where no contact beside it is its
 * person, who is there all the same (`strangers`).
 */
export function fieldsOf(
  message: Fields,
  { contact, strangers }: { contact: Fields | null; strangers: readonly Fields[] },
  read: Omit<MessageChange, "fields">,
): Fields | null {
  const said = namesOf(read);
  // Of a type that is not known the whole message is the content.
  const isRead = (name: string, value: unknown): boolean =>
    READ_OF_MESSAGE.has(name) ||
    READ_AS_OBJECTS.some((field) => field === name && (value ?? null) === read[field]) ||
    (name === "from" && read.direction === "echo") ||
    (NAMES_OF_PERSON[read.direction].has(name) && said(value)) ||
    (name === read.type && value === read.content);
  const ofMessage = read.content === message ? {} : without(message, isRead);
  const ofProfile = without(
    asRecord(contact?.["profile"]) ?? {},
    (name, value) => NAMES_OF_PROFILE.has(name) && said(value),
  );
  const ofContact = without(contact ?? {}, (name, value) =>
    name === "profile" ? asRecord(value) !== null || said(value) : NAMES_OF_CONTACT.has(name) && said(value),
  );
  const ofPerson = isEmpty(ofProfile) ? ofContact : { ...ofContact, profile: ofProfile };
  const fields = {
    ...ofMessage,
    ...(isEmpty(ofPerson) ? {} : { contact: ofPerson }),
    ...(contact === null && strangers.length > 0 ? { contacts: strangers } : {}),
  };
  return isEmpty(fields) ? null : fields;
}

/** Whether a value is one of the names that were understood, or none. */
function namesOf({
  from,
  waId,
  userId,
  parentUserId,
  username,
  profileName,
}: ProviderPerson): (value: unknown) => boolean {
  const names = new Set<unknown>([waId, from, from?.slice(1), userId, parentUserId, username, profileName, "", null]);
  return (value) => names.has(value) || (typeof value === "string" && names.has(numberOf(value) ?? value));
}

const without = (fields: Fields, isRead: (name: string, value: unknown) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isRead(name, value)));

const isEmpty = (fields: Fields): boolean => Object.keys(fields).length === 0;
