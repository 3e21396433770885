import type { TxCtx } from "../../ctx.ts";
import type { Definition } from "../templates/definition.ts";
import { definitionsOf } from "../templates/definitions.ts";
import { previewOf } from "./preview/preview.ts";
import type { StoredMessage } from "./read.store.ts";
import { renderMessage } from "./render.ts";
import { retryFields } from "./retry-fields.ts";
import type { ListedMessage } from "./schema.ts";

/** How these rows are rendered in a list: what was sent of templates is read with their definitions, by one query for all. */
export async function listItems(
  { sql, workspaceId, now }: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  rows: readonly StoredMessage[],
): Promise<(row: StoredMessage) => ListedMessage> {
  const ids = rows.flatMap((row) => templateOf(row) ?? []);
  const definitions = ids.length === 0 ? new Map<string, Definition>() : await definitionsOf(sql, workspaceId, ids);
  return (row) => ({
    ...renderMessage(row, row, now),
    ...retryFields(row),
    preview: preview(row, definitions.get(templateOf(row) ?? "") ?? null),
  });
}

const usesFallback = ({ fallback, fallback_used }: StoredMessage): boolean =>
  fallback !== null && fallback_used === true;

/** Of what the person gets of the message; null: no template, or nothing of it may be shown. */
const templateOf = (row: StoredMessage): string | null =>
  row.is_erased !== true && (row.type === "template" || usesFallback(row)) ? row.template_id : null;

function preview(row: StoredMessage, definition: Definition | null): string | null {
  if (row.is_erased === true) return null;
  if (usesFallback(row))
    return previewOf({ type: "template", content: row.fallback, category: row.fallback_category, definition });
  const { type, content, category } = row;
  return previewOf({ type, content, category, definition });
}
