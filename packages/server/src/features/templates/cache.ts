import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { BatchedCalls } from "../../db/batched.ts";
import { atMost } from "../../lib/at-most.ts";
import { TtlCache } from "../../lib/ttl-cache.ts";
import { type Definition, parseDefinition } from "./definition.ts";
import { missingTemplateText } from "./near-names.ts";
import { type FoundTemplate, findTemplates, selectTemplateNames, type TemplateName } from "./store.ts";

/** A template as sending needs it. */
export type SendableTemplate = {
  id: string;
  providerTemplateId: string;
  status: string;
  category: string;
  revision: number;
  /** Its button copies or fills in a code, which the provider sends to phone numbers only. */
  needsNumber: boolean;
  /** What `checkParameters` checks the components of a send by. */
  definition: Definition;
};

/** Definitions of some KiB each: at the very most about a hundred MiB, usually far less. */
const MOST_TEMPLATES = 20_000;
const MAX_AGE_MS = 4_000;
/** Texts about templates that are not there: a client that goes on naming one costs a read every four seconds. */
const MOST_TEXTS = 1_000;
/** Workspaces whose generation is remembered; each needs it for the four seconds that an entry lives. */
const MOST_GENERATIONS = 20_000;

/** Templates by what a send names them by, from a cache. */
export class Templates {
  readonly #cache: TtlCache<string, SendableTemplate | null>;
  readonly #missing: TtlCache<string, string>;
  // Part of the cache's key, so that a workspace is forgotten without a walk over the templates of all.
  readonly #generations = new LRUCache<string, number>(atMost(MOST_GENERATIONS));
  #latestGeneration = 0;

  constructor({ db, clock }: App) {
    const reads = new BatchedCalls({
      db,
      clock,
      fn: findTemplates,
      group: (row) => row.workspace_id,
    });
    this.#cache = new TtlCache({
      load: async (key) => sendable(await reads.submit(nameOf(key))),
      keep: (value) => value !== null,
      most: MOST_TEMPLATES,
      maxAgeMs: MAX_AGE_MS,
      monotonic: () => clock.monotonic(),
    });
    this.#missing = new TtlCache({
      load: async (key) => {
        const { workspace_id: workspaceId, business_account_id: account, ...wanted } = nameOf(key);
        const names = await db.read(workspaceId, (sql) => selectTemplateNames(sql, workspaceId, account, wanted.name));
        return missingTemplateText(names, wanted);
      },
      keep: () => true,
      most: MOST_TEXTS,
      maxAgeMs: MAX_AGE_MS,
      monotonic: () => clock.monotonic(),
    });
  }

  /**
   * The template of this name and language, null when the account has none. An approved one may be up to four seconds old. Any
   * other answer leads to a refusal, so it never comes from the cache: an approval seen by another process counts at once.
   */
  async find(...named: Named): Promise<SendableTemplate | null> {
    const key = this.#keyOf(...named);
    const cached = await this.#cache.get(key);
    return cached?.status === "approved" ? cached : await this.#cache.refresh(key);
  }

  /** The template as it is stored now: before a refusal that the cached definition leads to. */
  read(...named: Named): Promise<SendableTemplate | null> {
    return this.#cache.refresh(this.#keyOf(...named));
  }

  /** What to say where the account has none of this name and language: what it has that was perhaps meant. */
  missing(...named: Named): Promise<string> {
    return this.#missing.get(this.#keyOf(...named));
  }

  /** Drops what is cached of the workspace: SQL saw something newer. */
  forget(workspaceId: string): void {
    this.#latestGeneration += 1;
    this.#generations.set(workspaceId, this.#latestGeneration);
  }

  // NUL is in no text that comes from outside.
  #keyOf(...[workspaceId, businessAccountId, name, language]: Named): string {
    const generation = this.#generations.get(workspaceId) ?? 0;
    return `${generation}\0${workspaceId}\0${businessAccountId}\0${name}\0${language}`;
  }
}

type Named = [workspaceId: string, businessAccountId: string, name: string, language: string];

function nameOf(key: string): TemplateName {
  const [, workspace_id = "", business_account_id = "", name = "", language = ""] = key.split("\0");
  return { workspace_id, business_account_id, name, language };
}

function sendable(row: FoundTemplate): SendableTemplate | null {
  if (row.id === null) return null;
  const { id, provider_template_id: providerTemplateId, status, category, revision } = row;
  const definition = parseDefinition(row.components, row.parameter_format);
  const needsNumber = category === "authentication" && definition.isCode && definition.buttons.length > 0;
  return { id, providerTemplateId, status, category, revision, needsNumber, definition };
}
