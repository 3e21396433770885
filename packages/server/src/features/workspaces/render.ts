import { formatId } from "../../lib/ids.ts";
import type { Workspace } from "./schema.ts";
import type { WorkspaceRow } from "./store.ts";

/** A row of `workspace` as the API returns it. */
export const renderWorkspace = (row: WorkspaceRow): Workspace => ({
  id: formatId("ws", row.id),
  name: row.name,
  status: row.status,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
