import type { Actor, App } from "../../../ctx.ts";
import type { Caller } from "../../../http/caller.ts";
import type { SetupLinkKeys } from "../../../http/credentials.ts";
import { Problem, suspended } from "../../../http/problem.ts";
import { readPlacedSecret } from "../../../lib/placed-secret.ts";
import { TtlCache } from "../../../lib/ttl-cache.ts";
import { CallBounds } from "./call-bounds.ts";
import { selectSetupLinkWorkspace } from "./setup-link.store.ts";

/** The end of a workspace holds everywhere within 5 s: this, and a second for the request in progress. */
const TRUSTED_MS = 4_000;
/** Links that are remembered. */
const MOST_LINKS = 5_000;
/** Looked up at once in this process. Who sends secrets at random takes no more of the database's connections than these. */
const MOST_LOOK_UPS = 8;

/** What is remembered of a link: the status of its workspace. */
type Found = { workspaceStatus: string };

/**
 * Finds who holds a setup link. What became of it is read by each call itself, so that its end holds at once. A holder is no client of the
 * API: calls beyond their bound are refused ahead of the database and of the audit log, and do not count as the workspace's.
 */
export class SetupLinks implements SetupLinkKeys {
  readonly #db: App["db"];
  readonly #bounds: CallBounds;
  /** By place and digest; links that there are not are not remembered. */
  readonly #found: TtlCache<string, Found | null>;
  #lookUps = 0;

  constructor({ db, clock }: Pick<App, "db" | "clock">) {
    this.#db = db;
    this.#bounds = new CallBounds(() => clock.monotonic());
    this.#found = new TtlCache<string, Found | null>({
      load: (key) => this.#lookUp(key),
      keep: (found) => found !== null,
      most: MOST_LINKS,
      maxAgeMs: TRUSTED_MS,
      monotonic: () => clock.monotonic(),
    });
  }

  async find(secret: string, isReading: boolean): Promise<Caller | null> {
    const place = readPlacedSecret(secret);
    if (place === null) return null;
    const { workspaceId, id, digest } = place;
    this.#bounds.count(digest, isReading);
    const found = await this.#found.get(`${workspaceId} ${id} ${digest}`);
    if (found === null) return null;
    const actor: Actor = { type: "setup_link", id, name: null, scopes: [], phoneNumberIds: null };
    return { workspaceId, actor, ...(found.workspaceStatus === "active" ? {} : { refusal: suspended() }) };
  }

  async #lookUp(key: string): Promise<Found | null> {
    if (this.#lookUps >= MOST_LOOK_UPS)
      throw new Problem("unavailable", "Too many setup links are used at this moment.", { retryAfterSeconds: 1 });
    const [workspaceId = "", id = "", digest = ""] = key.split(" ");
    this.#lookUps += 1;
    try {
      return await this.#db.read(workspaceId, (sql) => selectSetupLinkWorkspace(sql, { workspaceId, id, digest }));
    } finally {
      this.#lookUps -= 1;
    }
  }
}
