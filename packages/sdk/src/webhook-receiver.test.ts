import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { afterEach, describe, expect, test } from "vitest";
import { WebhookReceiver, type WebhookReceiverOptions } from "./webhook-receiver.ts";
import { webhookTestHeaders } from "./webhook-test.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", kind: "delivered", data: { name: "Zoë 👋\u2028" } });
const MOST_BYTES = 4_096;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

// By names that the compiler does not follow: where they are not installed, their tests are left out and say so.
const optional = (name: string) =>
  import(name).catch(() => {
    console.warn(`${name} is not installed: its receiver is not tested`);
    return null;
  });
const [express, hono] = [await optional("express"), await optional("hono")];

/** Each starts an application with the receiver at /hooks and resolves with its address. */
const APPLICATIONS: Record<string, ((hooks: WebhookReceiver) => Promise<string>) | null> = {
  node: (hooks) => listen(hooks.node),
  fastify: async (hooks) => {
    const app = fastify();
    // Its own routes keep their parser.
    app.post("/own", (request) => request.body);
    await app.register(hooks.fastify("/hooks"));
    closing.push(() => app.close());
    return `${await app.listen({ port: 0 })}/hooks`;
  },
  express:
    express &&
    ((hooks) => {
      const app = express.default();
      app.post("/hooks", hooks.express);
      app.use(express.default.json());
      app.post("/own", (request: { body: unknown }, response: { json(body: unknown): void }) =>
        response.json(request.body),
      );
      return listen(app);
    }),
  hono:
    hono &&
    ((hooks) => {
      const app = new hono.Hono();
      app.post("/hooks", hooks.hono);
      return listen((request, response) => {
        const body = request.method === "POST" ? { body: request, duplex: "half" } : {};
        const init = { method: request.method ?? "GET", headers: request.headers as Record<string, string>, ...body };
        void app
          .fetch(new Request(`http://127.0.0.1${request.url}`, init as RequestInit))
          .then(async (answer: Response) => {
            response.writeHead(answer.status);
            response.end(await answer.text());
          });
      });
    }),
};
const names = Object.keys(APPLICATIONS).filter((name) => APPLICATIONS[name] !== null);

type Seen = Parameters<WebhookReceiverOptions["onEvent"]>;

async function start(name: string, more: Partial<WebhookReceiverOptions> = {}) {
  const seen: Seen[] = [];
  const errors: unknown[] = [];
  const hooks = new WebhookReceiver({
    secret: SECRET,
    maxBytes: MOST_BYTES,
    onEvent: (...args) => void seen.push(args),
    onError: (error) => void errors.push(error),
    ...more,
  });
  const url = (await APPLICATIONS[name]?.(hooks)) ?? "";
  const post = async (headers: Record<string, string>, body: string = BODY) => {
    const { status } = await fetch(url, { method: "POST", headers, body });
    return status;
  };
  return { url, seen, errors, post };
}

describe.each(names)("the receiver of %s", (name) => {
  test("takes a delivery with its raw bytes, and says what the headers do", async () => {
    const { seen, post, errors } = await start(name);
    const headers = { ...(await webhookTestHeaders(BODY, SECRET, { attempt: 2 })), "x-service-replay": "true" };
    expect([await post(headers), await post(headers)]).toEqual([204, 204]);
    const delivery = { eventId: "evt_1", deliveryId: expect.stringMatching(/^dlv_/), attempt: 2, isReplay: true };
    expect(seen).toEqual([
      [JSON.parse(BODY), delivery],
      [JSON.parse(BODY), delivery],
    ]);
    expect(errors).toEqual([]);
  });

  test("refuses what was not signed for it now, without calling the handler", async () => {
    const { seen, post, errors } = await start(name);
    const at = Math.floor(Date.now() / 1_000);
    const good = await webhookTestHeaders(BODY, SECRET);
    const answers = [
      await post(await webhookTestHeaders(BODY, OTHER)),
      await post(good, `${BODY} `),
      await post(await webhookTestHeaders(BODY, SECRET, { atSeconds: at - 310 })),
      await post({ "content-type": "application/json" }),
    ];
    expect(answers).toEqual([401, 401, 401, 401]);
    expect(errors.map((error) => (error as { fault: string }).fault)).toEqual([
      "wrong_signature",
      "wrong_signature",
      "outside_tolerance",
      "missing_signature",
    ]);
    expect(seen).toEqual([]);
  });

  test("answers 413 to a body beyond its bound, and goes on", async () => {
    const { seen, post } = await start(name);
    const large = "x".repeat(MOST_BYTES + 1);
    const answer = await post(await webhookTestHeaders(large, SECRET), large).catch(() => "cut");
    expect(answer).toBe(413);
    expect(await post(await webhookTestHeaders(BODY, SECRET))).toBe(204);
    expect(seen).toHaveLength(1);
  });

  test("answers 500 where the handler throws, so that it is tried again", async () => {
    const fault = new Error("the database is away");
    const { post, errors } = await start(name, { onEvent: () => Promise.reject(fault) });
    expect(await post(await webhookTestHeaders(BODY, SECRET))).toBe(500);
    expect(errors).toEqual([fault]);
  });

  test("asks for its secrets each time, so that they can be rotated", async () => {
    let secrets = [OTHER];
    const { post } = await start(name, { secret: async () => secrets });
    expect(await post(await webhookTestHeaders(BODY, SECRET))).toBe(401);
    secrets = [OTHER, SECRET];
    expect(await post(await webhookTestHeaders(BODY, SECRET))).toBe(204);
  });

  test("answers no GET with success", async () => {
    const { url } = await start(name);
    expect([404, 405]).toContain((await fetch(url)).status);
  });

  test.skipIf(name === "node" || name === "hono")("leaves the parsers of other routes alone", async () => {
    const { url } = await start(name);
    const headers = { "content-type": "application/json" };
    const answer = await fetch(url.replace("/hooks", "/own"), { method: "POST", headers, body: '{"a":1}' });
    expect(await answer.json()).toEqual({ a: 1 });
  });
});

test.skipIf(express === null)(
  "behind a parser that has kept the bytes it works, behind one that has not it says so",
  async () => {
    const errors: unknown[] = [];
    const hooks = new WebhookReceiver({
      secret: SECRET,
      onEvent: () => {},
      onError: (error) => void errors.push(error),
    });
    for (const [parser, status] of [
      [express.default.raw({ type: "*/*" }), 204],
      [express.default.json(), 500],
    ]) {
      const app = express.default();
      app.use(parser);
      app.post("/hooks", hooks.express);
      const url = await listen(app);
      const answer = await fetch(url, { method: "POST", headers: await webhookTestHeaders(BODY, SECRET), body: BODY });
      expect(answer.status).toBe(status);
    }
    expect(String(errors)).toContain("ahead of the parser");
  },
);
