import { LRUCache } from "lru-cache";
import type { Actor, App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../db/batched.ts";
import type { Caller } from "../../http/caller.ts";
import { suspended } from "../../http/problem.ts";
import { atMost } from "../../lib/at-most.ts";
import { maxAge } from "../../lib/max-age.ts";
import { digestOfKey, isKeyText, limitedDigest } from "./key-format.ts";
import { type KeyUse, LastUses } from "./last-used.ts";
import { authenticateKeys, type KeyAnswer } from "./store.ts";

/** A revocation takes effect within 5 s: the age of a trusted entry, and a second for the request in progress. */
const TRUSTED_MS = 4_000;
/** A key in steady use is read again before its entry expires, so that no request waits for it. */
const REFRESHED_MS = 2_500;
/** Live keys remembered: about 5 MiB. */
const MOST_KEYS = 20_000;
/** Dead or unknown keys remembered, apart from the live ones: attempts with invalid keys evict no live key. */
const MOST_UNKNOWN = 5_000;
/** Look-ups waiting; at 200 in a batch they are done in well under a second. */
const MOST_WAITING = 5_000;

type Entry = { readAt: number; expiresAt: number; refreshing: boolean; use: KeyUse; caller: Promise<Caller> };

const NO_CALLER = Promise.resolve(null);

/**
 * Finds the callers of API keys, from memory as long as an entry is trusted.
 *
 * Entries are found by the key's digest: SHA-256 costs 0.3 µs more than the text as the map's key would, and keeps keys out
 * of memory dumps of this process unless they are in use at that moment.
 *
 * A key's entry is *missing*, *trusted* (until REFRESHED_MS), *refreshing* (still trusted, read again in the background) or
 * *stale* (from TRUSTED_MS on: requests wait for the next read).
 */
export class Authenticator {
  readonly #app: App;
  readonly #entries = new LRUCache<string, Entry>(atMost(MOST_KEYS));
  /** Digests of keys that a read less than `TRUSTED_MS` ago found dead or unknown. */
  readonly #unknown: LRUCache<string, true>;
  /** Reads in flight, so that many requests share one. */
  readonly #reading = new Map<string, Promise<Entry | null>>();
  readonly #uses: LastUses;
  readonly #lookups: CallsOf<typeof authenticateKeys>;

  constructor(app: App) {
    this.#app = app;
    this.#unknown = new LRUCache({ ...atMost(MOST_UNKNOWN), ...maxAge(TRUSTED_MS, () => app.clock.monotonic()) });
    this.#uses = new LastUses(app);
    this.#lookups = new BatchedCalls({
      db: app.db,
      clock: app.clock,
      fn: authenticateKeys,
      group: () => "", // the workspace of a key is not known yet
      limits: { waitingRows: MOST_WAITING },
    });
  }

  /**
   * The caller of a bearer token; null when no live key has this text; with a `refusal` (403) when its workspace is suspended.
   * Rejects with `DatabaseUnavailable` when a key that is not remembered cannot be looked up.
   */
  authenticate(bearer: string): Promise<Caller | null> {
    const digest = digestOfKey(bearer);
    const entry = this.#entries.get(digest);
    if (entry === undefined) return this.#lookUp(bearer, digest);
    const age = this.#app.clock.monotonic() - entry.readAt;
    if (age >= TRUSTED_MS) return this.#lookUp(bearer, digest);
    if (age >= REFRESHED_MS && !entry.refreshing) this.#refresh(entry, digest);
    return this.#use(entry);
  }

  async #lookUp(bearer: string, digest: string): Promise<Caller | null> {
    if (!isKeyText(bearer)) return null;
    if (this.#unknown.has(digest)) return null;
    const entry = await this.#read(digest);
    return entry === null ? null : this.#use(entry);
  }

  #refresh(entry: Entry, digest: string): void {
    entry.refreshing = true;
    this.#read(digest).catch((error: unknown) => {
      // The entry expires in a second and a half; the request that then waits gets the error.
      entry.refreshing = false;
      this.#app.log.debug({ err: error }, "an API key in use could not be read again; the next request tries again");
    });
  }

  /** Null when no live key has this digest. */
  #read(digest: string): Promise<Entry | null> {
    const known = this.#reading.get(digest);
    if (known !== undefined) return known;
    const running = this.#readNow(digest).finally(() => this.#reading.delete(digest));
    this.#reading.set(digest, running);
    return running;
  }

  async #readNow(digest: string): Promise<Entry | null> {
    // Taken before the database reads: what it finds is never older than this.
    const readAt = this.#app.clock.monotonic();
    const answer = await this.#lookups.submit({ digest, limited_digest: limitedDigest(digest) });
    if (answer.workspace_id === null) {
      this.#entries.delete(digest);
      this.#unknown.set(digest, true, { start: readAt });
      return null;
    }
    const entry: Entry = {
      readAt,
      expiresAt: answer.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      refreshing: false,
      use: this.#uses.of(answer.workspace_id, answer.key_id),
      caller: callerOf(answer.workspace_id, answer),
    };
    this.#unknown.delete(digest);
    this.#entries.set(digest, entry);
    return entry;
  }

  #use(entry: Entry): Promise<Caller | null> {
    const now = this.#app.clock.now();
    if (now >= entry.expiresAt) return NO_CALLER;
    entry.use.at = now;
    return entry.caller;
  }

  /** Writes `last_used_at` of the keys used since the last call; called once a minute. */
  recordUses(): Promise<void> {
    return this.#uses.record();
  }

  /** Waits for the look-ups in flight and writes the last uses. */
  async stop(): Promise<void> {
    await this.#lookups.drained();
    await this.#uses.record();
  }
}

// A settled promise, created once for each reading: a request then allocates nothing here.
function callerOf(workspaceId: string, answer: KeyAnswer): Promise<Caller> {
  const { key_id: id, key_name: name, scopes, phone_number_ids: phoneNumberIds, dedupe_by: dedupeBy } = answer;
  const key: Actor = { type: "api_key", id, name, scopes, phoneNumberIds };
  const actor = dedupeBy === null ? key : { ...key, dedupeBy };
  const caller: Caller = { workspaceId, actor };
  if (answer.workspace_status !== "active") caller.refusal = suspended();
  return Promise.resolve(caller);
}
