import type { App } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import type { FieldError } from "../../http/problem.ts";
import { createFreshCache } from "../../lib/ttl-cache.ts";
import { type Definition, parseDefinition } from "./definition.ts";
import { checkParameters } from "./parameters.ts";
import { type FoundTemplate, findTemplates, type TemplateName } from "./store.ts";

/** What sending needs of a template. */
export type SendableTemplate = {
  id: string;
  status: string;
  category: string;
  revision: number;
  definition: Definition;
  /** Faults of a send's components, with pointers below `base` (`/template`). */
  check(components: unknown, base?: string): FieldError[];
};

type Find = (
  workspaceId: string,
  businessAccountId: string,
  name: string,
  language: string,
) => Promise<SendableTemplate | null>;

/** Templates by what a send names them by, never more than four seconds old. Unknown ones are looked up each time. */
export type Templates = {
  find: Find;
  /** Reads anew, whatever is kept: before a refusal that a kept value suggests. */
  refresh: Find;
  /** SQL saw something newer than what is kept of the workspace. */
  forget(workspaceId: string): void;
};

/** Definitions of some KiB each: at most about a hundred MiB in the worst case, far less in life. */
const MOST_TEMPLATES = 20_000;
const MAX_AGE_MS = 4_000;
/** Workspaces whose forgetting is remembered; each needs it for the four seconds that an entry lives. */
const MOST_GENERATIONS = 20_000;

export function createTemplates(app: App): Templates {
  const reads = batchCalls({
    db: app.db,
    clock: app.clock,
    fn: findTemplates,
    group: (row) => row.workspace_id,
  });
  const cache = createFreshCache<string, SendableTemplate | null>({
    load: async (key) => sendable(await reads.submit(nameOf(key))),
    keep: (value) => value !== null,
    most: MOST_TEMPLATES,
    maxAgeMs: MAX_AGE_MS,
    monotonic: () => app.clock.monotonic(),
  });
  // Part of the key, so that a workspace is forgotten without a walk over everybody's templates.
  const generations = new Map<string, number>();
  let latest = 0;
  // NUL is in no text that comes from outside.
  const keyOf = (...parts: Parameters<Find>): string => `${generations.get(parts[0]) ?? 0}\0${parts.join("\0")}`;
  function nameOf(key: string): TemplateName {
    const [, workspace_id = "", business_account_id = "", name = "", language = ""] = key.split("\0");
    return { workspace_id, business_account_id, name, language };
  }
  return {
    find: (...parts) => cache.get(keyOf(...parts)),
    refresh: (...parts) => cache.refresh(keyOf(...parts)),
    forget(workspaceId) {
      if (generations.size >= MOST_GENERATIONS) generations.clear();
      latest += 1;
      generations.set(workspaceId, latest);
    },
  };
}

function sendable(row: FoundTemplate): SendableTemplate | null {
  if (row.id === null) return null;
  const { id, status, category, revision } = row;
  const definition = parseDefinition(row.components, row.parameter_format);
  const check = (components: unknown, base?: string): FieldError[] => checkParameters(definition, components, base);
  return { id, status, category, revision, definition, check };
}
