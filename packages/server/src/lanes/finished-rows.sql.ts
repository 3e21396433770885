/**
 * Deletes the rows of a queue at `places`, a `tid[]`. A row that was updated since its place was read is not found there: where
 * that must not be, an earlier statement reads the place and locks the row. Joined with a list of keys, the planner may choose to
 * read all of the table; by key, a slot and a workspace at a time, a call for a thousand workspaces was as many statements.
 */
export const deleteRows = (table: string, places: string): string => `delete from ${table} where ctid = any(${places})`;
