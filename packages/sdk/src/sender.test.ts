import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answerOf } from "./answer.ts";
import { ApiError, ConnectionError, MalformedAnswerError, TimeoutError, WaypostError } from "./errors.ts";
import type { Chance } from "./retry.ts";
import { Sender } from "./sender.ts";
import { cut, json, problem, startRawServer, text } from "./testing/raw-server.ts";
import { Waypost } from "./waypost.ts";

// What the real server does not do on demand: broken answers, lost ones, and the timing of repeats.
let server: Awaited<ReturnType<typeof startRawServer>>;
let pauses: number[];
const chance: Chance = {
  random: () => 0,
  pause: (ms) => {
    pauses.push(ms);
    return Promise.resolve();
  },
};
const open = (options: { maxRetries?: number; timeoutMs?: number; baseUrl?: string } = {}): Sender =>
  new Sender({ baseUrl: server.url, bearer: "wp_live_secret", ...options }, chance);
const caught = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

beforeAll(async () => {
  server = await startRawServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.length = 0;
  pauses = [];
});

describe("what leaves", () => {
  test("a POST has its key, an agent, JSON and the bearer; the path before /v1 stays", async () => {
    server.answers(json(202, { id: "x" }));
    const sender = open({ baseUrl: `${server.url}/waypost/` });
    await sender.json("POST", "/v1/messages", { body: { a: "é" }, options: { requestId: "r1", waitSeconds: 5 } });
    expect(server.seen).toMatchObject([
      {
        method: "POST",
        url: "/waypost/v1/messages",
        body: '{"a":"é"}',
        headers: {
          authorization: "Bearer wp_live_secret",
          "content-type": "application/json",
          "user-agent": expect.stringMatching(/^waypost-sdk\/\d/),
          "x-idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/),
          "x-request-id": "r1",
          prefer: "wait=5",
        },
      },
    ]);
  });

  test("the gateway's own console sends no key, and says that it is the console", async () => {
    server.answers(json(200, { id: "x" }));
    await new Waypost({ baseUrl: server.url, session: true }).workspace.get();
    expect(server.seen[0]?.headers).toMatchObject({ "waypost-console": "1" });
    expect(server.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  test("a GET has none, and its query is written out", async () => {
    server.answers(json(200, { data: [], next_cursor: null }));
    await open().json("GET", "/v1/x", { query: { tag: ["a b", "c&d"], at: new Date(0), none: undefined, yes: true } });
    expect(server.seen[0]?.url).toBe("/v1/x?tag=a+b&tag=c%26d&at=1970-01-01T00%3A00%3A00.000Z&yes=true");
    expect(server.seen[0]?.headers).not.toHaveProperty("x-idempotency-key");
  });

  test.each([
    ["no address", { baseUrl: "localhost:8080", bearer: "k" }],
    ["another scheme", { baseUrl: "ftp://x", bearer: "k" }],
    ["no key", { baseUrl: "http://x", bearer: "" }],
    ["a key with a line break", { baseUrl: "http://x", bearer: "wp\nx" }],
  ])("%s is refused at once, without the key in the text", (_name, options) => {
    expect(() => new Sender(options)).toThrow(TypeError);
    expect(() => new Sender(options)).not.toThrow(/wp/);
  });
});

describe("a call that cannot be sent is rejected at once, and no request is made", () => {
  const client = (): Waypost => new Waypost({ baseUrl: server.url, apiKey: "wp_live_secret" });
  const circular: { attributes: object } = { attributes: {} };
  circular.attributes = circular;
  const someone = { phone: "+15551230001" };
  test.each<[string, () => Promise<unknown>, string]>([
    ["an empty id", () => client().contacts.get(""), "an id is empty"],
    ["an id of dots", () => client().messages.cancel(".."), "an id is empty"],
    ["an empty tag at the end", () => client().contacts.deleteTag("con_1", ""), "an id is empty"],
    ["half a character as an id", () => client().contacts.get("\ud800"), "an id is empty"],
    [
      "a line break in a key",
      () => client().contacts.create(someone, {}, { idempotencyKey: "a\nb" }),
      "idempotencyKey",
    ],
    [
      "a key of other letters",
      () => client().contacts.create(someone, {}, { idempotencyKey: "日本" }),
      "idempotencyKey",
    ],
    ["a request id", () => client().contacts.get("con_1", { requestId: "a\nb" }), "requestId"],
    ["an ETag", () => client().contacts.update("con_1", { name: "x" }, { ifMatch: "日" }), "ifMatch"],
    [
      "a type of a file",
      () => client().contacts.createImport({ content: "x", type: "text/\n" }),
      "the type of the file",
    ],
    ["a body in a circle", () => client().contacts.update("con_1", circular as object), "the body"],
    ["a number that JSON has not", () => open().json("POST", "/v1/x", { body: { n: 10n } }), "the body"],
    ["no time in a query", () => open().json("GET", "/v1/x", { query: { at: new Date(Number.NaN) } }), "at cannot"],
    ["no time limit", () => client().contacts.get("con_1", { timeoutMs: Number.NaN }), "timeoutMs"],
  ])("%s", async (_name, call, words) => {
    const error = await caught(call());
    expect(error).toBeInstanceOf(WaypostError);
    expect(error).toMatchObject({ name: "InvalidCallError", attempts: 0, message: expect.stringContaining(words) });
    expect(server.seen).toEqual([]);
  });
});

describe("repeats", () => {
  test("a lost answer of a POST: the same key and body again", async () => {
    server.answers(cut, (response) => void response.destroy(), json(202, { id: "x" }));
    expect(await open().json("POST", "/v1/x", { body: { a: 1 } })).toEqual({ id: "x" });
    expect(
      new Set(server.seen.map(({ headers, body }) => `${String(headers["x-idempotency-key"])} ${body}`)).size,
    ).toBe(1);
    expect(server.seen).toHaveLength(3);
    expect(pauses).toEqual([250, 500]);
  });

  test("two calls have two keys", async () => {
    server.answers(json(202, {}));
    const sender = open();
    await Promise.all([sender.json("POST", "/v1/x"), sender.json("POST", "/v1/x")]);
    expect(new Set(server.seen.map(({ headers }) => headers["x-idempotency-key"])).size).toBe(2);
  });

  test.each(["PATCH", "DELETE"] as const)("a lost answer to a %s is reported, not repeated", async (method) => {
    server.answers(cut);
    expect(await caught(open().json(method, "/v1/x"))).toBeInstanceOf(ConnectionError);
    expect(server.seen).toHaveLength(1);
  });

  test.each(["GET", "POST", "PATCH", "DELETE"] as const)(
    "503 with a problem of the gateway: %s is repeated",
    async (method) => {
      server.answers(problem(503, "unavailable", true, { "retry-after": "1" }), json(200, { ok: true }));
      expect(await open().json(method, "/v1/x")).toEqual({ ok: true });
      expect(pauses).toEqual([1_000]);
    },
  );

  test.each([
    [400, "invalid_request"],
    [404, "not_found"],
    [409, "conflict"],
    [422, "window_closed"],
    [500, "internal"],
  ])("%i %s is final", async (status, code) => {
    server.answers(problem(status, code, false));
    expect(await caught(open().json("POST", "/v1/x"))).toMatchObject({ code, attempts: 1, requestId: "req-1" });
    expect(pauses).toEqual([]);
  });

  test("429 is repeated after what it asks, and given up when that is long", async () => {
    server.answers(problem(429, "rate_limited", true, { "retry-after": "7" }), json(200, {}));
    await open().json("PATCH", "/v1/x");
    expect(pauses).toEqual([7_000]);
    server.answers(problem(429, "messaging_limit_reached", true, { "retry-after": "3600" }));
    const error = await caught(open().json("POST", "/v1/x"));
    expect(error).toMatchObject({ name: "RateLimitError", retryAfterSeconds: 3_600, attempts: 1 });
  });

  test("they end: two by default, as many as asked, none at all", async () => {
    server.answers(problem(503, "unavailable", true));
    expect(await caught(open().json("GET", "/v1/x"))).toMatchObject({ name: "GatewayError", attempts: 3 });
    expect(await caught(open({ maxRetries: 0 }).json("GET", "/v1/x"))).toMatchObject({ attempts: 1 });
    const options = { maxRetries: 5 };
    expect(await caught(open().json("GET", "/v1/x", { options }))).toMatchObject({ attempts: 6 });
    expect(Math.max(...pauses)).toBe(4_000);
  });

  test("a closed port: a POST is tried three times, then reported", async () => {
    const error = await caught(open({ baseUrl: "http://127.0.0.1:1" }).json("POST", "/v1/x", { body: { secret: 1 } }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ attempts: 3, requestId: null });
    expect(String(error)).not.toMatch(/wp_live|secret/);
  });
});

describe("answers that are none of ours", () => {
  test.each([
    ["a proxy's page for a success", 200, "<html>", "GET", 1],
    ["half a JSON", 200, '{"id":', "GET", 1],
    ["a proxy's 502 of a GET", 502, "<html>", "GET", 3],
    ["a proxy's 502 of a POST", 502, "<html>", "POST", 3],
    ["a proxy's 502 of a DELETE", 502, "<html>", "DELETE", 1],
    ["JSON without a code", 400, '{"message":"no"}', "POST", 1],
    ["a list as a refusal", 500, "[]", "GET", 1],
  ] as const)("%s", async (_name, status, body, method, times) => {
    server.answers(text(status, body, { "x-request-id": "req-2" }));
    const error = await caught(open().json(method, "/v1/x"));
    expect(error).toBeInstanceOf(MalformedAnswerError);
    expect(error).toMatchObject({ status, requestId: "req-2", attempts: times });
    expect(server.seen).toHaveLength(times);
  });

  test("a redirect is not followed: the key stays here", async () => {
    server.answers((response) => void response.writeHead(302, { location: `${server.url}/other` }).end());
    expect(await caught(open({ maxRetries: 0 }).json("GET", "/v1/x"))).toBeInstanceOf(ConnectionError);
    expect(server.seen.map(({ url }) => url)).toEqual(["/v1/x"]);
  });

  test("a code that this version does not know is still an ApiError", async () => {
    server.answers(problem(418, "brewing", false));
    const error = await caught(open().json("GET", "/v1/x"));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: "brewing", status: 418 });
  });

  test.each(["null", "{}", ""])("a list that is %j", async (body) => {
    server.answers(text(200, body));
    expect(await caught(open().list("/v1/x", {}))).toBeInstanceOf(MalformedAnswerError);
  });

  test("a row that is no JSON", async () => {
    server.answers(text(200, "<html>\n"));
    const rows = open().rows("/v1/x", {});
    expect(await caught(rows[Symbol.asyncIterator]().next())).toBeInstanceOf(MalformedAnswerError);
  });

  test("a page in place of a file of rows", async () => {
    server.answers(text(200, "<html>\n", { "x-request-id": "req-1" }));
    const page = await caught(open().rows("/v1/x", {}).file("csv"));
    expect(page).toBeInstanceOf(MalformedAnswerError);
    expect(page).toMatchObject({ status: 200, requestId: "req-1" });
    server.answers(text(200, "a\r\n", { "content-type": "text/csv; charset=utf-8" }));
    expect(await new Response(await open().rows("/v1/x", {}).file("csv")).text()).toBe("a\r\n");
  });

  test("a list whose cursor stands still ends with an error", async () => {
    server.answers(json(200, { data: [1], next_cursor: "same" }));
    const list = open().list<number>("/v1/x", {});
    const read = async (): Promise<void> => {
      for await (const one of list) expect(one).toBe(1);
    };
    await expect(read()).rejects.toThrow("does not move on");
  });

  test("a list that is read again later ends where it says so, with a cursor for the next time", async () => {
    server.answers(
      json(200, { data: [1], next_cursor: "a", has_more: true }),
      json(200, { data: [2], next_cursor: "b", has_more: false }),
    );
    const list = open().list<number>("/v1/x", {});
    const read: number[] = [];
    for await (const one of list) read.push(one);
    expect(read).toEqual([1, 2]);
    const last = await (await list).next();
    expect(last).toMatchObject({ hasMore: false, nextCursor: "b" });
  });

  test("204 has no body", async () => {
    server.answers((response) => void response.writeHead(204).end());
    expect(await open().nothing("DELETE", "/v1/x")).toBeUndefined();
    expect(answerOf({})).toBeUndefined();
  });
});

describe("time", () => {
  test("no answer in time is a TimeoutError, repeated like any lost answer", async () => {
    server.answers(() => undefined);
    const error = await caught(open({ timeoutMs: 40, maxRetries: 1 }).json("POST", "/v1/x"));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ attempts: 2 });
    expect(new Set(server.seen.map(({ headers }) => headers["x-idempotency-key"])).size).toBe(1);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 31 - 1])(
    "a limit of %d ms does not end a call",
    async (timeoutMs) => {
      server.answers((response) => void setTimeout(() => json(200, { ok: true })(response), 50));
      expect(await open({ maxRetries: 0 }).json("GET", "/v1/x", { options: { timeoutMs } })).toEqual({ ok: true });
    },
  );

  test("the time limit covers a body that drips", async () => {
    server.answers((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write("[");
    });
    const options = { timeoutMs: 40, maxRetries: 0 };
    expect(await caught(open().json("GET", "/v1/x", { options }))).toBeInstanceOf(TimeoutError);
  });

  test("the caller's signal ends a request with its own reason, without a repeat", async () => {
    const reason = new Error("changed my mind");
    const controller = new AbortController();
    server.answers(() => controller.abort(reason));
    expect(await caught(open().json("GET", "/v1/x", { options: { signal: controller.signal } }))).toBe(reason);
    expect(server.seen).toHaveLength(1);
    expect(await caught(open().json("GET", "/v1/x", { options: { signal: controller.signal } }))).toBe(reason);
    expect(server.seen).toHaveLength(1);
  });

  test("and it ends a pause between two tries", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    server.answers((response) => {
      problem(503, "unavailable", true, { "retry-after": "30" })(response);
      response.once("close", () => setImmediate(() => controller.abort(reason)));
    });
    const sender = new Sender({ baseUrl: server.url, bearer: "k" });
    expect(await caught(sender.json("GET", "/v1/x", { options: { signal: controller.signal } }))).toBe(reason);
  });
});
