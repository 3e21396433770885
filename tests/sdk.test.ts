import { readFileSync } from "node:fs";
import * as sdk from "@waypost/sdk";
import {
  AuthenticationError,
  answerOf,
  ConflictError,
  type components,
  type Item,
  type ListedMessage,
  type Message,
  type MessageTemplate,
  type NewWebhookEndpoint,
  NotFoundError,
  PermissionError,
  type Result,
  UnprocessableError,
  verifyWebhook,
  Waypost,
  WaypostOperator,
  type WebhookEndpointWithSecret,
} from "@waypost/sdk";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type Received, startReceiver } from "../packages/server/src/features/webhooks/testing/receiver.ts";
import {
  type Gateway,
  OPERATOR_KEY,
  ORDER_READY,
  type Sender,
  startGateway,
} from "../packages/server/src/testing/gateway.ts";

// The SDK against the real server, database and simulator.
let gateway: Gateway;
let mine: Sender;
let client: Waypost;
let theirs: Waypost;
let operator: WaypostOperator;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
  const baseUrl = gateway.url;
  client = new Waypost({ apiKey: mine.key, baseUrl: `${baseUrl}/` });
  theirs = new Waypost({ apiKey: (await gateway.sender()).key, baseUrl });
  operator = new WaypostOperator({ operatorKey: OPERATOR_KEY, baseUrl });
});
afterAll(() => gateway.stop());

const send = (to: string, options?: Parameters<Waypost["messages"]["send"]>[1]) =>
  client.messages.send({ to, type: "template", template: ORDER_READY }, options);

test("a file goes up as a form, and its content comes as it is", async () => {
  const media = await client.media.create({ content: "Open from 9 to 5.", filename: "hours.txt", type: "text/plain" });
  expect(media).toMatchObject({ type: "document", mime_type: "text/plain", filename: "hours.txt", size: 17 });
  const content = await client.media.content(media.id);
  expect([content.headers.get("content-type"), await content.text()]).toEqual(["text/plain", "Open from 9 to 5."]);
  await expect(theirs.media.content(media.id)).rejects.toThrow(NotFoundError);
  const blob = new Blob(["Closed."], { type: "text/plain" });
  expect((await client.media.create({ content: blob, filename: "a.txt" })).size).toBe(7);
  const shared = new Uint8Array(new SharedArrayBuffer(4)).fill(0x61);
  const ofThreads = await client.media.create({ content: shared, filename: "b.txt" });
  expect(await (await client.media.content(ofThreads.id)).text()).toBe("aaaa");
  const refused = client.media.create({ content: "<html>", filename: "a.html" });
  await expect(refused).rejects.toMatchObject({ code: "unsupported_media_type" });
});

test("events are listed, got and followed: by one cursor, over lost connections, until the signal", async () => {
  const name = async (value: string): Promise<unknown> =>
    client.contacts.create({ phone: `+1555700${value}`, name: value });
  await name("1000");
  const list = async () => (await client.events.list({ limit: 1 })).data;
  await expect.poll(list).toHaveLength(1);
  const [first] = await list();
  expect(await client.events.get(first?.id ?? "")).toEqual(first);
  let before = await client.events.list();
  while (before.hasMore) before = (await before.next()) ?? before;
  const leave = new AbortController();
  const stream = client.events.stream({ cursor: before.nextCursor ?? "" }, { signal: leave.signal });
  const seen: string[] = [];
  // What lost its connection tries again after a while of the gateway's clock.
  const ticks = setInterval(() => gateway.clock.advance(250), 50);
  onTestFinished(() => clearInterval(ticks));
  await name("1001");
  for await (const { kind, data } of stream) {
    if (kind !== "contact_created") continue;
    seen.push((data as { contact: { name: string } }).contact.name);
    if (seen.length === 1) {
      // The process may lose its connections at any moment.
      gateway.databaseProxy.cut();
      gateway.databaseProxy.mend();
      await vi.waitFor(() => name("1002"), { timeout: 10_000 });
    }
    if (seen.length === 2) leave.abort();
  }
  expect(seen).toEqual(["1001", "1002"]);
  const rest = await client.events.list({ cursor: stream.cursor ?? "" });
  expect(rest.data.filter(({ kind }) => kind === "contact_created")).toEqual([]);
});

test("every operation of the document has its method", () => {
  type Operation = { operationId: string; security: Record<string, string[]>[] };
  const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
  const operations = Object.values(document.paths as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  );
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { operationId, security } of operations) {
    const [resource = "", method = ""] = operationId.split(".");
    const clients = security.map((one) => ("operatorKey" in one ? operator : client));
    for (const one of clients) {
      const found = (one as unknown as Record<string, Record<string, unknown> | undefined>)[resource]?.[method];
      expect.soft(typeof found, operationId).toBe("function");
    }
  }
});

