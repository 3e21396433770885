import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../../db/database.ts";
import { closed as socketClosed } from "../../../testing/closed.ts";
import { listQuery } from "../../pagination.ts";
import { type AnyRoute, route } from "../../route.ts";
import { keysetPages, rowFormatOf, type StreamedRow } from "../../stream-rows.ts";
import { ACTOR, expectProblem } from "../../testing/echo.ts";
import { TestServer, testApp, WORKSPACE } from "../../testing/server.ts";

const KEY = "wp_live_streams";
const OTHER = "0193494e-0000-7000-8000-00000000000b";
const IDLE_MS = 300;
const SLOWEST = { bytes: 64 * 1024 * 1024, withinMs: 1_200 };
const Row = Type.Object({ id: Type.Integer(), name: Type.String() });
const server = new TestServer(KEY);
/** Of the streams that begin from now on. */
const limits = { places: 3, placesOfOne: 2, idleMs: IDLE_MS, slowest: SLOWEST, endMs: 100 };
/** Readers that take nothing keep their places, however long this machine needs for the rest of the test. */
const nobodyIsCut = (): void =>
  void Object.assign(limits, { idleMs: 600_000, slowest: { bytes: 1, withinMs: 600_000 } });

/** What the pages of `/v1/rows` are, in the running test. */
let pages: (signal: AbortSignal) => AsyncIterable<readonly StreamedRow[]> = none;
/** Pages that were closed by their reader. */
let closed = 0;
let url = "";
let port = 0;

async function* none(): AsyncGenerator<readonly StreamedRow[]> {}
const rowOf = (id: number): StreamedRow => ({ id, name: id === 2 ? '=1+"1"' : `n${id}` });

const common = {
  tag: "Workspace" as const,
  description: "For tests.",
  auth: "workspace" as const,
  scope: "contacts:read" as const,
  status: 200,
  method: "GET" as const,
};
const rows = {
  columns: ["id", "name"],
  async *pages(ctx: { signal: AbortSignal }) {
    try {
      yield* pages(ctx.signal);
    } finally {
      closed += 1;
    }
  },
};
const routes: AnyRoute[] = [
  route({
    ...common,
    kind: "rows",
    path: "/v1/rows",
    summary: "Export",
    action: "row.export",
    query: Type.Object({}),
    response: Row,
    rows,
  }),
  route({
    ...common,
    kind: "read",
    path: "/v1/listed",
    summary: "List",
    action: "row.list",
    query: Type.Object({ ...listQuery }),
    response: Type.Object({ data: Type.Array(Row), next_cursor: Type.Null() }),
    verb: () => Promise.resolve({ body: { data: [], next_cursor: null } }),
    rows,
  }),
];

beforeAll(async () => {
  const db = { read: (_id: string, fn: (sql: never) => unknown) => fn(null as never) } as unknown as Database;
  await server.start({
    app: testApp({ now: () => performance.now(), env: { API_RATE_LIMIT: "off" }, db, log: server.log }),
    routes,
    authenticate: (bearer) =>
      Promise.resolve({ workspaceId: bearer === KEY ? WORKSPACE : OTHER, actor: { ...ACTOR, name: bearer } }),
    streamLimits: limits,
  });
  ({ url, port } = await server.http.listen());
});
afterAll(() => server.http.close());
beforeEach(() => {
  Object.assign(limits, { idleMs: IDLE_MS, slowest: SLOWEST });
  closed = 0;
  server.clear();
});

const get = (accept?: string, path = "/v1/rows", key = KEY): Promise<Response> =>
  fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(accept === undefined ? {} : { accept }) },
  });
/** The line of a stream that has ended. */
const ended = async (): Promise<Record<string, unknown>> =>
  await expect
    .poll(() => server.lines.find(({ msg }) => msg === "rows streamed"))
    .toBeDefined()
    .then(() => server.lines.find(({ msg }) => msg === "rows streamed") as Record<string, unknown>);

