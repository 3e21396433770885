// Ids of messages in what a message says: of the one that it answers, reacts to, changes or takes back.

/** Deeper than the provider nests; what a message holds may be of any depth. */
export const MOST_ID_DEPTH = 20;

/** Whether a member of this name holds an id. */
export const namesAnId = (name: string): boolean => name === "id" || name.endsWith("_id");

/** The same value with other ids in place of those that `given` has. */
export function withIds(value: unknown, given: ReadonlyMap<string, string>, depth = 0): unknown {
  if (depth > MOST_ID_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => withIds(item, given, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      typeof inner === "string" && namesAnId(name) ? (given.get(inner) ?? inner) : withIds(inner, given, depth + 1),
    ]),
  );
}
