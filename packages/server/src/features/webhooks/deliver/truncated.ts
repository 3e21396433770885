import { isRow, type JsonRow } from "../../events/event-groups.ts";
import { withoutContent } from "../feed/without-content.ts";
import type { EventBody } from "./event-shape.ts";

/** Bytes. Servers refuse larger bodies by default: nginx those above 1 MiB, many frameworks those above 100 KiB to 1 MiB. */
export const MOST_BODY_BYTES = 256 * 1_024;
/** Characters of JSON: an id, a status, a time, a name, an error all fit. */
const MOST_FIELD = 1_024;
/** Characters of JSON of all that is left. */
const MOST_LEFT = 16 * 1_024;

/**
 * The body of an event that would be too large, without its content: of `data` the fields that are small, of those that are not the small
 * ones among their own. A message is left as a reader without `messages:read` has it; `GET /v1/messages/{id}` has all of it.
 */
export function truncated(body: EventBody): EventBody {
  const left = { most: MOST_LEFT };
  const data: JsonRow = {};
  for (const [name, value] of Object.entries(withoutContent(body).data)) {
    const small = smallOf(value, left);
    if (small !== undefined) data[name] = small;
    else if (isRow(value)) data[name] = smallFields(value, left);
  }
  return { ...body, data, truncated: true };
}

function smallFields(row: JsonRow, left: { most: number }): JsonRow {
  const fields: JsonRow = {};
  for (const [name, value] of Object.entries(row)) {
    const small = smallOf(value, left, name);
    if (small !== undefined) fields[name] = small;
  }
  return fields;
}

/** The value where it is small and there is room for it. */
function smallOf(value: unknown, left: { most: number }, name = ""): unknown {
  const size = name.length + (JSON.stringify(value)?.length ?? 0);
  if (size > MOST_FIELD || size > left.most) return undefined;
  left.most -= size;
  return value;
}
