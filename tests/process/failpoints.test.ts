import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { callbackOf, signatureOf, textFrom } from "../../packages/server/src/testing/callback.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";
import type { ProviderAccount } from "../../packages/server/src/testing/provider-account.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { ageAttempts } from "./killed.ts";
import { isReplay, type Order, ordersOf, type Posted, post, statusesOf } from "./posting.ts";

/** The lease, and a busy machine: what is settled is old enough. */
const SETTLED_WITHIN = { timeout: 30_000, interval: 50 };

let deployment: Deployment;
let proxy: DatabaseProxy;
let gateway: Worker;
let workspace: Workspace;
let port = "0";
beforeAll(async () => {
  deployment = await startDeployment();
  proxy = await openDatabaseProxy(deployment.database.url);
  await restart();
  workspace = await deployment.connect(gateway);
});
afterAll(async () => {
  await deployment.stop();
  await proxy.close();
});

/** At the same address, because the provider repeats its callbacks there. */
async function restart(): Promise<void> {
  gateway = await deployment.serve({ DATABASE_URL: proxy.url, PORT: port });
  port = new URL(gateway.url).port;
  deployment.provider.setCallbackUrl(`${gateway.url}/webhooks/receive`);
}

const requestsTo = ({ to }: Order) => deployment.requests().get(to.slice(1)) ?? [];
const statusOf = async ({ to }: Order): Promise<string[] | undefined> => (await statusesOf(gateway, workspace)).get(to);
const order = (): Order => ordersOf(workspace, 1)[0]!;
/** A new owner has to wait until the lease of the killed process has lapsed. */
const OWNED_WITHIN = { timeout: 20_000, interval: 50 };

// The three calls around a send, each with its connection broken before the database saw it and after it had committed.
for (const call of ["accept_messages", "begin_sends", "settle_sends"])
  for (const at of ["request", "answer"] as const)
    test(`a connection cut at the ${at} of ${call}: 202, sent once, accepted`, { timeout: 15_000 }, async () => {
      const one = order();
      const caught = proxy.hold(call, at);
      const posting = post(gateway, workspace, one);
      (await caught).cut();
      const posted = await posting;
      expect(posted.reply?.status).toBe(202);
      await vi.waitFor(async () => expect(await statusOf(one)).toEqual(["accepted"]), OWNED_WITHIN);
      expect(requestsTo(one)).toHaveLength(1);
      expect((await post(gateway, workspace, one)).reply?.text).toBe(posted.reply?.text);
    });

test("a client that hangs up in the accept call gets the one message with its key", async () => {
  const one = order();
  const caught = proxy.hold("accept_messages", "answer");
  const hangUp = new AbortController();
  const posting = post(gateway, workspace, one, hangUp.signal);
  const call = await caught;
  hangUp.abort();
  expect((await posting).reply).toBeNull();
  call.pass();
  const again = await post(gateway, workspace, one);
  expect([again.reply?.status, isReplay(again)]).toEqual([202, true]);
  await vi.waitFor(async () => expect(await statusOf(one)).toEqual(["accepted"]), OWNED_WITHIN);
  expect(requestsTo(one)).toHaveLength(1);
});

/** Posts, and kills the process while that call is held. */
async function killAt(call: string, at: "request" | "answer", one: Order): Promise<Posted> {
  const caught = proxy.hold(call, at);
  const posting = post(gateway, workspace, one);
  await caught;
  await gateway.end("SIGKILL");
  return await posting;
}

test("killed in the accept call: a repeat with the key shows whether it happened", { timeout: 60_000 }, async () => {
  const [never, done] = [order(), order()];
  expect((await killAt("accept_messages", "request", never)).reply).toBeNull();
  await restart();
  expect(await statusOf(never)).toBeUndefined();
  expect((await killAt("accept_messages", "answer", done)).reply).toBeNull();
  await restart();
  // It is there, and its new owner may have sent it by now.
  expect(await statusOf(done)).toHaveLength(1);

  const [first, replay] = [await post(gateway, workspace, never), await post(gateway, workspace, done)];
  expect([first.reply?.status, isReplay(first)]).toEqual([202, false]);
  expect([replay.reply?.status, isReplay(replay)]).toEqual([202, true]);
  for (const one of [never, done]) {
    await vi.waitFor(async () => expect(await statusOf(one)).toEqual(["accepted"]), OWNED_WITHIN);
    expect(requestsTo(one)).toHaveLength(1);
  }
});

