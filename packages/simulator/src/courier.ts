import { BoundedLog } from "./bounded-log.ts";
import { CallbackClient } from "./callback-post.ts";
import type { CallbackRetries, Settings } from "./settings.ts";
import { hubSignature, wireJson, wireJsonWithIntegers } from "./wire-json.ts";

/** Something to report about an account. Statuses of one number that wait together share one change. */
export type Update =
  | { field: "messages"; metadata: Metadata; status: Record<string, unknown>; contact: Record<string, unknown> | null }
  | { field: string; value: Record<string, unknown> };

export type Metadata = { display_phone_number: string; phone_number_id: string };

/** Where updates belong: `entryId` of the envelope, and the account's own callback URL when it has one. */
export type Destination = { entryId: string; override: string | null };

/** One try to deliver a callback; `body` only of the newest ones. */
export type CallbackEntry = {
  cursor: number;
  at: number;
  url: string | null;
  attempt: number;
  updates: number;
  outcome: "delivered" | "retrying" | "gave_up" | "dropped";
  http_status: number | null;
  retry_in_ms: number | null;
  body: string | null;
};

/** `timed`: the envelope's entry carries `time`, as on everything that is not about messages. */
type Lane = { destination: Destination; timed: boolean; updates: Update[] };
type Post = { url: string; body: Buffer; updates: number; attempt: number; firstAt: number };

const LOGGED_CALLBACKS = 20_000;
const LOGGED_BODIES = 200;
/** What waits for a receiver that is away; beyond it the oldest POSTs are given up, as memory must end somewhere. */
const HELD_BYTES = 256 * 1024 * 1024;
const WAITING_UPDATES = 500_000;

/**
 * Delivers updates to the callback URL: batches what waits for an account, signs the bytes, keeps a bounded number of
 * POSTs in flight and tries again with growing gaps. No order is promised between POSTs, as at the provider.
 */
export class Courier {
  readonly log = new BoundedLog<CallbackEntry>(LOGGED_CALLBACKS);
  readonly counts = { posts: 0, delivered: 0, updates_delivered: 0, failed_tries: 0, given_up: 0, dropped: 0 };
  callbackUrl: string | null;
  readonly #appSecret: string;
  readonly #retries: CallbackRetries;
  readonly #settings: () => Settings;
  readonly #onQuiet: () => void;
  readonly #client = new CallbackClient();
  readonly #lanes = new Map<string, Lane>();
  readonly #retrying = new Map<Post, NodeJS.Timeout>();
  #again: Post[] = [];
  #heldBytes = 0;
  #waiting = 0;
  #inFlight = 0;
  #scheduled = false;
  /** Grows with `clear()`: what is in flight then belongs to the past and is neither logged nor tried again. */
  #era = 0;

  constructor(options: {
    callbackUrl: string | null;
    appSecret: string;
    retries: CallbackRetries;
    settings: () => Settings;
    onQuiet: () => void;
  }) {
    this.callbackUrl = options.callbackUrl;
    this.#appSecret = options.appSecret;
    this.#retries = options.retries;
    this.#settings = options.settings;
    this.#onQuiet = options.onQuiet;
  }

  /** Updates that wait, callbacks under way and callbacks to be tried again. */
  get pending(): number {
    return this.#waiting + this.#inFlight + this.#again.length + this.#retrying.size;
  }

