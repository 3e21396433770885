import { BoundedLog } from "../lib/bounded-log.ts";
import { drawDelay, type Random } from "../lib/random.ts";
import { TimerWheel } from "../lib/timer-wheel.ts";
import { hubSignature, wireBytes } from "../lib/wire-json.ts";
import type { CallbackRetries, Settings } from "../world/settings.ts";
import { isTimed } from "./fields.ts";
import { CallbackClient } from "./post.ts";
import { CallbackQueue, type Destination, type Update } from "./queue.ts";

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

/** `agedMs`: what has passed of the span in which it is tried, as it would pass at speed 1. */
type Post = { url: string; body: Buffer; updates: number; attempt: number; agedMs: number };
type Waiting = { gapMs: number; since: number; timer: NodeJS.Timeout };
type Held = { destination: Destination; second: number | null; update: Update };

const LOGGED_CALLBACKS = 20_000;
const LOGGED_BODIES = 200;
/** What waits for a receiver that is away; beyond it the oldest POSTs are given up, as memory must end somewhere. */
const HELD_BYTES = 256 * 1024 * 1024;
const WAITING_UPDATES = 500_000;

type CourierOptions = {
  callbackUrl: string | null;
  appSecret: string;
  retries: CallbackRetries;
  settings: () => Settings;
  nowMs: () => number;
  /** Draws delays. */
  random: Random;
  /** Shuffles what waits, unless it is null. */
  shuffle: () => Random | null;
  onQuiet: () => void;
  /** After each try, when it is in the log. */
  onTry: () => void;
};

/**
 * Delivers updates to the callback URL: batches what waits for an account, signs the bytes, keeps a bounded number of
 * POSTs in flight and tries again with growing gaps. No order is promised between POSTs, as at the provider.
 */
