import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { Type } from "typebox";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { newUuid } from "../../../lib/ids.ts";
import { closed } from "../../../testing/closed.ts";
import { route } from "../../route.ts";
import { testApp, useServer, WORKSPACE } from "../../testing/server.ts";

// On real connections: bodies that arrive in parts, or never.
const THEIRS = newUuid(7);
const BODY_MS = 400;
const ROOM = 100_000;

let hold: Promise<void> | null = null;
/** Requests whose verb has begun. */
let arrived = 0;
const server = useServer("mine", ({ log }) => ({
  app: testApp({ now: () => performance.now(), env: { API_RATE_LIMIT: "off" }, log }),
  routes: [
    route({
      kind: "own",
      auth: "workspace",
      scope: null,
      tag: "Workspace",
      method: "POST",
      path: "/v1/things",
      summary: "Make",
      description: "For tests.",
      action: "thing.make",
      maxBytes: 1_000_000,
      body: Type.Object({ text: Type.String() }),
      status: 202,
      response: Type.Object({ length: Type.Integer() }),
      verb: async (_ctx, { body }) => {
        arrived += 1;
        await hold;
        return { body: { length: body.text.length } };
      },
    }),
  ],
  rawRoutes: [
    {
      method: "POST",
      path: "/raw",
      summary: "Bytes",
      maxBytes: 80_000,
      refuse: ({ headers }) => (headers["x-signed"] === undefined ? { status: 401, body: "unsigned" } : null),
      handle: ({ body }) => Promise.resolve({ status: 200, body: `${body.length} bytes` }),
    },
  ],
  authenticate: (bearer) => {
    const workspaceId = { mine: WORKSPACE, theirs: THEIRS }[bearer];
    const actor = { type: "api_key" as const, id: newUuid(8), name: "k", scopes: ["*"], phoneNumberIds: null };
    return Promise.resolve(workspaceId === undefined ? null : { workspaceId, actor });
  },
  bodyLimits: { ms: BODY_MS, unverifiedBytes: ROOM, keyedBytes: 2 * ROOM },
}));

let port: number;
beforeAll(async () => {
  ({ port } = await server.http.listen());
});
const open: Client[] = [];
afterEach(() => {
  arrived = 0;
  hold = null;
  for (const client of open.splice(0)) client.socket.destroy();
});

/** A connection, and all that came back on it. */
type Client = { socket: Socket; text: string };
async function connect(): Promise<Client> {
  const client: Client = { socket: createConnection(port, "127.0.0.1"), text: "" };
  client.socket.on("data", (bytes) => (client.text += bytes.toString()));
  client.socket.on("error", () => undefined);
  open.push(client);
  await once(client.socket, "connect");
  return client;
}
async function send(head: string, body = ""): Promise<Client> {
  const client = await connect();
  client.socket.write(head);
  if (body !== "") client.socket.write(body);
  return client;
}
const expectAnswer = async (client: Client, text: string | RegExp): Promise<void> =>
  await expect.poll(() => client.text).toMatch(text);

const head = (path: string, length: number | "chunked", ...more: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    "Host: a",
    length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    ...more,
    "\r\n",
  ].join("\r\n");
const raw = (length: number | "chunked", ...more: string[]) => head("/raw", length, "X-Signed: yes", ...more);
const thing = (length: number | "chunked", bearer: string, ...more: string[]) =>
  head("/v1/things", length, `Authorization: Bearer ${bearer}`, "Content-Type: application/json", ...more);
const json = (bytes: number): string => `{"text":"${"x".repeat(bytes - 11)}"}`;

describe("a body whose sender is not known before its end", () => {
  test("is not read where the head is enough to refuse it; the connection goes on behind it", async () => {
    const client = await send(head("/raw", 50_000));
    await expectAnswer(client, /^HTTP\/1\.1 401 [^]*unsigned$/);
    client.socket.write("x".repeat(50_000) + raw(2) + "ab");
    await expectAnswer(client, "2 bytes");
  });

  test("gives way, if it has been arriving for longest, to those that come at once", async () => {
    const half = await send(raw(60_000), "x".repeat(59_999));
    await expectAnswer(await send(raw(10), "0123456789"), "10 bytes");
    const second = await send(raw(50_000), "x".repeat(49_000));
    await expectAnswer(half, /^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*"code":"unavailable"/i);
    second.socket.write("x".repeat(1_000));
    await expectAnswer(second, "50000 bytes");
    // The room is free again.
    await expectAnswer(await send(raw(80_000), "x".repeat(80_000)), "80000 bytes");
  });

  test("counts with its pieces: one of many small chunks takes more than its bytes", async () => {
    const client = await send(raw("chunked"), "1\r\nx\r\n".repeat(1_000));
    await expectAnswer(client, /^HTTP\/1\.1 503 /);
  });

  test("is 408 when it does not come in time, with the id of the request, and its connection is closed", async () => {
    const client = await send(raw(100, "X-Request-Id: slow-1"), "x");
    await closed(client.socket);
    expect(client.text).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*x-request-id: slow-1/i);
    expect(client.text).toMatch(/connection: close/i);
    expect(JSON.parse(client.text.split("\r\n\r\n")[1] ?? "")).toMatchObject({ code: "invalid_request", status: 408 });
  });
});

