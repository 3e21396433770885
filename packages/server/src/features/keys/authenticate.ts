import type { Actor, App } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import type { Caller } from "../../http/caller.ts";
import { Problem } from "../../http/problem.ts";
import { digestOfKey, isKeyText } from "./key-format.ts";
import { createUses, type Use } from "./last-used.ts";
import { authenticateKeys, type KeyAnswer, type KeyLookup } from "./store.ts";

/** Revocation holds within 5 s: the age of what is believed, and a second for the answer under way. */
const BELIEVED_MS = 4_000;
/** A key in steady use is read again before its entry ends, so that no request waits for it. */
const REFRESHED_MS = 2_500;
/** Live keys remembered: about 5 MiB. */
const MOST_KEYS = 20_000;
/** Dead or unknown keys remembered, apart from the live ones: a stranger's tries push nobody out. */
const MOST_STRANGERS = 5_000;
/** Look-ups waiting; at 200 a batch they are done in well under a second. */
const MOST_WAITING = 5_000;

export type Authenticator = {
  /**
   * Who a bearer is, null for nobody; with a `refusal` (403) when its workspace is suspended. Rejects with
   * `DatabaseUnavailable` when a key that is not remembered cannot be looked up.
   */
  authenticate(bearer: string): Promise<Caller | null>;
  /** Writes `last_used_at` of the keys used since; called once a minute. */
  recordUses(): Promise<void>;
  /** Waits for look-ups under way and writes the last uses. */
  stop(): Promise<void>;
};

type Entry = { readAt: number; expiresAt: number; refreshing: boolean; use: Use; answer: Promise<Caller> };

const NOBODY = Promise.resolve(null);

/**
 * Entries are found by the key's digest: SHA-256 costs 0.3 µs more than the text as the map's key would, and so a dump of
 * this process's memory has no keys in it that are not just being used.
 */
export function createAuthenticator(app: App): Authenticator {
  const { clock, db, log } = app;
  // Both hold the oldest reading first: a reading is put at the end, so ends and bounds are met at the front.
  const entries = new Map<string, Entry>();
  const strangers = new Map<string, number>();
  const reading = new Map<string, Promise<Entry | null>>();
  const uses = createUses(app);
  const lookups = batchCalls<KeyLookup, KeyAnswer>({
    db,
    clock,
    fn: authenticateKeys,
    group: () => "", // whose a key is, is the question
    limits: { waitingRows: MOST_WAITING },
  });

  function authenticate(bearer: string): Promise<Caller | null> {
    const digest = digestOfKey(bearer);
    const entry = entries.get(digest);
    if (entry === undefined) return lookUp(bearer, digest);
    const age = clock.monotonic() - entry.readAt;
    if (age >= BELIEVED_MS) return lookUp(bearer, digest);
    if (age >= REFRESHED_MS && !entry.refreshing) refresh(entry, digest);
    return admit(entry);
  }

  function admit(entry: Entry): Promise<Caller | null> {
    const now = clock.now();
    if (now >= entry.expiresAt) return NOBODY;
    entry.use.at = now;
    return entry.answer;
  }

  async function lookUp(bearer: string, digest: string): Promise<Caller | null> {
    if (!isKeyText(bearer)) return null;
    const refusedAt = strangers.get(digest);
    if (refusedAt !== undefined && clock.monotonic() - refusedAt < BELIEVED_MS) return null;
    const entry = await read(digest);
    return entry === null ? null : admit(entry);
  }

  function refresh(entry: Entry, digest: string): void {
    entry.refreshing = true;
    read(digest).catch((error: unknown) => {
      // The entry ends in a second and a half; the request that then waits gets the error.
      entry.refreshing = false;
      log.debug({ cause: error instanceof Error ? error.message : "unknown" }, "key not read again");
    });
  }

  function read(digest: string): Promise<Entry | null> {
    const known = reading.get(digest);
    if (known !== undefined) return known;
    const running = readNow(digest).finally(() => reading.delete(digest));
    reading.set(digest, running);
    return running;
  }

  async function readNow(digest: string): Promise<Entry | null> {
    // Taken before the database looks: what it saw is never older than this.
    const readAt = clock.monotonic();
    const answer = await lookups.submit({ digest });
    entries.delete(digest);
    strangers.delete(digest);
    if (answer.workspace_id === null) {
      put(strangers, digest, readAt, MOST_STRANGERS);
      return null;
    }
    const entry: Entry = {
      readAt,
      expiresAt: answer.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
      refreshing: false,
      use: uses.of(answer.workspace_id, answer.key_id),
      answer: callerOf(answer.workspace_id, answer),
    };
    put(entries, digest, entry, MOST_KEYS);
    return entry;
  }

  return {
    authenticate,
    recordUses: () => uses.record(),
    async stop() {
      await lookups.drained();
      await uses.record();
    },
  };
}

// Made once a reading, as a settled promise: a request then costs no object here.
function callerOf(workspaceId: string, answer: KeyAnswer): Promise<Caller> {
  const actor: Actor = { type: "api_key", id: answer.key_id, name: answer.key_name, scopes: answer.scopes };
  const caller: Caller = { workspaceId, actor };
  if (answer.workspace_status !== "active") caller.refusal = new Problem("forbidden", "This workspace is suspended.");
  return Promise.resolve(caller);
}

function put<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  if (map.size >= most) {
    const oldest = map.keys().next();
    if (!oldest.done) map.delete(oldest.value);
  }
  map.set(key, value);
}
