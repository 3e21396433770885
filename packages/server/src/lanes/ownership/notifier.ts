import { closeClient, GOODBYE_MS, hangUp, openClient } from "../../db/connect.ts";
import type { Log } from "../../lib/log.ts";
import type { HandOver, HandOverMark, RowTaker } from "../hand-over.ts";
import { LANE_KINDS, type LaneKindName, SLOTS } from "../lane-kinds.ts";

const CHANNEL = "waypost";
const NOTIFY_EVERY_MS = 50;
const RECONNECT_AFTER_MS = 1_000;
const RELEASE = "release";
/** A hint that was not sent by then is dropped. */
const ANSWER_MS = 5_000;
/** A connection that only listens does not notice that its peer is gone: it sends a statement this often. */
const PULSE_MS = 10_000;

/** Called with the slots whose rows were committed; null: any may have been. */
export type HintListener = (slots: readonly number[] | null) => void;

/** What the rest of the process announces work by. */
export type Announcer = Pick<Notifier, "hint" | "handOver" | "handsOver" | "isOwn">;

/** Opens the connection; when the database is away the notifier is returned all the same, and connects when it can. */
export async function openNotifier(url: string, log: Log): Promise<Notifier> {
  const notifier = new Notifier(url, log);
  await notifier.connect();
  return notifier;
}

/**
 * Announces committed rows: in process at once, between processes by at most one NOTIFY each 50 ms, on a connection of its own
 * and never in a business transaction (a notifying commit takes a lock over the whole database: 7,252 → 2,360 transactions/s).
 */