describe("a body of a key holder", () => {
  test("is not read before its key is known, however it is sent", async () => {
    for (const client of [
      await send(thing(900_000, "wrong")),
      await send(thing("chunked", "wrong"), "5\r\n"),
      await send(thing(900_000, "wrong", "Expect: 100-continue")),
    ]) {
      await expectAnswer(client, /"code":"unauthorized"/);
      expect(client.text).toMatch(/^HTTP\/1\.1 401 /);
    }
  });

  test("is not read when it is packed, or of another type", async () => {
    for (const more of ["Content-Encoding: gzip", "Content-Encoding: br"])
      await expectAnswer(await send(thing(500, "mine", more)), /^HTTP\/1\.1 415 /);
    const bytes = head("/v1/things", 500, "Authorization: Bearer mine", "Content-Type: application/octet-stream");
    await expectAnswer(await send(bytes), /^HTTP\/1\.1 415 /);
  });

  test("that is too large is refused at its head, or where it becomes too large; its sender can read that", async () => {
    await expectAnswer(await send(thing(1_000_001, "mine")), /^HTTP\/1\.1 413 /);
    const client = await send(head("/raw", "chunked", "X-Signed: yes"));
    client.socket.write(`${(90_000).toString(16)}\r\n${"x".repeat(90_000)}\r\n`);
    await expectAnswer(client, /^HTTP\/1\.1 413 /);
    client.socket.write(`0\r\n\r\n${raw(1)}x`);
    await expectAnswer(client, "1 bytes");
  });

  test("is asked for once it is taken, where the client waits for that", async () => {
    const client = await send(thing(20, "mine", "Expect: 100-continue"));
    await expectAnswer(client, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    client.socket.write(json(20));
    await expectAnswer(client, /HTTP\/1\.1 202 [^]*\{"length":9\}\n$/);
  });

  test("is read whatever else the client expects", async () => {
    await expectAnswer(
      await send(thing(20, "mine", "Expect: the-best"), json(20)),
      /^HTTP\/1\.1 202 [^]*\{"length":9\}\n$/,
    );
  });

  test("has room for each workspace, until its answer", async () => {
    let release = (): void => {};
    hold = new Promise((resolve) => (release = resolve));
    const first = await send(thing(90_000, "mine"), json(90_000));
    // All of the first one is here, and is held while the verb runs.
    const refused = async () => {
      const client = await send(thing(90_000, "mine"), json(90_000));
      await expect.poll(() => client.text !== "" || hold === null).toBe(true);
      return client.text;
    };
    expect(await refused()).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1\r\n[^]*"code":"rate_limited"/i);
    const theirs = await send(thing(50_000, "theirs"), json(50_000));
    release();
    await expectAnswer(first, /^HTTP\/1\.1 202 /);
    await expectAnswer(theirs, /^HTTP\/1\.1 202 /);
    hold = null;
    await expectAnswer(await send(thing(90_000, "mine"), json(90_000)), /^HTTP\/1\.1 202 /);
  });

  test("that breaks off leaves its room", async () => {
    for (let n = 0; n < 5; n++) {
      const client = await send(thing(90_000, "mine"), json(90_000).slice(0, -1));
      await expect.poll(() => client.socket.bytesWritten).toBeGreaterThan(89_000);
      client.socket.destroy();
      await closed(client.socket);
    }
    await expect
      .poll(async () => {
        const client = await send(thing(90_000, "mine"), json(90_000));
        await expect.poll(() => client.text).not.toBe("");
        return client.text;
      })
      .toMatch(/^HTTP\/1\.1 202 /);
  });
});

test("an answer that waits behind another gives back the room of its body when their connection ends", async () => {
  let release = (): void => {};
  hold = new Promise((resolve) => (release = resolve));
  const client = await send(`${thing(20, "mine")}${json(20)}${thing(60_000, "mine")}`, json(60_000).slice(0, 100));
  await expect.poll(() => arrived).toBe(1);
  client.socket.write(json(60_000).slice(100));
  await expect.poll(() => arrived).toBe(2);
  client.socket.destroy();
  hold = null;
  await expect
    .poll(async () => {
      const next = await send(thing(90_000, "mine"), json(90_000));
      await expect.poll(() => next.text).not.toBe("");
      return next.text;
    })
    .toMatch(/^HTTP\/1\.1 202 /);
  release();
});

describe("what never becomes a request", () => {
  test("a header line over 16 KiB is 431", async () => {
    const client = await send(`GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${"x".repeat(17_000)}\r\n\r\n`);
    await expectAnswer(client, /^HTTP\/1\.1 431 Request Header Fields Too Large\r\n[^]*"status":431/);
  });

  test("chunk extensions over 16 KiB are 413", async () => {
    const client = await send(raw("chunked"), `1;${"x".repeat(17_000)}\r\nx\r\n`);
    await expectAnswer(client, /^HTTP\/1\.1 413 [^]*"code":"payload_too_large"/);
  });

  test("is answered behind what came before it", async () => {
    let release = (): void => {};
    hold = new Promise((resolve) => (release = resolve));
    const client = await send(`${thing(20, "mine")}${json(20)}${thing(21, "mine")}${json(21)}GARBAGE\r\n\r\n`);
    const reached = await send(raw(1), "x");
    await expectAnswer(reached, "1 bytes");
    expect(client.text).toBe("");
    release();
    await closed(client.socket);
    expect(client.text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 202", "HTTP/1.1 202", "HTTP/1.1 400"]);
  });

  test("garbage inside a body is 400", async () => {
    const client = await send(raw("chunked"), "5\r\nabcdefgh\r\n");
    await expectAnswer(client, /^HTTP\/1\.1 400 /);
  });
});
