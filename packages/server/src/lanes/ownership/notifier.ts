import { closeClient, GOODBYE_MS, hangUp, openClient } from "../../db/connect.ts";
import type { Log } from "../../lib/log.ts";
import { LANE_KINDS, type LaneKindName, type LaneNotifier, SLOTS } from "../lane-kinds.ts";

/**
 * LaneNotifier-ups: in process at once, between processes one NOTIFY at most each 50 ms, on a connection of its own and never in a
 * business transaction (a notifying commit takes a lock over the whole database: 7,252 → 2,360 transactions/s).
 */
export type Notifier = LaneNotifier & {
  /** Called with every hint, own and foreign. */
  onHint(kind: LaneKindName, listener: (slots: number[] | null) => void): void;
  /** Called when another process let go of slots. */
  onRelease(listener: () => void): void;
  announceRelease(): void;
  /** True while LISTEN works; else polling alone must serve. */
  readonly listening: boolean;
  close(): Promise<void>;
};

const CHANNEL = "waypost";
const NOTIFY_EVERY_MS = 50;
const RECONNECT_AFTER_MS = 1_000;
const RELEASE = "release";
/** A hint that is not on its way by then goes nowhere. */
const ANSWER_MS = 5_000;
/** A connection that only listens does not see that nobody speaks any more: it asks this often. */
const PULSE_MS = 10_000;

export async function openNotifier(url: string, log: Log): Promise<Notifier> {
  const listeners = new Map<LaneKindName, ((slots: number[] | null) => void)[]>();
  const releaseListeners: (() => void)[] = [];
  const pending = new Map<LaneKindName, Set<number>>();
  /** Of the last try to connect; `client` is it once it listens. */
  let last: ReturnType<typeof openClient> | null = null;
  let client: ReturnType<typeof openClient> | null = null;
  let listening = false;
  let closed = false;
  let lastSent = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let released = false;
  let self = 0;

  async function connect(): Promise<void> {
    if (closed) return;
    const next = openClient(url, "listen", ANSWER_MS);
    last = next;
    // One failure, one new try: the error event and a rejected connect tell the same.
    let failed = false;
    const fail = (error: Error): void => {
      if (failed) return;
      failed = true;
      listening = false;
      client = null;
      next.removeAllListeners("notification");
      if (closed) return;
      log.warn({ err: error }, "LISTEN was lost; polling until it is back");
      setTimeout(() => void connect(), RECONNECT_AFTER_MS).unref();
    };
    next.on("error", fail);
    next.on("end", () => fail(new Error("the connection ended")));
    next.on("notification", (message) => receive(message.processId, message.payload ?? ""));
    try {
      await next.connect();
      const pid = await next.query<{ pid: number }>("select pg_backend_pid() as pid");
      self = pid.rows[0]?.pid ?? 0;
      await next.query(`listen ${CHANNEL}`);
      if (closed) return await closeClient(next);
      client = next;
      listening = true;
      // What was said while we were deaf is not repeated: look everywhere once.
      for (const kind of listeners.keys()) tell(kind, null);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      await closeClient(next);
    }
  }

  // What it breaks is told by the connection itself.
  const pulse = setInterval(() => void client?.query("select").catch(() => {}), PULSE_MS).unref();

  function receive(from: number, payload: string): void {
    if (from === self) return;
    if (payload === RELEASE) {
      for (const listener of releaseListeners) listener();
      return;
    }
    for (const part of payload.split(";")) {
      const [number = "", bits = ""] = part.split(":");
      const kind = kindOf(Number(number));
      if (kind) tell(kind, slotsOf(bits));
    }
  }

  function tell(kind: LaneKindName, slots: number[] | null): void {
    for (const listener of listeners.get(kind) ?? []) listener(slots);
  }

  function hint(kind: LaneKindName, slots: Iterable<number>): void {
    const list = [...slots];
    if (list.length === 0) return;
    tell(kind, list);
    const set = pending.get(kind) ?? new Set();
    for (const slot of list) set.add(slot);
    pending.set(kind, set);
    schedule();
  }

  // The first of a burst leaves at once, the rest together after the interval; one is under way at a time.
  function schedule(): void {
    if (timer || sending || (pending.size === 0 && !released)) return;
    const wait = lastSent + NOTIFY_EVERY_MS - performance.now();
    if (wait <= 0) send();
    else {
      timer = setTimeout(send, wait);
      timer.unref();
    }
  }

  function send(): void {
    timer = null;
    lastSent = performance.now();
    const payloads = released ? [RELEASE] : [];
    if (pending.size > 0)
      payloads.push([...pending].map(([kind, slots]) => `${LANE_KINDS[kind]}:${bitsOf(slots)}`).join(";"));
    pending.clear();
    released = false;
    if (!client) return; // deaf and mute: the others poll
    sending = client
      .query("select pg_notify($1, p) from unnest($2::text[]) p", [CHANNEL, payloads])
      .then(
        () => {},
        () => {}, // lost on a broken connection, which is fine: a hint only
      )
      .then(() => {
        sending = null;
        if (!closed) schedule();
      });
  }

  await connect();

  return {
    hint,
    onHint(kind, listener) {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
    },
    onRelease: (listener) => void releaseListeners.push(listener),
    announceRelease() {
      released = true;
      // At once: somebody's messages wait for a new owner. Those of one moment go together.
      if (sending) return;
      if (timer) clearTimeout(timer);
      send();
    },
    get listening() {
      return listening;
    },
    async close() {
      closed = true;
      clearInterval(pulse);
      if (timer) clearTimeout(timer);
      const patience = setTimeout(() => last && hangUp(last), GOODBYE_MS);
      await sending;
      if (released) send();
      await sending;
      if (client) await closeClient(client);
      clearTimeout(patience);
    },
  };
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
