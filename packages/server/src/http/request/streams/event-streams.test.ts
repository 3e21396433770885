import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { EventReader } from "../../../testing/event-reader.ts";
import type { OpenedStream, StreamedEvent } from "../../event-stream.ts";
import { listQuery } from "../../pagination.ts";
import { Problem } from "../../problem.ts";
import { type AnyRoute, route } from "../../route.ts";
import { ACTOR, expectProblem } from "../../testing/echo.ts";
import { TestServer, testApp, WORKSPACE } from "../../testing/server.ts";

const KEY = "wp_live_streams";
const server = new TestServer(KEY);
/** Of the streams that begin from now on. */
const limits = {
  places: 6,
  placesOfWorkspace: 5,
  placesOfKey: 2,
  beatMs: 60_000,
  checkMs: 20,
  slowest: { bytes: 64 * 1024 * 1024, withinMs: 400 },
  endMs: 200,
};
const USUAL = { ...limits };
const open: EventReader[] = [];
let url = "";

/** What a stream of the running test gives. */
let source: (signal: AbortSignal) => AsyncIterable<readonly StreamedEvent[]> = silence;
/** What the look at the rights of a caller finds. */
let rights: () => Promise<{ scopes: string[]; refusal?: Problem } | null> = granted;
/** Streams whose source has ended. */
let closed = 0;

async function granted() {
  return { scopes: ["contacts:read", "messages:read"] };
}
const over = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
async function* silence(signal: AbortSignal): AsyncGenerator<readonly StreamedEvent[]> {
  await over(signal);
  yield [];
}
const eventOf = (n: number, text = ""): StreamedEvent => ({
  position: `at-${n}`,
  event: "counted",
  data: JSON.stringify({ n, text }),
});

const routes: AnyRoute[] = [
  route({
    kind: "stream",
    tag: "Workspace",
    summary: "Stream",
    description: "For tests.",
    action: "event.stream",
    auth: "workspace",
    scope: "contacts:read",
    status: 200,
    method: "GET",
    path: "/v1/events/stream",
    query: Type.Object({ cursor: listQuery.cursor }),
    response: Type.Object({}),
    stream: {
      cursorsOf: "/v1/events",
      async open({ signal }): Promise<OpenedStream> {
        const batches = async function* (): AsyncGenerator<readonly StreamedEvent[]> {
          try {
            yield* source(signal);
          } finally {
            closed += 1;
          }
        };
        return { batches: batches(), position: () => "here" };
      },
    },
  }),
];

beforeAll(async () => {
  await server.start({
    app: testApp({ now: () => performance.now(), env: { API_RATE_LIMIT: "off" }, log: server.log }),
    routes,
    authenticate: async (bearer) => {
      const found = await rights();
      if (found === null) return null;
      const { scopes, refusal } = found;
      const workspaceId = bearer.startsWith(KEY) ? WORKSPACE : WORKSPACE.replace(/a$/, "b");
      return { workspaceId, actor: { ...ACTOR, id: idOf(bearer), scopes }, ...(refusal ? { refusal } : {}) };
    },
    eventStreamLimits: limits,
  });
  ({ url } = await server.http.listen());
});
afterAll(() => server.http.close());
beforeEach(async () => {
  for (const reader of open.splice(0)) reader.close();
  rights = granted;
  source = silence;
  await expect.poll(() => server.lines.filter(({ msg }) => msg === "events streamed").length).toBe(begun);
  server.clear();
  Object.assign(limits, USUAL);
  [begun, closed] = [0, 0];
});

let begun = 0;
const idOf = (bearer: string): string => `0193494e-0000-7000-8000-${Buffer.from(bearer.slice(-6)).toString("hex")}`;
async function follow(key = KEY): Promise<EventReader> {
  const reader = await EventReader.open(url, key);
  begun += 1;
  open.push(reader);
  await expect.poll(() => reader.lastId).not.toBe("");
  return reader;
}
/** The line of the one stream that has ended. */
async function ended(): Promise<Record<string, unknown>> {
  const find = () => server.lines.find(({ msg }) => msg === "events streamed");
  await expect.poll(find, { timeout: 5_000 }).toBeDefined();
  return find() ?? {};
}

test("events are written with the cursors of the list and the headers of an answer; the opening is audited", async () => {
  source = async function* (signal) {
    yield [eventOf(1), { position: null, event: "gap", data: "{}" }];
    yield [eventOf(2)];
    await over(signal);
  };
  const reader = await follow();
  await expect.poll(() => reader.events.length).toBe(3);
  expect(reader.events.map(({ event, data }) => [event, data])).toEqual([
    ["counted", { n: 1, text: "" }],
    ["gap", {}],
    ["counted", { n: 2, text: "" }],
  ]);
  expect(reader.events[1]?.id).toBeNull();
  expect(server.later.map(({ action, response }) => [action, response.status])).toEqual([["event.stream", 200]]);
  reader.close();
  expect(await ended()).toMatchObject({ ended: "gone", events: 3, route: "/v1/events/stream" });
  await expect.poll(() => closed).toBe(1);
  const head = await fetch(`${url}/v1/events/stream`, { method: "HEAD", headers: { authorization: `Bearer ${KEY}` } });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  expect(head.headers.get("x-accel-buffering")).toBe("no");
});

