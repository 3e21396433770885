import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { Event, ListedMessage, Message } from "@waypost/sdk";
import { Store } from "../store.ts";
import { waypost } from "./client.ts";
import { erasedBy, withoutPerson } from "./erased.ts";
import { messageOf } from "./event-message.ts";
import { KEYS } from "./queries/keys.ts";
import { sessionQuery } from "./session.ts";
import { throttled } from "./throttled.ts";

/** `on`: changes arrive as they happen. `polling`: what is shown is read again at intervals. `off`: the browser has no network. */
export type Liveness = "on" | "polling" | "off";
export const liveness = new Store<Liveness>("polling");

/** Messages that came, or changed, since this tab shows the workspace, as they were last; the latest of them. */
export const arrived = new Store<ReadonlyMap<string, Message>>(new Map());
/** Messages kept of these: what they are for needs a number, and past it says no more. */
const MOST_ARRIVED = 500;

/** What happened since this tab shows the workspace, the newest first. */
export const tail = new Store<readonly Event[]>([]);
/** Events that are kept of the tail, and shown of it. */
export const MOST_TAIL = 500;

const PAINT_EVERY_MS = 250;
/** What many events change, such as figures and the order of conversations, is read again no more often than this. */
const READ_EVERY_MS = 1_000;
const POLL_EVERY_MS = 10_000;
/** A stream that ends is opened again within seconds, behind the last event. Past so many failures it is said. */
const MOST_FAILURES = 3;
/** After a refusal that does not pass, as for want of a scope. */
const REOPEN_AFTER_MS = 30_000;

/**
 * `cursor`: behind the event; the tab that reads next begins there. `isGap`: what happened before is not known. `question`: a tab that has
 * just begun asks the one that reads.
 */
type Passed =
  | { from: "stream"; event: Event; cursor: string | null }
  | { from: "state"; state: Liveness; isGap: boolean }
  | { from: "question" };

/** What else of the console an event of a category changes. */
const CHANGED: Readonly<Record<string, readonly QueryKey[]>> = {
  account: [KEYS.accounts, KEYS.numbers, KEYS.signups],
  contact: [KEYS.contact],
  conversation: [KEYS.conversations],
  media: [KEYS.media],
  operational: [KEYS.endpoints],
  template: [KEYS.templates],
  template_status: [KEYS.templates],
};
const CHANGED_BY_MESSAGES: readonly QueryKey[] = [KEYS.conversations, KEYS.metrics];

/**
 * Keeps what is shown up to date. One tab of the browser reads the stream of events, the one that has the lock, and passes it on to the
 * others: a browser opens six connections to one origin, and each stream would hold one. Returns the function that ends it.
 */
export function startLive(queryClient: QueryClient, sessionId: string): () => void {
  const end = new AbortController();
  const channel = new BroadcastChannel(`waypost-stream-${sessionId}`);
  let isReader = false;
  let waiting: Event[] = [];
  let stream: Liveness = "polling";
  let cursor: string | null = null;
  const readAgain = readerOf(queryClient);
  const paint = setInterval(() => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    tail.set([...[...events].reverse(), ...tail.get()].slice(0, MOST_TAIL));
    const messages = events.map(messageOf).filter((message) => message !== null);
    if (messages.length > 0) show(queryClient, messages);
    // An answer that is on its way may be older than what was just shown, and would take its place.
    if (messages.length > 0 && queryClient.isFetching({ queryKey: KEYS.messageList }) > 0) readAgain(KEYS.messageList);
    for (const key of messages.length > 0 ? CHANGED_BY_MESSAGES : []) readAgain(key);
    for (const { category } of events) for (const key of CHANGED[category] ?? []) readAgain(key);
    const erased = events.map(erasedBy).filter((id) => id !== null);
    for (const id of erased) forgetPerson(queryClient, id);
    if (erased.length > 0) readAgain([]);
    readAgain(KEYS.deliveryList);
  }, PAINT_EVERY_MS);
  const connected = (): void => liveness.set(navigator.onLine ? stream : "off");
  const take = (passed: Passed): void => {
    if (passed.from === "question") {
      if (isReader) channel.postMessage({ from: "state", state: stream, isGap: true } satisfies Passed);
      return;
    }
    if (passed.from === "stream") {
      waiting.push(passed.event);
      cursor = passed.cursor;
      return;
    }
    // Where it has ended, the answer to this says why: because of the session, or of the gateway.
    const isToRead = passed.state === "on" ? passed.isGap : stream === "on";
    stream = passed.state;
    connected();
    if (isToRead) readAll(queryClient);
  };
  const pass = (passed: Passed): void => {
    take(passed);
    channel.postMessage(passed);
  };
  channel.addEventListener("message", ({ data }) => take(data as Passed), { signal: end.signal });
  const poll = setInterval(() => {
    if (liveness.get() === "polling" && document.visibilityState === "visible") readAll(queryClient);
  }, POLL_EVERY_MS);
  addEventListener("online", connected, { signal: end.signal });
  addEventListener("offline", connected, { signal: end.signal });
  connected();
  channel.postMessage({ from: "question" } satisfies Passed);
  navigator.locks
    .request(`waypost-stream-${sessionId}`, { signal: end.signal }, () => {
      isReader = true;
      return readStream(cursor, pass, end.signal);
    })
    .catch(() => undefined); // ended while it waited for the lock
  return () => {
    end.abort();
    channel.close();
    clearInterval(paint);
    clearInterval(poll);
    tail.set([]);
    arrived.set(new Map());
  };
}