describe("types", () => {
  test("each schema of the API has one by its name, which methods take and return, and the long ways to it lead there too", () => {
    const template: MessageTemplate = ORDER_READY;
    const calls = {
      send: (to: string): Promise<Message> => client.messages.send({ to, type: "template", template }),
      subscribe: (body: NewWebhookEndpoint): Promise<WebhookEndpointWithSecret> => client.webhookEndpoints.create(body),
      list: async (): Promise<readonly Message[]> => (await client.messages.list()).data,
    };
    expect(Object.values(calls).map((call) => typeof call)).toEqual(["function", "function", "function"]);
    type Same<One, Other> = [One, Other] extends [Other, One] ? true : false;
    const same: [
      Same<Message, components["schemas"]["Message"]>,
      Same<Message, Result<"messages.send">>,
      Same<ListedMessage, Item<"messages.list">>,
    ] = [true, true, true];
    expect(same).toEqual([true, true, true]);
  });

  test("no schema is named like something that the SDK exports itself, which would hide it", () => {
    const document = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
    const schemas = Object.keys(document.components.schemas as object);
    expect(schemas).toContain("Message");
    expect(schemas.filter((name) => name in sdk)).toEqual([]);
  });
});

test("the first example of the README runs", async () => {
  const readme = readFileSync(new URL("../packages/sdk/README.md", import.meta.url), "utf8");
  const [, example = ""] = /```ts\n([^`]*)```/.exec(readme) ?? [];
  const script = example.replace(/^import .*\n/, "").replace("http://127.0.0.1:8080", gateway.url);
  const printed: unknown[][] = [];
  // As `node` would run the file, with what it prints kept.
  const runs = new Function("Waypost", "process", "console", `return (async () => { ${script} })();`);
  await runs(Waypost, { env: { WAYPOST_API_KEY: mine.key } }, { log: (...words: unknown[]) => printed.push(words) });
  expect(printed[0]).toEqual([expect.stringMatching(/^msg_/), "accepted"]);
  expect(printed[1]).toEqual(printed[0]);
});

describe("messages", () => {
  test("are typed as one of their kinds: a mixture does not compile", () => {
    const to = "+15551230001";
    const refused = [
      // @ts-expect-error -- a text has no template
      () => client.messages.send({ to, type: "text", template: ORDER_READY }),
      // @ts-expect-error -- a template has no text
      () => client.messages.send({ to, type: "template", template: ORDER_READY, text: { body: "Hi" } }),
      // @ts-expect-error -- a template needs its object
      () => client.messages.send({ to, type: "template" }),
      // @ts-expect-error -- there is no such type
      () => client.messages.send({ to, type: "fax" }),
    ];
    expect(refused).toHaveLength(4);
  });

  test("are sent, read with their history, and not visible to other workspaces", async () => {
    const message = await send("+15551230011", { waitSeconds: 10 });
    expect(message).toMatchObject({ status: "accepted", to: "+15551230011", template: ORDER_READY });
    expect(answerOf(message)).toMatchObject({ status: 202, replayed: false, requestId: expect.any(String) });
    const { history } = await client.messages.get(message.id);
    expect(history.at(-1)?.status).toBe("accepted");
    await expect(theirs.messages.get(message.id)).rejects.toThrow(NotFoundError);
  });

  test("the same key gives the first message, another body is refused", async () => {
    const first = await send("+15551230002", { idempotencyKey: "order-2" });
    const again = await send("+15551230002", { idempotencyKey: "order-2" });
    expect(again.id).toBe(first.id);
    expect(answerOf(again)?.replayed).toBe(true);
    const other = send("+15551230003", { idempotencyKey: "order-2" });
    await expect(other).rejects.toMatchObject({ name: "UnprocessableError", code: "idempotency_key_reused" });
  });

  test("calls without a key of their own are two messages", async () => {
    const [one, two] = await Promise.all([send("+15551230004"), send("+15551230004")]);
    expect(one.id).not.toBe(two.id);
  });

  test("a refusal says what, where and how it is found", async () => {
    const error = await client.messages
      .send({ to: "+15551239999", type: "text", text: { body: "Hello" } }, { requestId: "my-request-1" })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnprocessableError);
    expect(error).toMatchObject({
      code: "window_closed",
      status: 422,
      retryable: false,
      requestId: "my-request-1",
      attempts: 1,
    });
    expect(String(error)).not.toContain("Hello");
    await expect(send("no number")).rejects.toMatchObject({
      code: "invalid_phone_number",
      errors: [{ pointer: "/to" }],
    });
  });
});

describe("lists", () => {
  test("by item over all pages, by page, and from a cursor", async () => {
    for (const index of [1, 2, 3, 4, 5]) {
      await client.messages.send({
        to: "+15551230005",
        type: "template",
        template: ORDER_READY,
        reference: `list-${index}`,
      });
    }
    const references: (string | null)[] = [];
    for await (const message of client.messages.list({ to: "+15551230005", limit: 2 }))
      references.push(message.reference);
    expect(references).toEqual(["list-5", "list-4", "list-3", "list-2", "list-1"]);

    const page = await client.messages.list({ to: "+15551230005", limit: 4 });
    expect(page.data).toHaveLength(4);
    expect(answerOf(page)?.status).toBe(200);
    const rest = await client.messages.list({ to: "+15551230005", cursor: page.nextCursor ?? "" });
    expect(rest.data.map(({ reference }) => reference)).toEqual(["list-1"]);
    expect((await page.next())?.data).toEqual(rest.data);
    expect(await rest.next()).toBeNull();
  });

  test("a bad cursor is refused where the list is read", async () => {
    await expect(client.messages.list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid_request" });
  });
});

test("templates, numbers, accounts and the workspace", async () => {
  const templates = await client.templates.list({ status: "approved", name: ORDER_READY.name });
  expect(templates.data).toMatchObject([{ name: ORDER_READY.name }]);
  const number = await client.phoneNumbers.update(mine.phoneNumberId, { description: "Till 1" });
  expect(number.description).toBe("Till 1");
  expect((await client.businessAccounts.list()).data).toHaveLength(1);
  expect((await client.workspace.get()).id).toBe(mine.id);
});

test("an endpoint's life, and a delivery that verifies", async () => {
  const receiver = await startReceiver();
  try {
    const endpoint = await client.webhookEndpoints.create({ url: receiver.url, events: ["*"] });
    const etag = answerOf(await client.webhookEndpoints.get(endpoint.id))?.etag ?? "";
    await client.webhookEndpoints.update(endpoint.id, { description: "mine" }, { ifMatch: etag });
    await expect(
      client.webhookEndpoints.update(endpoint.id, { description: "late" }, { ifMatch: etag }),
    ).rejects.toThrow(ConflictError);

    await client.webhookEndpoints.test(endpoint.id);
    // Messages sent before the endpoint was there may still have events to deliver.
    const isTest = ({ headers }: Received): boolean => headers["x-service-event"] === "endpoint_test";
    const { headers, text } = await vi.waitUntil(() => receiver.received.find(isTest), { timeout: 30_000 });
    const event = await verifyWebhook(text, headers, endpoint.secret ?? "", gateway.clock.now() / 1_000);
    expect(event).toMatchObject({ kind: "endpoint_test", workspace_id: mine.id });
    expect(await client.webhookEndpoints.delete(endpoint.id)).toBeUndefined();
    await expect(client.webhookEndpoints.get(endpoint.id)).rejects.toThrow(NotFoundError);
  } finally {
    await receiver.close();
  }
});

describe("keys", () => {
  test("a wrong one, one without the scope, and a revoked one", async () => {
    const wrong = new Waypost({ apiKey: "wp_live_wrong", baseUrl: gateway.url });
    await expect(wrong.messages.list()).rejects.toThrow(AuthenticationError);
    const reader = await client.apiKeys.create({ name: "reader", scopes: ["messages:read"] });
    const narrow = new Waypost({ apiKey: reader.key, baseUrl: gateway.url });
    expect((await narrow.messages.list()).data.length).toBeGreaterThan(0);
    await expect(narrow.templates.list()).rejects.toThrow(PermissionError);
    await client.apiKeys.delete(reader.id);
    gateway.clock.advance(5_000); // the longest that a revocation takes to hold
    await expect(narrow.messages.list()).rejects.toThrow(AuthenticationError);
  });

  test("the operator makes a workspace and its first key", async () => {
    const workspace = await operator.workspaces.create({ name: "Fresh" });
    const { key } = await operator.workspaces.createApiKey(workspace.id, { name: "first", scopes: ["*"] });
    const fresh = new Waypost({ apiKey: key, baseUrl: gateway.url });
    expect((await fresh.workspace.get()).name).toBe("Fresh");
    expect((await operator.workspaces.update(workspace.id, { status: "suspended" })).status).toBe("suspended");
    for await (const one of operator.workspaces.list({ limit: 1 })) expect(one.id).toMatch(/^ws_/);
  });
});
