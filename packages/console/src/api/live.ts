import type { QueryClient } from "@tanstack/react-query";
import type { Event, ListedMessage, Message } from "@waypost/sdk";
import { Store } from "../store.ts";
import { addressOf } from "./client.ts";
import { EVENT_KINDS } from "./event-kinds.ts";
import { KEYS } from "./queries/keys.ts";
import { throttled } from "./throttled.ts";

/** `on`: changes arrive as they happen. `polling`: what is shown is read again at intervals. `off`: the browser has no network. */
export type Liveness = "on" | "polling" | "off";
export const liveness = new Store<Liveness>("polling");

/** New messages since the newest page of a list was read. */
export const fresh = new Store<ReadonlySet<string>>(new Set());

/** What happened since this tab shows the workspace, the newest first. */
export const tail = new Store<readonly Event[]>([]);
/** Events that are kept of the tail, and shown of it. */
export const MOST_TAIL = 500;

const PAINT_EVERY_MS = 250;
/** Each message changes their order, windows and counts: they are read again, and no more often than this. */
const CONVERSATIONS_EVERY_MS = 1_000;
const POLL_EVERY_MS = 10_000;
const REOPEN_AFTER_MS = 30_000;
/** Ids kept of new messages: the pill needs a number, and past it says no more. */
const MOST_FRESH = 500;

type Passed = { from: "stream"; event: Event } | { from: "state"; state: Liveness };

/**
 * Keeps what is shown up to date. One tab of the browser reads the stream of events, the one that has the lock, and passes it on to the
 * others: a browser opens six connections to one origin, and each stream would hold one. Returns the function that ends it.
 */
export function startLive(queryClient: QueryClient, sessionId: string): () => void {
  const end = new AbortController();
  const channel = new BroadcastChannel(`waypost-stream-${sessionId}`);
  let waiting: Event[] = [];
  const readConversations = throttled(
    () => void queryClient.invalidateQueries({ queryKey: KEYS.conversations }),
    CONVERSATIONS_EVERY_MS,
  );
  const paint = setInterval(() => {
    if (waiting.length === 0) return;
    const events = waiting;
    waiting = [];
    tail.set([...[...events].reverse(), ...tail.get()].slice(0, MOST_TAIL));
    const messages = events.map(messageOf).filter((message) => message !== null);
    if (messages.length > 0) show(queryClient, messages);
    if (messages.length > 0 || events.some(({ category }) => category === "conversation")) readConversations();
    if (events.some(({ category }) => category === "template_status" || category === "template"))
      void queryClient.invalidateQueries({ queryKey: KEYS.templates });
  }, PAINT_EVERY_MS);
  const take = (passed: Passed): void => {
    if (passed.from === "stream") return void waiting.push(passed.event);
    const hasEnded = liveness.get() === "on" && passed.state !== "on";
    liveness.set(navigator.onLine ? passed.state : "off");
    // Because the session ended, or the gateway: the answer to this says which.
    if (hasEnded) readAgain(queryClient);
  };
  const pass = (passed: Passed): void => {
    take(passed);
    channel.postMessage(passed);
  };
  channel.addEventListener("message", ({ data }) => take(data as Passed), { signal: end.signal });
  const poll = setInterval(() => {
    if (liveness.get() === "polling" && document.visibilityState === "visible") readAgain(queryClient);
  }, POLL_EVERY_MS);
  const online = (): void => liveness.set(navigator.onLine ? "polling" : "off");
  addEventListener("online", online, { signal: end.signal });
  addEventListener("offline", online, { signal: end.signal });
  online();
  navigator.locks
    .request(`waypost-stream-${sessionId}`, { signal: end.signal }, () => readStream(pass, end.signal))
    .catch(() => undefined); // ended while it waited for the lock
  return () => {
    end.abort();
    channel.close();
    clearInterval(paint);
    clearInterval(poll);
    tail.set([]);
  };
}

const messageOf = ({ data }: Event): Message | null => (data as { message?: Message | null }).message ?? null; // by its kind

/** Reads until the signal; the browser opens a broken stream again by itself, and one that was refused is opened again here. */
function readStream(pass: (passed: Passed) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let source: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      source = new EventSource(addressOf("v1/events/stream"));
      source.addEventListener("open", () => pass({ from: "state", state: "on" }));
      source.addEventListener("error", () => {
        pass({ from: "state", state: "polling" });
        if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_AFTER_MS);
      });
      for (const kind of EVENT_KINDS)
        source.addEventListener(kind, ({ data }) => {
          pass({ from: "stream", event: JSON.parse(data as string) as Event }); // of the gateway
        });
    };
    open();
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      source.close();
      resolve();
    });
  });
}

type Listed = { data: ListedMessage[]; nextCursor: string | null };

/** Changes rows where they stand; a message that no list has is counted, so that nothing moves under the hand. */
function show(queryClient: QueryClient, messages: readonly Message[]): void {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const listed = new Set<string>();
  for (const [key, page] of queryClient.getQueriesData<Listed>({ queryKey: KEYS.messageList })) {
    if (page === undefined) continue;
    for (const { id } of page.data) listed.add(id);
    if (!page.data.some(({ id }) => byId.has(id))) continue;
    // An event has all of a message but its preview.
    const data = page.data.map((row) => ({ ...(byId.get(row.id) ?? row), preview: row.preview }));
    queryClient.setQueryData<Listed>(key, { ...page, data });
  }
  for (const id of byId.keys()) void queryClient.invalidateQueries({ queryKey: [...KEYS.message, id] });
  void queryClient.invalidateQueries({ queryKey: KEYS.metrics });
  const unknown = [...byId.keys()].filter((id) => !listed.has(id));
  if (unknown.length > 0) fresh.set(new Set([...fresh.get(), ...unknown].slice(-MOST_FRESH)));
}

function readAgain(queryClient: QueryClient): void {
  for (const queryKey of [KEYS.messageList, KEYS.message, KEYS.metrics, KEYS.conversations])
    void queryClient.invalidateQueries({ queryKey });
}