/** Reads until the signal. A connection that is lost, or silent for too long, is opened again by the SDK, behind its last event. */
async function readStream(after: string | null, pass: (passed: Passed) => void, signal: AbortSignal): Promise<void> {
  let cursor = after;
  for (; !signal.aborted; await pause(REOPEN_AFTER_MS, signal)) {
    const stream = waypost.events.stream({}, { signal });
    stream.cursor = cursor;
    let [failures, gaps] = [0, 0];
    stream.onConnection = (isOpen) => {
      failures = isOpen ? 0 : failures + 1;
      if (isOpen) pass({ from: "state", state: "on", isGap: stream.cursor === null });
      else if (failures >= MOST_FAILURES) pass({ from: "state", state: "polling", isGap: false });
    };
    try {
      for await (const event of stream) {
        cursor = stream.cursor;
        if (stream.gaps > gaps) pass({ from: "state", state: "on", isGap: true });
        gaps = stream.gaps;
        pass({ from: "stream", event, cursor });
      }
    } catch {
      pass({ from: "state", state: "polling", isGap: false });
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

type Listed = { data: ListedMessage[]; nextCursor: string | null };

/** Changes rows where they stand; what no list has is kept, so that it can be announced and nothing moves under the hand. */
function show(queryClient: QueryClient, messages: readonly Message[]): void {
  const byId = new Map(messages.map((message) => [message.id, message]));
  for (const [key, page] of queryClient.getQueriesData<Listed>({ queryKey: KEYS.messageList })) {
    if (page === undefined || !page.data.some(({ id }) => byId.has(id))) continue;
    // An event has all of a message but its preview.
    const data = page.data.map((row) => ({ ...(byId.get(row.id) ?? row), preview: row.preview }));
    queryClient.setQueryData<Listed>(key, { ...page, data });
  }
  for (const id of byId.keys()) void queryClient.invalidateQueries({ queryKey: [...KEYS.message, id] });
  const others = [...arrived.get()].filter(([id]) => !byId.has(id));
  arrived.set(new Map([...others, ...byId].slice(-MOST_ARRIVED)));
}

/** Nothing of one who was erased is kept in this tab; what is shown is to be read again. */
export function forgetPerson(queryClient: QueryClient, id: string): void {
  tail.set(withoutPerson(tail.get(), id));
  arrived.set(new Map([...arrived.get()].filter(([, { contact_id: of }]) => of !== id)));
  // Messages and events of before have the person in them.
  queryClient.removeQueries({
    predicate: (query) => query.getObserversCount() === 0 && query.queryKey[0] !== sessionQuery.queryKey[0],
  });
  // Still shown, perhaps: what is known of it goes, so that going back does not lead to it.
  void queryClient.resetQueries({ queryKey: [...KEYS.contact, id] });
}

/** Reads what is shown under a key again, at once and then at intervals; of an empty key all that is shown. */
function readerOf(queryClient: QueryClient): (key: QueryKey) => void {
  const readers = new Map<string, () => void>();
  return (key) => {
    const name = JSON.stringify(key);
    const reader =
      readers.get(name) ?? throttled(() => void queryClient.invalidateQueries({ queryKey: key }), READ_EVERY_MS);
    readers.set(name, reader);
    reader();
  };
}

function readAll(queryClient: QueryClient): void {
  for (const queryKey of Object.values(KEYS)) void queryClient.invalidateQueries({ queryKey });
}