export class Courier {
  readonly log = new BoundedLog<CallbackEntry>(LOGGED_CALLBACKS);
  readonly counts = { posts: 0, delivered: 0, updates_delivered: 0, failed_tries: 0, given_up: 0, dropped: 0 };
  callbackUrl: string | null;
  readonly #options: CourierOptions;
  readonly #client = new CallbackClient();
  readonly #queue = new CallbackQueue();
  readonly #held = new TimerWheel<Held>((held) => {
    for (const { destination, second, update } of held) this.#queue.add(destination, second, update);
    this.#pump();
  });
  readonly #later = new Map<Post, Waiting>();
  #retries: CallbackRetries;
  #again: Post[] = [];
  #heldBytes = 0;
  #inFlight = 0;
  #scheduled = false;
  /** Grows with `clear()`: what is in flight then belongs to the past and is neither logged nor tried again. */
  #era = 0;

  constructor(options: CourierOptions) {
    this.callbackUrl = options.callbackUrl;
    this.#options = options;
    this.#retries = options.retries;
  }

  /** Updates that wait, callbacks under way and callbacks to be posted again. */
  get pending(): number {
    return this.#held.size + this.#queue.size + this.#inFlight + this.#again.length + this.#later.size;
  }

  get retries(): CallbackRetries {
    return this.#retries;
  }

  /** How callbacks are tried again from now on; those that wait for it already go by the new speed. */
  set retries(retries: CallbackRetries) {
    const before = this.#retries.speed;
    this.#retries = retries;
    for (const [post, { gapMs, since, timer }] of this.#later) {
      clearTimeout(timer);
      this.#later.set(post, this.#wait(post, gapMs - (performance.now() - since) * before));
    }
  }

  enqueue(destination: Destination, update: Update): void {
    if (this.#queue.size + this.#held.size >= WAITING_UPDATES) {
      this.counts.dropped += 1;
      return;
    }
    const second = isTimed(update.field) ? Math.floor(this.#options.nowMs() / 1000) : null;
    const { callbackDelayMs } = this.#options.settings();
    if (callbackDelayMs !== 0) {
      this.#held.add(drawDelay(callbackDelayMs, this.#options.random), { destination, second, update });
      return;
    }
    this.#queue.add(destination, second, update);
    this.wake();
  }

  /** Posts what waits, as far as the settings allow; what the current turn still adds goes into the same POST. */
  wake(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
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
    this.#postAtOnce(entry.url, entry.body, entry.updates);
    return true;
  }

  /** Posts a body that is not made of updates, signed as any other; `false` when there is no URL. */
  postRaw(body: string): boolean {
    if (this.callbackUrl === null) return false;
    this.#postAtOnce(this.callbackUrl, body, 0);
    return true;
  }

  clear(): void {
    this.#era += 1;
    this.#held.clear();
    this.#queue.clear();
    for (const { timer } of this.#later.values()) clearTimeout(timer);
    this.#later.clear();
    this.#again = [];
    this.#heldBytes = 0;
    this.log.clear();
    for (const key of Object.keys(this.counts) as (keyof typeof this.counts)[]) this.counts[key] = 0;
  }

  close(): void {
    this.clear();
    this.#client.close();
  }

  #pump(): void {
    const limit = this.#options.settings().callbacksInFlight;
    while (this.#inFlight < limit) {
      const post = this.#again.shift() ?? this.#nextPost(limit - this.#inFlight);
      if (post === undefined) break;
      this.#inFlight += 1;
      void this.#deliver(post).finally(() => {
        this.#inFlight -= 1;
        this.#pump();
      });
    }
    if (this.pending === 0) this.#options.onQuiet();
  }

  #postAtOnce(url: string, body: string, updates: number): void {
    this.#again.push({ url, body: Buffer.from(body, "utf8"), updates, attempt: 0, agedMs: 0 });
    this.#pump();
  }

  #nextPost(free: number): Post | undefined {
    const settings = this.#options.settings();
    const batch = this.#queue.take(free, this.callbackUrl, settings, this.#options.shuffle());
    if (batch === undefined) return undefined;
    const { url, entries, updates } = batch;
    if (url === null) {
      this.counts.dropped += updates;
      const nothing = { url, attempt: 0, http_status: null, retry_in_ms: null, body: null };
      this.#record({ ...nothing, updates, outcome: "dropped" });
      return this.#nextPost(free);
    }
    const integers = entries.some((entry) => "time" in entry);
    const envelope = { object: "whatsapp_business_account", entry: entries };
    const body = wireBytes(envelope, { escapes: settings.callbackEscapes, integers });
    const post = { url, body, updates, attempt: 0, agedMs: 0 };
    for (let copy = 1; copy < settings.callbackCopies; copy += 1) {
      const gapMs = drawDelay(settings.copyDelayMs, this.#options.random);
      if (gapMs === 0) this.#again.push({ ...post });
      else this.#postLater({ ...post }, gapMs * this.#retries.speed);
    }
    return post;
  }

  async #deliver(post: Post): Promise<void> {
    const era = this.#era;
    const startedAt = performance.now();
    post.attempt += 1;
    this.counts.posts += 1;
    const status = await this.#client
      .post(post.url, post.body, this.#signature(post.body), this.#retries.timeoutMs)
      .then((answer) => answer.status)
      .catch(() => null);
    if (era !== this.#era) return;
    const { url, attempt, updates } = post;
    const tried = { url, attempt, updates, http_status: status, body: post.body.toString("utf8") };
    if (status === 200) {
      this.counts.delivered += 1;
      this.counts.updates_delivered += updates;
      this.#record({ ...tried, outcome: "delivered", retry_in_ms: null });
      return;
    }
    this.counts.failed_tries += 1;
    const { firstMs, capMs, giveUpMs, speed } = this.#retries;
    const gap = Math.min(capMs, firstMs * 2 ** (attempt - 1));
    post.agedMs += performance.now() - startedAt + gap;
    if (post.agedMs > giveUpMs) {
      this.counts.given_up += 1;
      this.#record({ ...tried, outcome: "gave_up", retry_in_ms: null });
      return;
    }
    this.#record({ ...tried, outcome: "retrying", retry_in_ms: gap / speed });
    this.#postLater(post, gap);
  }

  // What waits for a receiver that is away may fill the memory: the oldest are given up first.
  #postLater(post: Post, gapMs: number): void {
    this.#heldBytes += post.body.length;
    for (const [oldest, { timer }] of this.#later) {
      if (this.#heldBytes <= HELD_BYTES) break;
      clearTimeout(timer);
      this.#later.delete(oldest);
      this.#heldBytes -= oldest.body.length;
      this.counts.given_up += 1;
    }
    this.#later.set(post, this.#wait(post, gapMs));
  }

  #wait(post: Post, gapMs: number): Waiting {
    const run = () => {
      this.#later.delete(post);
      this.#heldBytes -= post.body.length;
      this.#again.push(post);
      this.#pump();
    };
    const timer = setTimeout(run, Math.max(0, gapMs) / this.#retries.speed);
    return { gapMs, since: performance.now(), timer };
  }

  #signature(body: Buffer): string | null {
    const { signature } = this.#options.settings();
    if (signature === "missing") return null;
    const secret = this.#options.appSecret;
    return hubSignature(signature === "wrong" ? `not ${secret}` : secret, body);
  }

  #record(entry: Omit<CallbackEntry, "cursor" | "at">): void {
    const kept = { cursor: 0, at: performance.timeOrigin + performance.now(), ...entry };
    kept.cursor = this.log.add(kept);
    const old = this.log.fromEnd(LOGGED_BODIES);
    if (old !== undefined) old.body = null;
    this.#options.onTry();
  }
}