test("rows as CSV, without formulas, or as NDJSON; a list as JSON unless asked for", async () => {
  pages = async function* () {
    yield [rowOf(1), rowOf(2)];
    yield [rowOf(3)];
  };
  const csv = await get();
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(await csv.text()).toBe(`id,name\r\n1,n1\r\n2,"'=1+""1"""\r\n3,n3\r\n`);
  const lines = await get("application/x-ndjson", "/v1/listed");
  expect(lines.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  expect(
    (await lines.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([rowOf(1), rowOf(2), rowOf(3)]);
  expect(await (await get("application/json", "/v1/listed")).json()).toEqual({ data: [], next_cursor: null });
  expect(await (await get(undefined, "/v1/listed")).json()).toEqual({ data: [], next_cursor: null });
  expect(await ended()).toMatchObject({ ended: "complete", rows: 3, workspace_id: expect.any(String) });
  expect(server.later.map(({ action, response }) => [action, response.status])).toEqual([
    ["row.export", 200],
    ["row.list", 200],
    ["row.list", 200],
    ["row.list", 200],
  ]);
});

test("no rows are a head line, or nothing", async () => {
  pages = none;
  expect(await (await get()).text()).toBe("id,name\r\n");
  expect(await (await get("application/x-ndjson")).text()).toBe("");
  const head = await fetch(`${url}/v1/rows`, { method: "HEAD", headers: { authorization: `Bearer ${KEY}` } });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
});

test("a type that there is not, and a cursor, are refused", async () => {
  expectProblem(await server.ask("/v1/rows", { headers: { accept: "image/png" } }), 415, "unsupported_media_type");
  const cursor = await server.ask("/v1/listed?cursor=x", { headers: { accept: "text/csv" } });
  expectProblem(cursor, 400, "invalid_request", "?cursor");
});

test("a failure ahead of the first row is a refusal, a later one cuts the answer", async () => {
  pages = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("boom")) }),
  });
  expectProblem(await server.ask("/v1/rows"), 500, "internal");
  pages = async function* () {
    yield [rowOf(1)];
    throw new Error("boom");
  };
  await expect(get().then((answer) => answer.text())).rejects.toThrow("terminated");
  expect(await ended()).toMatchObject({ ended: "failed", rows: 1, cause: { message: "boom" } });
  expect(await (await get("application/json", "/v1/listed")).json()).toEqual({ data: [], next_cursor: null });
});

async function* endless(): AsyncGenerator<readonly StreamedRow[]> {
  for (let id = 1; ; id++) yield Array.from({ length: 500 }, () => ({ id, name: "x".repeat(1_000) }));
}

test("a reader that stalls is cut, and no page is read for it meanwhile", async () => {
  let read = 0;
  pages = async function* () {
    for await (const page of endless()) {
      read += 1;
      yield page;
    }
  };
  const socket = await stalled();
  expect(await ended()).toMatchObject({ ended: "stalled" });
  const before = read;
  expect(before).toBeLessThan(40); // what the buffers of two sockets hold
  expect(closed).toBe(1);
  socket.resume();
  await socketClosed(socket);
  expect(read).toBe(before);
});

test("a reader that takes a little now and then is cut", async () => {
  pages = endless;
  const socket = await stalled();
  // Often enough to be no idle reader, and below the pace.
  const taking = setInterval(() => socket.read(), IDLE_MS / 30);
  try {
    expect(await ended()).toMatchObject({ ended: "stalled" });
  } finally {
    clearInterval(taking);
    socket.destroy();
  }
  expect(closed).toBe(1);
});

test("a workspace has some places, the process a few more", async () => {
  nobodyIsCut();
  pages = endless;
  const readers = [await stalled(), await stalled()];
  const own = await get();
  expect([own.status, own.headers.get("retry-after")]).toEqual([429, "5"]);
  readers.push(await stalled("other"));
  const full = await get(undefined, "/v1/rows", "other");
  expect([full.status, full.headers.get("retry-after")]).toEqual([503, "5"]);
  for (const reader of readers) reader.destroy();
  await expect.poll(() => closed).toBe(3);
  pages = none;
  expect((await get()).status).toBe(200);
});

test("an answer that waits behind another gives its place back when their connection ends", async () => {
  nobodyIsCut();
  pages = endless;
  for (let n = 0; n < 2; n++) {
    const socket = createConnection(port, "127.0.0.1");
    const head = `GET /v1/rows HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n\r\n`;
    socket.write(head + head);
    await once(socket, "readable");
    await expect.poll(async () => (await get()).status).toBe(429);
    socket.destroy();
    await expect.poll(() => closed).toBe(2 * n + 2);
  }
  pages = none;
  expect((await get()).status).toBe(200);
});

/** A reader that takes the head of its answer and nothing more. */
async function stalled(key = KEY): Promise<Socket> {
  const socket = createConnection(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(`GET /v1/rows HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, "readable");
  return socket;
}

test("pages follow each other by their places", async () => {
  const seen: (number | null)[] = [];
  const context = {
    db: { read: (_id: string, fn: (sql: never) => unknown) => fn(null as never) } as unknown as Database,
    workspaceId: WORKSPACE,
    clock: { now: () => 0, monotonic: () => 0, after: () => () => undefined },
    signal: new AbortController().signal,
  };
  const walked = keysetPages(context, (_sql, place: number | null) => {
    seen.push(place);
    const from = place ?? 0;
    return Promise.resolve({ rows: [from], next: from < 2 ? from + 1 : null });
  });
  const all: (readonly number[])[] = [];
  for await (const page of walked) all.push(page);
  expect([all, seen]).toEqual([
    [[0], [1], [2]],
    [null, 1, 2],
  ]);
});

test.each([
  [undefined, "csv"],
  ["*/*", "csv"],
  ["text/*;q=0.5, application/x-ndjson", "ndjson"],
  ["application/x-ndjson;q=0.1, text/csv", "csv"],
  ["Text/CSV; charset=utf-8", "csv"],
  ["application/json", null],
  ["application/json, text/csv;q=0.9", null],
  ["text/csv;q=0", null],
  ["image/png", null],
] as const)("Accept: %s", (accept, format) => {
  expect(rowFormatOf(accept, "csv")).toBe(format);
});
