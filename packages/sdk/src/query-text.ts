import { InvalidCallError } from "./errors.ts";

/** A query as it stands in an address, with its `?`; empty without one. Throws for a value that cannot be written. */
export function queryText(query: object | undefined): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, queryValue(name, one));
  }
  const text = pairs.toString();
  return text === "" ? "" : `?${text}`;
}

function queryValue(name: string, value: unknown): string {
  try {
    return value instanceof Date ? value.toISOString() : String(value);
  } catch (cause) {
    throw new InvalidCallError(`${name} cannot be written into the query`, cause);
  }
}
