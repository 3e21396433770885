import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatId } from "../../../lib/ids.ts";
import { bundled } from "../../../testing/bundled.ts";
import { withClient } from "../../../testing/client.ts";
import { sized } from "../../../testing/size.ts";
import { startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

/** Short, so that the lanes of a killed process continue soon; long enough not to lapse on a busy machine. */
const LEASE_MS = 4_000;

let app: WebhooksApp;
let receiver: Receiver;
let children: ChildProcess[] = [];
beforeEach(async () => {
  app = await startWebhooks();
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const child of children) await end(child, "SIGKILL");
  children = [];
  await receiver.close();
  await app.stop();
});

async function startChild(): Promise<ChildProcess> {
  const role = await withClient(
    app.database.url,
    async (client) => (await client.query<{ app_role: string }>("select app_role from installation")).rows[0]!.app_role,
  );
  const script = await bundled(new URL("../testing/deliver-child.ts", import.meta.url));
  const child = spawn(process.execPath, [script, app.database.url, role, String(LEASE_MS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout, "data");
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

const EVENTS = 300;

test("a killed process loses no delivery: every event arrives, twice only with the same id and bytes", async () => {
  const { id, call } = await app.workspace();
  await call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"] } });
  const child = await startChild();
  // Killed with posts received and not answered, answered and not stored, and not yet sent.
  receiver.answer((response) => {
    if (receiver.received.length === EVENTS / 3) child.kill("SIGKILL");
    setImmediate(() => response.end());
  });
  const ids = await app.emit(
    id,
    Array.from({ length: EVENTS }, (_, n) => ({ text: `n${n}` })),
  );
  await once(child, "exit");
  await startChild();
  const seen = (): Map<string, Set<string>> => {
    const map = new Map<string, Set<string>>();
    for (const { headers, text } of receiver.received)
      map.set(String(headers["webhook-id"]), (map.get(String(headers["webhook-id"])) ?? new Set()).add(text));
    return map;
  };
  await expect.poll(async () => [seen().size, (await app.queue(id)).length], { timeout: 40_000 }).toEqual([EVENTS, 0]);
  expect(new Set(seen().keys())).toEqual(new Set(ids.map((event) => formatId("evt", event))));
  for (const texts of seen().values()) expect(texts.size).toBe(1);
  // At most the deliveries in flight arrive twice, and those that waited to be stored or were being stored.
  expect(receiver.received.length).toBeLessThanOrEqual(EVENTS + 128 + 200);
});

test("a process that is told to stop stores what was answered: nothing is posted twice", async () => {
  const { id, call } = await app.workspace();
  await call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"] } });
  const child = await startChild();
  receiver.answer((response) => {
    if (receiver.received.length === EVENTS / 3) child.kill("SIGTERM");
    response.end();
  });
  await app.emit(
    id,
    Array.from({ length: EVENTS }, (_, n) => ({ text: `n${n}` })),
  );
  await once(child, "exit");
  await startChild();
  await expect.poll(async () => (await app.queue(id)).length, { timeout: 40_000 }).toBe(0);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(EVENTS);
  expect(receiver.received).toHaveLength(EVENTS);
});

test("an endpoint keeps the order from the moment in which it was asked to, in another process than its lane's", async () => {
  const { id, call } = await app.workspace();
  const { body: endpoint } = await call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["*"] },
  });
  await startChild();
  const firsts: string[] = [];
  const failedOnce = new Set<string>();
  let failEarlier: (() => void) | undefined;
  receiver.answer((response, { body }) => {
    const text = String(body.data.message.text.body);
    const fails = text === "0:0" || text.endsWith(":1");
    if (!fails || failedOnce.has(text)) {
      firsts.push(text);
      response.end();
      return;
    }
    failedOnce.add(text);
    const fail = (): void => void response.writeHead(500).end();
    if (text === "0:0") failEarlier = fail;
    else fail();
  });
  // Its answer is awaited while the endpoint is changed, so the lane is at work, and without an order.
  await app.emit(id, [{ text: "0:0", conversation: 0 }]);
  await receiver.got(1);
  expect((await call("PATCH", `/v1/webhook-endpoints/${endpoint.id}`, { body: { ordered: true } })).status).toBe(200);
  const events = Array.from({ length: 20 }, (_, index) => ({ conversation: index % 4, n: 1 + Math.floor(index / 4) }));
  await app.emit(
    id,
    events.map(({ conversation, n }) => ({ text: `${conversation}:${n}`, conversation })),
  );
  await expect.poll(() => failedOnce.size, { timeout: 10_000 }).toBe(4);
  failEarlier?.();
  await expect.poll(async () => (await app.queue(id)).length, { timeout: 50_000 }).toBe(0);
  for (const conversation of [0, 1, 2, 3])
    expect(firsts.filter((text) => text.startsWith(`${conversation}:`))).toEqual(
      [...(conversation === 0 ? [0] : []), 1, 2, 3, 4, 5].map((n) => `${conversation}:${n}`),
    );
});

