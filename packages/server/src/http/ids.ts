import { Type } from "typebox";
import { type IdPrefix, parseId } from "../lib/ids.ts";
import { notFound, referenceNotFound } from "./problem.ts";
import { explained } from "./schema-types.ts";

// 128 bits in 26 characters of five: the first one holds three bits, hence 0 to 7.
const REST = "[0-7][0-9a-hjkmnp-tv-z]{25}";

const ANY_ID = new RegExp(`^[a-z]+_${REST}$`);
/** True for a public id with any prefix. Names of types are no ids: no word of theirs is that long, and they have no digits. */
export const isAnyId = (text: string): boolean => ANY_ID.test(text);

/** Schema of a public id: `idSchema("msg")` takes `msg_…` and nothing else. */
export const idSchema = (prefix: IdPrefix, description?: string) =>
  Type.String({
    pattern: explained(`^${prefix}_${REST}$`, { detail: `must be an id that begins with \`${prefix}_\`` }),
    examples: [`${prefix}_01jd0000000000000000000000`],
    ...(description ? { description } : {}),
  });

/** Path parameters of a route with one `{id}`. A path that does not fit its schema is 404. */
export const idParams = (prefix: IdPrefix) => Type.Object({ id: idSchema(prefix) });

/** Input of a verb whose route has one `{id}`, as a public id. */
export type ById = { params: { id: string } };

/** The uuid of a path's id; 404 for another prefix or text. */
export function uuidOfPath(prefix: IdPrefix, text: string): string {
  const uuid = parseId(prefix, text);
  if (uuid === null) throw notFound();
  return uuid;
}

/** The uuid of a body's id; 422 `reference_not_found` at its pointer, like an id that does not exist. */
export function uuidOfBody(prefix: IdPrefix, text: string, pointer: string): string {
  const uuid = parseId(prefix, text);
  if (uuid === null) throw referenceNotFound(pointer);
  return uuid;
}

/** The uuid of a filter's id; null when it can match nothing, so that the list is empty. */
export const uuidOfFilter = (prefix: IdPrefix, text: string): string | null => parseId(prefix, text);
