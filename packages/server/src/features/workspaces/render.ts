import { formatId } from "../../lib/ids.ts";
import { DEFAULT_OPT_IN, DEFAULT_OPT_OUT, type Keywords } from "../identity/consent/default-keywords.ts";
import type { OwnWorkspace, Workspace } from "./schema.ts";
import type { KeywordsRow, WorkspaceRow } from "./store.ts";

/** The keywords that count for a workspace. */
export const renderKeywords = (row: KeywordsRow): Pick<OwnWorkspace, "opt_out_keywords" | "opt_in_keywords"> => ({
  opt_out_keywords: copyOf(row.opt_out_keywords ?? DEFAULT_OPT_OUT),
  opt_in_keywords: copyOf(row.opt_in_keywords ?? DEFAULT_OPT_IN),
});

const copyOf = (keywords: Keywords): Record<string, string[]> =>
  Object.fromEntries(Object.entries(keywords).map(([language, words]) => [language, [...words]]));

/** A row of `workspace` as the API returns it. */
export const renderWorkspace = (row: WorkspaceRow): Workspace => ({
  id: formatId("ws", row.id),
  name: row.name,
  status: row.status,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