test("a crowded conversation that was asked for goes on in order when its lane's owner is killed before it has moved what it deferred", async () => {
  const { id, call } = await app.workspace();
  await call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"], ordered: true } });
  const texts = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ text: `n${from + n}` }));
  const child = await startChild();
  receiver.answer((response) => response.writeHead(400, { "retry-after": "600" }).end());
  await app.emit(id, texts(0, 1));
  const shown = async () => (await call("GET", "/v1/deliveries")).body.data.at(-1);
  await expect.poll(async () => (await shown())?.attempt, { timeout: 10_000 }).toBe(1);
  const { id: failed } = await shown();
  await app.emit(id, texts(1, 60));
  const waiting = async () => (await app.queue(id)).filter(({ due }) => due > Date.now() + 60_000).length;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1 + 10);
  app.clock.advance(Date.now() - app.clock.now()); // the owner has the machine's clock
  // Unanswered, so that its conversation is there when the owner is killed.
  receiver.answer(() => undefined);
  const retried = await call("POST", `/v1/deliveries/${failed}/retry`);
  expect(retried.status).toBe(202);
  await app.emit(id, texts(61, 3));
  const fresh = async () => (await app.queue(id)).filter(({ due }) => due === Number.NEGATIVE_INFINITY).length;
  await expect.poll(fresh, { timeout: 10_000 }).toBe(50);
  await end(child, "SIGKILL");
  const first = new Set<string>();
  receiver.answer((response, { body }) => {
    first.add(String(body.data.message.text.body));
    response.end();
  });
  await startChild();
  await expect.poll(async () => (await app.queue(id)).length, { timeout: 40_000 }).toBe(0);
  await app.emit(id, texts(64, 2));
  await expect.poll(() => first.size, { timeout: 10_000 }).toBe(66);
  expect([...first]).toEqual(texts(0, 66).map(({ text }) => text));
});

const ORDERED = { conversations: sized(10, 200), each: sized(6, 50), kills: sized(1, 5) };
const ORDERED_MS = sized(60_000, 600_000);

test(
  "an ordered endpoint keeps each conversation's order over retries of every third event and over killed owners",
  async () => {
    const { conversations, each, kills } = ORDERED;
    const { id, call } = await app.workspace();
    await call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"], ordered: true } });
    let child = await startChild();
    const failedOnce = new Set<string>();
    const firsts = new Map<number, number[]>();
    const ended: Promise<unknown>[] = [];
    const total = conversations * each;
    let taken = 0;
    receiver.answer((response, { headers, body }) => {
      const webhookId = String(headers["webhook-id"]);
      const [conversation = 0, n = 0] = String(body.data.message.text.body).split(":").map(Number);
      // Not all of them at once: that would be an outage, which ends all attempts for a while.
      if ((conversation + n) % 3 === 0 && !failedOnce.has(webhookId)) {
        failedOnce.add(webhookId);
        response.writeHead(500).end();
        return;
      }
      const seen = firsts.get(conversation) ?? [];
      firsts.set(conversation, seen.includes(n) ? seen : [...seen, n]);
      taken += 1;
      if (ended.length < kills && taken >= ((ended.length + 1) * total) / (2 * kills)) ended.push(replace(child));
      response.end();
    });
    const replace = async (killed: ChildProcess): Promise<void> => {
      await end(killed, "SIGKILL");
      child = await startChild();
    };
    const events = Array.from({ length: total }, (_, index) => ({
      conversation: index % conversations,
      n: Math.floor(index / conversations),
    }));
    await app.emit(
      id,
      events.map(({ conversation, n }) => ({ text: `${conversation}:${n}`, conversation })),
    );
    await expect.poll(async () => (await app.queue(id)).length, { timeout: ORDERED_MS }).toBe(0);
    await Promise.all(ended);
    expect(ended).toHaveLength(kills);
    // What was answered just before a kill may arrive again; nothing arrives before its predecessors.
    const inOrder = Array.from({ length: each }, (_, n) => n);
    for (let conversation = 0; conversation < conversations; conversation++)
      expect(firsts.get(conversation)).toEqual(inOrder);
  },
  ORDERED_MS + 30_000,
);
