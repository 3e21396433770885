/** What a change was, for the audit log: each field that differs, before and after. Give it no secrets. */
export function changesOf<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): { [field: string]: { before: unknown; after: unknown } } | null {
  const changes: { [field: string]: { before: unknown; after: unknown } } = {};
  for (const field of Object.keys(after)) {
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field]))
      changes[field] = { before: before[field] ?? null, after: after[field] ?? null };
  }
  return Object.keys(changes).length === 0 ? null : changes;
}
