import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ApiError, ConnectionError, MalformedAnswerError } from "./errors.ts";
import type { EventStream } from "./event-stream.ts";
import type { Chance } from "./retry.ts";
import { type RequestOptions, Sender } from "./sender.ts";
import { type Answer, problem, startRawServer, text } from "./testing/raw-server.ts";

// Connections that end, break off and are refused, as the real server does not do on demand.
let server: Awaited<ReturnType<typeof startRawServer>>;
let pauses: number[];
const chance: Chance = { random: () => 0, pause: async (ms) => void pauses.push(ms) };
beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
  pauses = [];
});

type Event = { n: number };
const open = (options: RequestOptions = {}): EventStream<Event> =>
  new Sender({ baseUrl: server.url, bearer: "wp_live_secret" }, chance).stream<Event>("/v1/events/stream", {
    query: { kind: "sent" },
    options,
  });
const TYPE = { "content-type": "text/event-stream" };
const event = (n: number): string => `id: c${n}\nevent: sent\ndata: {"n":${n}}\n\n`;
/** A connection that ends after these bytes. */
const ending =
  (...parts: string[]): Answer =>
  (response) => {
    response.writeHead(200, TYPE);
    for (const part of parts) response.write(part);
    response.end();
  };
const breaking =
  (part: string): Answer =>
  (response) => {
    response.writeHead(200, TYPE);
    response.write(part, () => response.destroy());
  };
const lasts = (): unknown[] => server.seen.map(({ headers }) => headers["last-event-id"]);

/** The numbers of the events until there are so many. */
async function take(stream: EventStream<Event>, count: number): Promise<number[]> {
  const seen: number[] = [];
  for await (const { n } of stream) if (seen.push(n) === count) break;
  return seen;
}

test("goes on behind the last event where a connection ended, broke off or was refused for now", async () => {
  server.answers(
    ending("retry: 2000\n: \nid: c0\n\n", event(1).slice(0, 9), event(1).slice(9), "id: c2\nevent: sent\nda"),
    breaking(event(2) + event(3).slice(0, 20)),
    problem(503, "unavailable", true),
    text(502, "<html>"),
    ending(": \nid: c2b\n\n"),
    ending(event(3).replaceAll("\n", "\r\n")),
  );
  const stream = open();
  expect(await take(stream, 3)).toEqual([1, 2, 3]);
  expect(stream.cursor).toBe("c3");
  expect(lasts()).toEqual([undefined, "c1", "c2", "c2", "c2", "c2b"]);
  expect(server.seen.map(({ url }) => url)).toContain("/v1/events/stream?kind=sent");
  // The first as the server asks, the others with growing pauses; what arrives begins again.
  expect(pauses).toEqual([2_000, 500, 1_000, 2_000, 2_000]);
});

test("has the cursor of the event that the loop is at, and goes on there when the loop begins again", async () => {
  server.answers(ending(event(1) + event(2)), ending(event(2)));
  const stream = open();
  for await (const { n } of stream) {
    expect([n, stream.cursor]).toEqual([1, "c1"]);
    break;
  }
  expect(await take(stream, 1)).toEqual([2]);
  expect(lasts()).toEqual([undefined, "c1"]);
});

test("says when a connection is open and when there is none", async () => {
  server.answers(ending(event(1)), problem(503, "unavailable", true), ending(event(2)));
  const stream = open();
  const said: boolean[] = [];
  stream.onConnection = (isOpen) => said.push(isOpen);
  await take(stream, 2);
  expect(said).toEqual([true, false, false, true]);
});

test("gives events whose text has separators of lines that are none of the format's", async () => {
  server.answers(ending('id: c1\ndata: {"n":"a\u2028b\u2029c\u0085"}\n\n'));
  const [first] = await take(open(), 1);
  expect(first).toBe("a\u2028b\u2029c\u0085");
});

test("counts gaps, which are no events", async () => {
  server.answers(ending(`event: gap\ndata: {"gap":true}\n\n${event(1)}`));
  const stream = open();
  expect(await take(stream, 1)).toEqual([1]);
  expect(stream.gaps).toBe(1);
});

test("throws what does not pass, and what passes after as many failures as it may have", async () => {
  server.answers(ending(event(1)), problem(401, "unauthorized", false));
  await expect(take(open(), 2)).rejects.toBeInstanceOf(ApiError);
  server.answers(breaking(""));
  await expect(take(open({ maxRetries: 3 }), 1)).rejects.toBeInstanceOf(ConnectionError);
  expect(pauses.slice(-3)).toEqual([500, 1_000, 2_000]);
  server.answers(text(200, "<html>"));
  await expect(take(open(), 1)).rejects.toBeInstanceOf(MalformedAnswerError);
  server.answers(ending("data: {\n\n"));
  await expect(take(open(), 1)).rejects.toBeInstanceOf(MalformedAnswerError);
});

test("ends without an error when its signal aborts: in an event, while it waits, ahead of the first", async () => {
  const staying: Answer = (response) => {
    response.writeHead(200, TYPE);
    response.write(event(1));
  };
  server.answers(staying);
  for (const inEvent of [true, false]) {
    const leave = new AbortController();
    const seen: number[] = [];
    for await (const { n } of open({ signal: leave.signal })) {
      seen.push(n);
      if (inEvent) leave.abort();
      else setImmediate(() => leave.abort());
    }
    expect(seen).toEqual([1]);
  }
  expect(await take(open({ signal: AbortSignal.abort() }), 1)).toEqual([]);
});

test("ends when its signal aborts, though nothing connects it to the answer any more", async () => {
  let closed = (): void => {};
  const isClosed = new Promise<void>((resolve) => (closed = resolve));
  server.answers((response) => {
    response.writeHead(200, TYPE);
    response.write(event(1));
    response.on("close", closed); // open until the client leaves
  });
  const leaving = new AbortController();
  const unconnected: typeof fetch = (input, init) => fetch(input, { ...init, signal: null });
  const options = { baseUrl: server.url, bearer: "wp_live_secret", fetch: unconnected };
  const stream = new Sender(options, chance).stream<Event>("/v1/events/stream", {
    query: {},
    options: { signal: leaving.signal },
  });
  const seen: number[] = [];
  for await (const { n } of stream) {
    seen.push(n);
    setImmediate(() => leaving.abort());
  }
  expect(seen).toEqual([1]);
  await isClosed;
});
