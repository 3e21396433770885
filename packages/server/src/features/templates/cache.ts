import type { House } from "../../ctx.ts";
import { createFreshCache } from "../accounts/fresh-cache.ts";
import { type Definition, parseDefinition } from "./definition.ts";
import { findTemplate } from "./store.ts";

/** What accept needs of a template. */
export type SendableTemplate = {
  id: string;
  status: string;
  category: string;
  revision: number;
  definition: Definition;
};

/** Templates by what a send names them by, never more than four seconds old. Unknown ones are looked up each time. */
export type Templates = {
  find(
    workspaceId: string,
    businessAccountId: string,
    name: string,
    language: string,
  ): Promise<SendableTemplate | null>;
  /** Reads anew: before a refusal that a cached value suggests, and when accept says that the revision is old. */
  refresh(
    workspaceId: string,
    businessAccountId: string,
    name: string,
    language: string,
  ): Promise<SendableTemplate | null>;
};

/** Definitions of some KiB each: at most about a hundred MiB in the worst case, far less in life. */
const MOST_TEMPLATES = 20_000;
const MAX_AGE_MS = 4_000;

export function createTemplates(house: House): Templates {
  const cache = createFreshCache<string, SendableTemplate | null>({
    load: (key) => load(house, key),
    keep: (value) => value !== null,
    most: MOST_TEMPLATES,
    maxAgeMs: MAX_AGE_MS,
    monotonic: () => house.clock.monotonic(),
  });
  return {
    find: (...parts) => cache.get(parts.join("\n")),
    refresh: (...parts) => cache.refresh(parts.join("\n")),
  };
}

// The two ids hold no line break, so the first two are the separators; a language with one finds nothing.
async function load(house: House, key: string): Promise<SendableTemplate | null> {
  const [workspaceId = "", businessAccountId = "", name = "", language = ""] = key.split("\n");
  const row = await house.db.read(workspaceId, (sql) =>
    findTemplate(sql, workspaceId, { businessAccountId, name, language }),
  );
  if (!row) return null;
  const { id, status, category, revision } = row;
  return { id, status, category, revision, definition: parseDefinition(row.components, row.parameter_format) };
}