test("killed around a send: unknown or settled by the provider's report, never sent again", {
  timeout: 90_000,
}, async () => {
  // The attempt is committed, and no byte was sent.
  const unsent = order();
  const killed = [gateway];
  expect((await killAt("begin_sends", "answer", unsent)).reply?.status).toBe(202);
  expect(requestsTo(unsent)).toEqual([]);
  await restart();

  // The provider has accepted, and the outcome was not stored. Its statuses still find their message.
  const unstored = order();
  killed.push(gateway);
  deployment.provider.setDelays({ statuses: true, sentMs: 0, deliveredMs: 0, readMs: 0 });
  expect((await killAt("settle_sends", "request", unstored)).reply?.status).toBe(202);
  expect(requestsTo(unstored)).toHaveLength(1);
  deployment.provider.setDelays({ statuses: false });
  await restart();

  // Messages to other recipients do not wait; one to the same recipient waits until the first is settled.
  const neighbour = order();
  const behind: Order = { ...order(), to: unsent.to };
  await post(gateway, workspace, behind);
  await post(gateway, workspace, neighbour);
  await vi.waitFor(async () => expect(await statusOf(neighbour)).toEqual(["accepted"]), OWNED_WITHIN);
  await vi.waitFor(async () => expect(await statusOf(unstored)).toEqual(["read"]), OWNED_WITHIN);
  expect(await statusOf(unsent)).toEqual(["queued", "sending"]);

  // Both are settled 45 s after their start, by an owner that reads them when these are over.
  await gateway.end("SIGTERM");
  for (const worker of killed) await ageAttempts(deployment, workspace, worker);
  await restart();
  const settled = async () => {
    expect(await statusOf(unsent)).toEqual(["accepted", "unknown"]);
    expect(await deployment.rows(workspace, "select from dispatch where state in (0, 1)")).toEqual([]);
  };
  await vi.waitFor(settled, SETTLED_WITHIN);
  expect(requestsTo(unsent)).toHaveLength(1);
  expect(requestsTo(unstored)).toHaveLength(1);
});

test("killed in a callback's call: no 200, and the repetition makes the effect true once", {
  timeout: 60_000,
}, async () => {
  for (const at of ["request", "answer"] as const) {
    const mark = `wamid.killed.${at}`;
    const body = JSON.stringify(callbackOf(providerAccount(), textFrom("15557770001", mark, "Hi", Date.now())));
    const postIt = () => postRaw(body);
    const caught = proxy.hold("take_callbacks", at);
    const posting = postIt();
    await caught;
    await gateway.end("SIGKILL");
    expect(await posting).toBeNull();
    const written = () =>
      deployment.rows(workspace, "select from message_state where provider_message_id = $1", [mark]);
    expect(await written()).toHaveLength(at === "answer" ? 1 : 0);
    await restart();
    expect(await postIt()).toBe(200);
    expect(await written()).toHaveLength(1);
    expect(await deployment.rows(workspace, "select from event where kind = 'messages'")).toHaveLength(
      at === "answer" ? 2 : 1,
    );
  }
});

test("killed while a history and a phone book are being stored: the next process goes on, and writes nothing twice", {
  timeout: 60_000,
}, async () => {
  for (const [call, at, n] of [
    ["take_history", "answer", 1],
    ["write_contacts", "request", 2],
  ] as const) {
    const caught = proxy.hold(call, at);
    expect(await postRaw(JSON.stringify(historyOf(n)))).toBe(200);
    await caught;
    await gateway.end("SIGKILL");
    await restart();
    await vi.waitFor(
      async () => expect(await deployment.rows(workspace, "select from job where completed_at is null")).toEqual([]),
      OWNED_WITHIN,
    );
    const [written] = await deployment.rows(
      workspace,
      `select count(*)::int as messages, count(distinct s.provider_message_id)::int as ids from message m
       join message_state s using (workspace_id, id) where m.provided->>'origin' = 'history' and m.sender like $1`,
      [`+1415600${n}%`],
    );
    expect(written).toEqual({ messages: 450, ids: 450 });
    const named = `select name, count(*)::int as contacts,
        (select count(*)::int from event e where e.contact_id = any(array_agg(c.id)) and e.kind = 'contact_created') as created
      from contact c where phone like $1 group by 1 order by 1`;
    expect(await deployment.rows(workspace, named, [`+1415600${n}%`])).toEqual([
      { name: "Ana", contacts: 30, created: 30 },
    ]);
  }
});

/** A history of thirty people with 15 messages of each, which takes three calls, and the phone book that has them. */
function historyOf(n: number): object {
  const { providerPhoneNumberId, phone } = providerAccount();
  const value = {
    messaging_product: "whatsapp",
    metadata: { phone_number_id: providerPhoneNumberId, display_phone_number: phone.slice(1) },
  };
  const people = Array.from({ length: 30 }, (_, person) => `1415600${n}${String(person).padStart(3, "0")}`);
  const before = Math.floor(Date.now() / 1_000) - 86_400;
  const threads = people.map((from, person) => ({
    id: from,
    messages: Array.from({ length: 15 }, (_, index) => ({
      from,
      id: `wamid.past.${n}.${person}.${index}`,
      timestamp: String(before - index),
      type: "text",
      text: { body: "Hi" },
    })),
  }));
  const state_sync = people.map((phone_number) => ({
    type: "contact",
    contact: { phone_number, full_name: "Ana" },
    action: "add",
    metadata: { timestamp: String(before) },
  }));
  const changes = [
    { field: "history", value: { ...value, history: [{ threads }] } },
    { field: "smb_app_state_sync", value: { ...value, state_sync } },
  ];
  return { object: "whatsapp_business_account", entry: [{ id: "1", changes }] };
}

/** Posts a callback as the provider does; null: no answer came. */
const postRaw = (body: string): Promise<number | null> =>
  fetch(`${gateway.url}/webhooks/receive`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(body, "app-secret") },
    body,
  }).then(
    ({ status }) => status,
    () => null,
  );

/** The workspace's number, as the provider names it. */
const providerAccount = (): ProviderAccount => {
  const [number] = workspace.numbers;
  const known = { providerPhoneNumberId: number?.providerId ?? "", phone: number?.phone ?? "" };
  return { ...known, wabaId: "1", token: "", templates: {} };
};
