/** A field that a call changed. */
export type Change = { field: string; before: unknown; after: unknown };

/** What of a call's changes is a field before and after; null where they have another form. */
export function changesIn(changes: unknown): Change[] | null {
  if (typeof changes !== "object" || changes === null) return null;
  const entries = Object.entries(changes);
  const pairs = entries.filter(([, value]) => isPair(value));
  if (entries.length === 0 || pairs.length < entries.length) return null;
  return pairs.map(([field, value]) => ({ field, ...(value as { before: unknown; after: unknown }) }));
}

const isPair = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "before" in value && "after" in value;

/** A value in one line; null for none. */
export function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