  enqueue(destination: Destination, update: Update): void {
    if (this.#waiting >= WAITING_UPDATES) {
      this.counts.dropped += 1;
      return;
    }
    const timed = update.field !== "messages" && update.field !== "user_preferences";
    const key = `${destination.entryId} ${timed} ${destination.override ?? ""}`;
    const lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, { destination, timed, updates: [update] });
    else lane.updates.push(update);
    this.#waiting += 1;
    if (this.#scheduled) return;
    this.#scheduled = true;
    // What the current turn still adds goes into the same POST.
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  /** The verification handshake at a URL; `verified` when the bare challenge came back. */
  async handshake(url: string, verifyToken: string): Promise<{ verified: boolean; status: number | null }> {
    const challenge = String(1_000_000_000 + Math.floor(Math.random() * 1_000_000_000));
    const target = new URL(url);
    target.searchParams.set("hub.mode", "subscribe");
    target.searchParams.set("hub.challenge", challenge);
    target.searchParams.set("hub.verify_token", verifyToken);
    try {
      const answer = await this.#client.get(target.href, this.#retries.timeoutMs);
      return { verified: answer.status === 200 && answer.body === challenge, status: answer.status };
    } catch {
      return { verified: false, status: null };
    }
  }

  /** Posts the bytes of an earlier callback once more, as the provider does now and then; `false` when they are not kept. */
  repeat(cursor: number): boolean {
    const entry = this.log.read(cursor - 1, 1, (one) => one.cursor === cursor).data[0];
    if (entry === undefined || entry.url === null || entry.body === null) return false;
    const body = Buffer.from(entry.body, "latin1");
    this.#again.push({ url: entry.url, body, updates: entry.updates, attempt: 0, firstAt: performance.now() });
    this.#pump();
    return true;
  }

  clear(): void {
    this.#era += 1;
    this.#lanes.clear();
    for (const timer of this.#retrying.values()) clearTimeout(timer);
    this.#retrying.clear();
    this.#again = [];
    this.#waiting = 0;
    this.#heldBytes = 0;
    this.log.clear();
    for (const key of Object.keys(this.counts) as (keyof typeof this.counts)[]) this.counts[key] = 0;
  }

  close(): void {
    this.clear();
    this.#client.close();
  }

  #pump(): void {
    const limit = this.#settings().callbacksInFlight;
    while (this.#inFlight < limit) {
      const post = this.#again.shift() ?? this.#nextPost(limit - this.#inFlight);
      if (post === undefined) break;
      this.#inFlight += 1;
      void this.#deliver(post).finally(() => {
        this.#inFlight -= 1;
        this.#pump();
      });
    }
    if (this.pending === 0) this.#onQuiet();
  }

  // One account a POST, as the provider usually does. Only when more accounts wait than POSTs are free do they share.
  #nextPost(free: number): Post | undefined {
    const { accountsPerCallback, updatesPerCallback } = this.#settings();
    const entries: Record<string, unknown>[] = [];
    let updates = 0;
    let url: string | null | undefined;
    const unfinished: [string, Lane][] = [];
    const wanted = Math.min(accountsPerCallback, Math.max(1, Math.ceil(this.#lanes.size / free)));
    for (const [key, lane] of this.#lanes) {
      const laneUrl = lane.destination.override ?? this.callbackUrl;
      if (url !== undefined && laneUrl !== url) continue;
      url = laneUrl;
      this.#lanes.delete(key);
      const taken =
        lane.updates.length > updatesPerCallback ? lane.updates.splice(0, updatesPerCallback) : lane.updates;
      if (taken !== lane.updates) unfinished.push([key, lane]);
      this.#waiting -= taken.length;
      updates += taken.length;
      if (laneUrl !== null) entries.push(entryOf(lane, taken));
      if (entries.length >= wanted) break;
    }
    // What did not fit goes to the back, behind the other accounts.
    for (const [key, lane] of unfinished) this.#lanes.set(key, lane);
    if (url === undefined) return undefined;
    if (url === null) {
      this.counts.dropped += updates;
      this.#record({
        url: null,
        attempt: 0,
        updates,
        outcome: "dropped",
        http_status: null,
        retry_in_ms: null,
        body: null,
      });
      return this.#nextPost(free);
    }
    const envelope = { object: "whatsapp_business_account", entry: entries };
    const mayHoldIntegers = entries.some((entry) => "time" in entry);
    // The escapes leave nothing but ASCII, which latin1 writes without looking.
    const body = Buffer.from(mayHoldIntegers ? wireJsonWithIntegers(envelope) : wireJson(envelope), "latin1");
    return { url, body, updates, attempt: 0, firstAt: performance.now() };
  }

  async #deliver(post: Post): Promise<void> {
    const era = this.#era;
    post.attempt += 1;
    this.counts.posts += 1;
    const status = await this.#client
      .post(post.url, post.body, this.#signature(post.body), this.#retries.timeoutMs)
      .then((answer) => answer.status)
      .catch(() => null);
    if (era !== this.#era) return;
    const { url, attempt, updates } = post;
    const tried = { url, attempt, updates, http_status: status, body: post.body.toString("latin1") };
    if (status === 200) {
      this.counts.delivered += 1;
      this.counts.updates_delivered += updates;
      this.#record({ ...tried, outcome: "delivered", retry_in_ms: null });
      return;
    }
    this.counts.failed_tries += 1;
    const gap = Math.min(this.#retries.capMs, this.#retries.firstMs * 2 ** (attempt - 1));
    if (performance.now() + gap - post.firstAt > this.#retries.giveUpMs) {
      this.counts.given_up += 1;
      this.#record({ ...tried, outcome: "gave_up", retry_in_ms: null });
      return;
    }
    this.#record({ ...tried, outcome: "retrying", retry_in_ms: gap });
    this.#retryLater(post, gap);
  }

  #retryLater(post: Post, gapMs: number): void {
    this.#heldBytes += post.body.length;
    for (const [oldest, timer] of this.#retrying) {
      if (this.#heldBytes <= HELD_BYTES) break;
      clearTimeout(timer);
      this.#retrying.delete(oldest);
      this.#heldBytes -= oldest.body.length;
      this.counts.given_up += 1;
    }
    const timer = setTimeout(() => {
      this.#retrying.delete(post);
      this.#heldBytes -= post.body.length;
      this.#again.push(post);
      this.#pump();
    }, gapMs);
    this.#retrying.set(post, timer);
  }

  #signature(body: Buffer): string | null {
    const mode = this.#settings().signature;
    if (mode === "missing") return null;
    return hubSignature(mode === "wrong" ? `not ${this.#appSecret}` : this.#appSecret, body);
  }

  #record(entry: Omit<CallbackEntry, "cursor" | "at">): void {
    const kept = { cursor: 0, at: performance.timeOrigin + performance.now(), ...entry };
    kept.cursor = this.log.add(kept);
    const old = this.log.fromEnd(LOGGED_BODIES);
    if (old !== undefined) old.body = null;
  }
}