test("a comment comes at its interval, also while nothing happens", async () => {
  limits.beatMs = 30;
  const reader = await follow();
  await expect.poll(() => reader.comments).toBeGreaterThan(4);
});

test("a caller that loses a scope, its key or its workspace loses its streams; what is more is no loss", async () => {
  const less = { scopes: ["contacts:read"] };
  const suspended = { ...(await granted()), refusal: new Problem("forbidden", "Suspended.") };
  for (const [found, isKept] of [
    [{ scopes: ["contacts:read", "messages:read", "keys:write"] }, true],
    [less, false],
    [null, false],
    [suspended, false],
  ] as const) {
    rights = granted;
    const reader = await follow();
    let looks = 0;
    rights = async () => {
      looks += 1;
      return found as Awaited<ReturnType<typeof rights>>;
    };
    await expect.poll(() => reader.isOver || looks > 3).toBe(true);
    expect([found, reader.isOver]).toEqual([found, !isKept]);
    reader.close();
  }
  await expect.poll(() => server.lines.filter((line) => line["ended"] === "refused").length).toBe(3);
});

test("while rights cannot be looked at nothing is given; then all is", async () => {
  let give = (): void => {};
  source = async function* (signal) {
    for (let n = 1; !signal.aborted; n++) {
      await new Promise<void>((resolve) => {
        give = resolve;
        signal.addEventListener("abort", () => resolve());
      });
      yield [eventOf(n)];
    }
  };
  const reader = await follow();
  let looks = 0;
  rights = () => {
    looks += 1;
    return Promise.reject(new Error("the database is away"));
  };
  await expect.poll(() => looks).toBeGreaterThan(1);
  give();
  const until = looks + 3;
  await expect.poll(() => looks).toBeGreaterThan(until);
  expect([reader.events.length, reader.isOver]).toEqual([0, false]);
  // Neither while a look has no answer.
  rights = () => new Promise(() => {});
  await expect.poll(() => looks).toBeGreaterThan(until);
  expect(reader.events.length).toBe(0);
  reader.close();

  rights = granted;
  const other = await follow();
  rights = () => Promise.reject(new Error("the database is away"));
  give();
  rights = granted;
  await expect.poll(() => other.events.length).toBe(1);
});

test("no more is asked for than a reader takes, and one that takes nothing is cut off", async () => {
  limits.slowest = { bytes: 1, withinMs: 1_500 };
  let given = 0;
  source = async function* () {
    for (;;) yield [eventOf((given += 1), "x".repeat(100_000))];
  };
  const reader = await follow();
  reader.pause();
  expect(await ended()).toMatchObject({ ended: "stalled" });
  // What the system keeps for the connection, and little beside.
  expect(given).toBeLessThan(200);
  await expect.poll(() => closed).toBe(1);
});

test("a source that fails or ends cuts the stream, with its cause in the log", async () => {
  let fail = (): void => {};
  source = async function* () {
    yield [eventOf(1)];
    await new Promise<void>((resolve) => (fail = resolve));
    throw new Error("boom");
  };
  const reader = await follow();
  await expect.poll(() => reader.events.length).toBe(1);
  fail();
  await expect.poll(() => reader.isOver).toBe(true);
  expect(await ended()).toMatchObject({ level: 50, ended: "failed", cause: { message: "boom" } });
});

test("places are bounded for a key, a workspace and the process, and given back", async () => {
  const names = ["a", "a", "b", "b", "c"].map((name) => `${KEY}_key${name}`);
  for (const name of names) await follow(name);
  const ask = (key: string) => server.ask("/v1/events/stream", { key });
  expectProblem(await ask(`${KEY}_keya`), 429, "rate_limited");
  expectProblem(await ask(`${KEY}_keyd`), 429, "rate_limited");
  await follow("other_keya");
  expectProblem(await ask("other_keyb"), 503, "unavailable");
  open[0]?.close();
  await expect.poll(() => follow(`${KEY}_keya`).then(() => "open", String)).toBe("open");
});

test("a server that closes ends its streams behind what was given, and does not wait for those that do not read", async () => {
  source = async function* (signal) {
    yield [eventOf(1)];
    await over(signal);
  };
  const reader = await follow(`${KEY}_keya`);
  await expect.poll(() => reader.events.length).toBe(1);
  source = async function* () {
    for (let n = 1; ; n++) yield [eventOf(n, "x".repeat(100_000))];
  };
  limits.slowest = { bytes: 1, withinMs: 60_000 };
  const stalled = await follow(`${KEY}_keyb`);
  stalled.pause();
  const at = performance.now();
  await server.http.close();
  expect(performance.now() - at).toBeLessThan(3_000);
  expect([reader.isOver, reader.events.length]).toEqual([true, 1]);
  await expect.poll(() => closed).toBe(2);
});
