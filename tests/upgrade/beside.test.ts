import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countService } from "../../packages/server/src/features/usage/service.store.ts";
import { countUsage } from "../../packages/server/src/features/usage/usage.store.ts";
import { countAll } from "../../packages/server/src/features/usage/usage.ts";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { type Runtime, start } from "../../packages/server/src/process/runtime.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { signatureOf, statusOf } from "../../packages/server/src/testing/callback.ts";
import { jumpClock, type ManualClock } from "../../packages/server/src/testing/clock.ts";
import { emptyDatabase, type Fresh } from "../database/databases.ts";
import { type Deployment, OPERATOR_KEY, startDeployment, type Worker, type Workspace } from "../process/deployment.ts";
import { type Sources, sourcesBefore } from "./before.ts";

// A process of the last version before prices had types, conversations owners and numbers an allowance, beside this one on the migrated
// database: it goes on, and what it writes is understood.

/** The last commit without any of these. */
const BEFORE = "7938db8";
const PATIENCE = { timeout: 30_000, interval: 50 };
const MINUTE_MS = 60_000;

let sources: Sources | string;
let fresh: Fresh;
let dataDir: string;
let deployment: Deployment;
let old: Worker;
let next: Runtime;
let clock: ManualClock;
let workspace: Workspace;

beforeAll(async () => {
  sources = await sourcesBefore(BEFORE);
  if (typeof sources === "string") return;
  fresh = await emptyDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "waypost-beside-"));
  // Dropped when the process of this version, which the deployment does not know, has stopped too.
  deployment = await startDeployment({ ...fresh, drop: async () => {} });
  old = await deployment.serve({}, { sources: sources.serve });
  workspace = await deployment.connect(old);
  clock = jumpClock();
  next = await start({
    config: readConfig({
      DATABASE_URL: fresh.url,
      WAYPOST_DATA_DIR: dataDir,
      PORT: "0",
      LOG_LEVEL: "silent",
      WAYPOST_OPERATOR_KEY: OPERATOR_KEY,
      WAYPOST_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
      PROVIDER_BASE_URL: deployment.provider.url,
      PROVIDER_APP_ID: "42",
      PROVIDER_APP_SECRET: APP_SECRET,
      PROVIDER_VERIFY_TOKEN: "verify",
      API_RATE_LIMIT: "off",
    }),
    // The process of before sends.
    roles: ["api", "ingress", "maintenance"],
    migrate: true,
    clock,
  });
}, 120_000);
afterAll(async () => {
  if (typeof sources === "string") return;
  await next?.stop();
  await deployment?.stop();
  await sources.remove();
  await rm(dataDir, { recursive: true, force: true });
  await fresh?.drop();
});

const APP_SECRET = "app-secret";

type By = { url: string };
const call = (by: By, method: "GET" | "POST", path: string, body?: object) =>
  callAs(by.url, workspace.key)(method, path, body === undefined ? {} : { body });

/** One change of the number, as the provider tells one of the processes. */
async function tell(by: By, value: object, field = "messages"): Promise<void> {
  const [number] = workspace.numbers;
  const metadata = { display_phone_number: number?.phone.slice(1), phone_number_id: number?.providerId };
  const change = { field, value: { messaging_product: "whatsapp", metadata, ...value } };
  const body = JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "1", changes: [change] }] });
  const headers = { "x-hub-signature-256": signatureOf(body, APP_SECRET) };
  expect((await callAs(by.url, null)("POST", "/webhooks/receive", { body, headers })).status).toBe(200);
}

let people = 0;
const someone = (): string => `1555748${String((people += 1)).padStart(4, "0")}`;
const written = (from: string, id: string) => ({
  contacts: [{ profile: { name: "Ana" }, wa_id: from }],
  messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1_000)), type: "text", text: { body: "Hi" } }],
});
const report = (by: By, wamid: string, word: string, category: string | null, type = "regular") =>
  tell(by, statusOf(wamid, word, Date.now(), category === null ? {} : { pricing: { type, category, billable: true } }));