function entryOf(lane: Lane, updates: readonly Update[]): Record<string, unknown> {
  const changes: Record<string, unknown>[] = [];
  const statusesOf = new Map<string, StatusValue>();
  for (const update of updates) {
    if ("value" in update) {
      changes.push({ field: update.field, value: update.value });
      continue;
    }
    let value = statusesOf.get(update.metadata.phone_number_id);
    if (value === undefined) {
      value = { messaging_product: "whatsapp", metadata: update.metadata, statuses: [] };
      statusesOf.set(update.metadata.phone_number_id, value);
      changes.push({ field: "messages", value });
    }
    if (update.contact !== null) addContact(value, update.contact);
    value.statuses.push(update.status);
  }
  const id = lane.destination.entryId;
  return lane.timed ? { id, time: Math.floor(Date.now() / 1000), changes } : { id, changes };
}

// Several statuses of one person name the person once: receivers must not pair the two lists by position.
function addContact(value: StatusValue, contact: Record<string, unknown>): void {
  value.contacts ??= [];
  const known = value.contacts.some(
    (one) => one["user_id"] === contact["user_id"] && one["wa_id"] === contact["wa_id"],
  );
  if (!known) value.contacts.push(contact);
}

type StatusValue = {
  messaging_product: "whatsapp";
  metadata: Metadata;
  contacts?: Record<string, unknown>[];
  statuses: Record<string, unknown>[];
};
