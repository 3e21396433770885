import { NOTICE_FIELDS } from "../../notice-fields.ts";
import { asRecord } from "../json.ts";

type Value = Record<string, unknown>;

/** What these say is reported whole. */
const OF_THE_BUSINESS: ReadonlySet<string> = new Set(NOTICE_FIELDS);
/** Read by what is documented of them alone (action.ts): ids of clicks, without whose they are. */
const REDUCED: ReadonlySet<string> = new Set(["tracking_events", "user_actions"]);

/** Whether a change of this field has nothing of a person. */
export const isOfBusiness = (field: string): boolean => OF_THE_BUSINESS.has(field);

/**
 * Of any other field what may be of a person is left out, which is all but these: names of the provider's, ids of groups, numbers that
 * count, times and errors. No text that a person wrote, no name, no number, no id of a person or a message is under one of them.
 */
const SAYS_NOTHING_OF_PEOPLE: ReadonlySet<string> = new Set([
  "action",
  "category",
  "chunk_order",
  "code",
  "event",
  "event_name",
  "group_id",
  "href",
  "message",
  "phase",
  "progress",
  "reason",
  "timestamp",
  "title",
  "type",
]);
/** Where a text that the provider composed for an error stands; anywhere else the same name may be what a person wrote. */
const OF_ERRORS: ReadonlySet<string> = new Set(["href", "message", "title", "code"]);
/** Objects and lists that are looked into. */
const LOOKED_INTO: ReadonlySet<string> = new Set(["automatic_events", "errors", "groups", "history", "metadata"]);
/** A name of the provider's, such as `group_participants_add`, is no sentence. */
const MOST_NAME_CHARACTERS = 64;
const NAME = /^[\w.:/-]+$/;

/** What of a notice's value may be kept and reported, by its field: none of it is of a person, so that no erasure has to find it. */
export function detailOfNotice(field: string, value: Value): Value {
  if (OF_THE_BUSINESS.has(field) || REDUCED.has(field)) return value;
  return withoutPeople(value, false) as Value; // an object stays one
}

/** Recursion is bounded by the depth that is parsed at all. */
function withoutPeople(value: unknown, isError: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutPeople(one, isError)).filter((one) => one !== undefined);
  const record = asRecord(value);
  if (record === null) return undefined;
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, inner]): [string, unknown][] => {
      if (LOOKED_INTO.has(name) && typeof inner === "object") {
        const kept = withoutPeople(inner, name === "errors");
        return kept === undefined ? [] : [[name, kept]];
      }
      return isKept(name, inner, isError) ? [[name, inner]] : [];
    }),
  );
}

function isKept(name: string, value: unknown, isError: boolean): boolean {
  if (!SAYS_NOTHING_OF_PEOPLE.has(name) || (OF_ERRORS.has(name) && !isError)) return false;
  if (typeof value === "number") return true;
  return typeof value === "string" && (isError || (value.length <= MOST_NAME_CHARACTERS && NAME.test(value)));
}
