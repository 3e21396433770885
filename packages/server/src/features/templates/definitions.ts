import type { Sql } from "../../db/database.ts";
import { type Definition, parseDefinition } from "./definition.ts";
import { selectDefinitionRows } from "./store.ts";

/** Definitions of templates by uuid, as they are stored now, also of those that are deleted at the provider. */
export async function definitionsOf(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, Definition>> {
  const rows = await selectDefinitionRows(sql, workspaceId, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, parseDefinition(row.components, row.parameter_format)]));
}