/** A message that the process of before has sent. */
async function sent(by: By, more: object): Promise<{ id: string; wamid: string }> {
  const { status, body } = await call(by, "POST", "/v1/messages", more);
  expect(status).toBe(202);
  const read = async () => (await call(next, "GET", `/v1/messages/${body.id}`)).body.provider_message_id;
  await expect.poll(read, PATIENCE).toEqual(expect.any(String));
  return { id: body.id, wamid: await read() };
}
const template = () => ({
  to: `+${someone()}`,
  type: "template",
  template: { name: "order_ready", language: { code: "en_US" } },
});

const read = async (id: string) => (await call(next, "GET", `/v1/messages/${id}`)).body;
const statusesIn = ({ history }: { history: { status: string }[] }) => history.map(({ status }) => status);

test("the price of a message is that of its highest status that has one, whichever process took it", async (context) => {
  if (typeof sources === "string") return context.skip(sources);
  const courses: [expected: string, ...(readonly [By, string, string | null])[]][] = [
    ["b", [old, "delivered", "b"], [next, "sent", "a"], [next, "read", null], [next, "delivered", "c"]],
    ["b", [next, "sent", "a"], [old, "delivered", "b"], [next, "delivered", "b"], [old, "sent", "a"]],
    ["b", [old, "delivered", null], [next, "delivered", "b"], [old, "read", null]],
  ];
  for (const [expected, ...course] of courses) {
    const { id, wamid } = await sent(old, template());
    for (const [by, word, category] of course) {
      await report(by, wamid, word, category);
      await expect.poll(async () => statusesIn(await read(id)), PATIENCE).toContain(word);
    }
    await expect.poll(async () => (await read(id)).pricing?.category, PATIENCE).toBe(expected);
  }
});

test("what the process of before sends and hears of is in usage and in the allowance", async (context) => {
  if (typeof sources === "string") return context.skip(sources);
  const ana = someone();
  await tell(old, written(ana, "wamid.b.1"));
  const text = { to: `+${ana}`, type: "text", text: { body: "Hi" } };
  const messages = [await sent(old, text), await sent(next, text)];
  for (const { wamid } of messages) await report(old, wamid, "delivered", "service", "free_customer_service");
  const count = async () => {
    clock.advance(MINUTE_MS);
    await countAll(next.app, countUsage);
    await countAll(next.app, countService);
    const { data } = (await call(next, "GET", "/v1/usage")).body;
    const free = data.find(({ category }: { category: string }) => category === "service");
    const [number] = (await call(next, "GET", "/v1/phone-numbers")).body.data;
    return [free?.count, free?.billable, number.service_allowance.used];
  };
  // By its type, whatever `billable` says.
  await expect.poll(count, PATIENCE).toEqual([2, 0, 2]);
});

test("the owner of a conversation stays, and the next message that this version takes says it anew", async (context) => {
  if (typeof sources === "string") return context.skip(sources);
  const ana = someone();
  const owner = async () => {
    const [contact] = (await call(next, "GET", `/v1/contacts?phone=%2B${ana}`)).body.data;
    const [conversation] = (await call(next, "GET", `/v1/conversations?contact_id=${contact.id}`)).body.data;
    return [conversation.owner.role, conversation.last_message.type, conversation.unread_count];
  };
  await tell(next, { standby: written(ana, "wamid.b.2") }, "standby");
  await expect.poll(owner, PATIENCE).toEqual(["other", "text", 1]);
  await tell(old, written(ana, "wamid.b.3"));
  await expect.poll(owner, PATIENCE).toEqual(["other", "text", 2]);
  const text = { to: `+${ana}`, type: "text", text: { body: "Hi" } };
  expect((await call(next, "POST", "/v1/messages", text)).body.code).toBe("thread_not_owned");
  await sent(old, text);
  await sent(next, { ...text, take: true });
  await tell(next, written(ana, "wamid.b.4"));
  await expect.poll(async () => (await owner())[0], PATIENCE).toBe("self");
  expect((await call(next, "POST", "/v1/messages", text)).status).toBe(202);
});