export class Notifier {
  readonly #url: string;
  readonly #log: Log;
  readonly #hintListeners = new Map<LaneKindName, HintListener[]>();
  readonly #takers = new Map<LaneKindName, RowTaker>();
  readonly #releaseListeners: (() => void)[] = [];
  /** Slots to announce with the next NOTIFY. */
  readonly #pending = new Map<LaneKindName, Set<number>>();
  #releasePending = false;
  /** The connection of the last try. */
  #latest: ReturnType<typeof openClient> | null = null;
  /** The same, once it listens. */
  #client: ReturnType<typeof openClient> | null = null;
  #backendPid = 0;
  #closed = false;
  #lastSentAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  readonly #pulse: NodeJS.Timeout;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
    // A failure reaches the connection's own error event.
    this.#pulse = setInterval(() => void this.#client?.query("select").catch(() => {}), PULSE_MS).unref();
  }

  /** Connects and listens; tries again by itself whenever that fails or the connection is lost. */
  async connect(): Promise<void> {
    if (this.#closed) return;
    const client = openClient(this.#url, "listen", ANSWER_MS);
    this.#latest = client;
    // One failure, one new try: an error event and a rejected connect are the same failure.
    let failed = false;
    const fail = (error: Error): void => {
      if (failed) return;
      failed = true;
      this.#client = null;
      client.removeAllListeners("notification");
      if (this.#closed) return;
      this.#log.warn({ err: error }, "LISTEN was lost; polling until it is back");
      setTimeout(() => void this.connect(), RECONNECT_AFTER_MS).unref();
    };
    client.on("error", fail);
    client.on("end", () => fail(new Error("the connection ended")));
    client.on("notification", (message) => this.#receive(message.processId, message.payload ?? ""));
    try {
      await client.connect();
      const pid = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      this.#backendPid = pid.rows[0]?.pid ?? 0;
      await client.query(`listen ${CHANNEL}`);
      if (this.#closed) return await closeClient(client);
      this.#client = client;
      // Notifications sent while there was no connection are lost: each kind looks everywhere once.
      for (const kind of this.#hintListeners.keys()) this.#deliver(kind, null);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      await closeClient(client);
    }
  }

  /** True while notifications of other processes arrive; else polling alone must find their rows. */
  get listening(): boolean {
    return this.#client !== null;
  }

  /** The listener gets every hint, of this process and of others. */
  onHint(kind: LaneKindName, listener: HintListener): void {
    this.#hintListeners.set(kind, [...(this.#hintListeners.get(kind) ?? []), listener]);
  }

  /** The taker gets the rows that this process commits for slots of its own, before they are read. */
  onHandOver(kind: LaneKindName, taker: RowTaker): void {
    this.#takers.set(kind, taker);
  }

  /** True where lanes of this kind may take what a call of this process commits. */
  handsOver(kind: LaneKindName): boolean {
    return this.#takers.get(kind)?.takes ?? false;
  }

  /** True while lanes of this process work the rows of this slot. */
  isOwn(kind: LaneKindName, slot: number): boolean {
    return this.#takers.get(kind)?.reads(slot) ?? false;
  }

  /** Begins a call that may commit rows of these kinds: `give` what it committed, and `end` it in any case. */
  handOver(...kinds: readonly LaneKindName[]): HandOver {
    const marks = new Map<LaneKindName, HandOverMark>();
    for (const kind of kinds) {
      const taker = this.#takers.get(kind);
      if (taker) marks.set(kind, taker.begin());
    }
    return {
      give: (kind, rows) => {
        const mark = marks.get(kind);
        const left = mark ? this.#takers.get(kind)?.take(rows, mark) : undefined;
        this.hint(kind, left ?? rows.map(({ slot }) => slot));
      },
      end: () => {
        for (const [kind, mark] of marks) this.#takers.get(kind)?.end(mark);
      },
    };
  }

  /** The listener is called when another process has released slots. */
  onRelease(listener: () => void): void {
    this.#releaseListeners.push(listener);
  }

  /**
   * Announces that rows of these slots were committed: in this process at once, to others by a debounced NOTIFY where the slot is not
   * this process's own. Only a hint; polling finds every row without it.
   */
  hint(kind: LaneKindName, slots: Iterable<number>): void {
    const list = [...slots];
    if (list.length === 0) return;
    this.#deliver(kind, list);
    const taker = this.#takers.get(kind);
    const others = taker ? list.filter((slot) => !taker.reads(slot)) : list;
    if (others.length === 0) return;
    const set = this.#pending.get(kind) ?? new Set();
    for (const slot of others) set.add(slot);
    this.#pending.set(kind, set);
    this.#sendSoon();
  }

  /** Announces to other processes that slots were released: at once, because messages wait for a new owner. */
  announceRelease(): void {
    this.#releasePending = true;
    // Releases of one moment go together.
    if (this.#sending) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#send();
  }

  // The first of a burst leaves at once, the rest together after the interval; one is under way at a time.
  #sendSoon(): void {
    if (this.#timer || this.#sending || (this.#pending.size === 0 && !this.#releasePending)) return;
    const wait = this.#lastSentAt + NOTIFY_EVERY_MS - performance.now();
    if (wait <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), wait).unref();
  }

  #send(): void {
    this.#timer = null;
    this.#lastSentAt = performance.now();
    const payloads = this.#releasePending ? [RELEASE] : [];
    if (this.#pending.size > 0)
      payloads.push([...this.#pending].map(([kind, slots]) => `${LANE_KINDS[kind]}:${bitsOf(slots)}`).join(";"));
    this.#pending.clear();
    this.#releasePending = false;
    if (!this.#client) return; // other processes find the rows by polling
    this.#sending = this.#client
      .query("select pg_notify($1, p) from unnest($2::text[]) p", [CHANNEL, payloads])
      .then(
        () => {},
        () => {}, // lost with a broken connection, which is fine: it is a hint only
      )
      .then(() => {
        this.#sending = null;
        if (!this.#closed) this.#sendSoon();
      });
  }

  #receive(from: number, payload: string): void {
    if (from === this.#backendPid) return;
    if (payload === RELEASE) {
      for (const listener of this.#releaseListeners) listener();
      return;
    }
    for (const part of payload.split(";")) {
      const [number = "", bits = ""] = part.split(":");
      const kind = kindOf(Number(number));
      if (kind) this.#deliver(kind, slotsOf(bits));
    }
  }

  #deliver(kind: LaneKindName, slots: readonly number[] | null): void {
    for (const listener of this.#hintListeners.get(kind) ?? []) listener(slots);
  }

  /** Sends what is pending of a release and closes the connection, within half a second. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#pulse);
    if (this.#timer) clearTimeout(this.#timer);
    const patience = setTimeout(() => this.#latest && hangUp(this.#latest), GOODBYE_MS);
    await this.#sending;
    if (this.#releasePending) this.#send();
    await this.#sending;
    if (this.#client) await closeClient(this.#client);
    clearTimeout(patience);
  }
}

const kindOf = (number: number): LaneKindName | null =>
  (Object.keys(LANE_KINDS) as LaneKindName[]).find((name) => LANE_KINDS[name] === number) ?? null;

// Sixty-four slots as sixteen hexadecimal digits.
function bitsOf(slots: Set<number>): string {
  let bits = 0n;
  for (const slot of slots) bits |= 1n << BigInt(slot);
  return bits.toString(16);
}

function slotsOf(hex: string): number[] {
  if (!/^[0-9a-f]{1,16}$/.test(hex)) return [];
  const bits = BigInt(`0x${hex}`);
  return Array.from({ length: SLOTS }, (_, slot) => slot).filter((slot) => (bits >> BigInt(slot)) & 1n);
}
