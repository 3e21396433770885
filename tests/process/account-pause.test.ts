import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type DatabaseProxy, openDatabaseProxy } from "../../packages/server/src/testing/database-proxy.ts";
import type { Worker } from "./deployment.ts";
import { Pair } from "./pair.ts";
import { strangers } from "./posting.ts";

/** A process looks at the settings of its lanes at least this often (4 s); the rest is a busy machine. */
const SEEN_WITHIN_MS = 10_000;
const WITHIN = { timeout: 25_000, interval: 50 };

let pair: Pair;
let proxy: DatabaseProxy;
beforeAll(async () => {
  pair = await Pair.open();
  proxy = await openDatabaseProxy(pair.deployment.database.url);
});
afterEach(() => pair.endAll());
afterAll(async () => {
  await pair.deployment.stop();
  await proxy.close();
});

type Sent = { id: string; to: string };

async function send(gateway: Worker, from: string, more: object = {}): Promise<Sent> {
  const to = strangers(1)[0]!;
  const template = { name: "order_ready", language: { code: "en_US" } };
  const body = { to, from, type: "template", template, ...more };
  const reply = await gateway.call(pair.workspace.key, "POST", "/v1/messages", { body });
  expect(reply.status).toBe(202);
  return { id: reply.body.id, to };
}
const three = (gateway: Worker, from: string, more: object = {}): Promise<Sent[]> =>
  Promise.all([send(gateway, from, more), send(gateway, from, more), send(gateway, from, more)]);

const get = async (gateway: Worker, path: string) => (await gateway.call(pair.workspace.key, "GET", path)).body;
const accountOf = async (gateway: Worker) => (await get(gateway, "/v1/business-accounts")).data[0];
const accountIs = (gateway: Worker, status: string): Promise<void> =>
  vi.waitFor(async () => expect((await accountOf(gateway)).status).toBe(status), WITHIN);
const statusesOf = (gateway: Worker, sent: readonly Sent[]): Promise<string[]> =>
  Promise.all(sent.map(async ({ id }) => (await get(gateway, `/v1/messages/${id}`)).status));
const all = (sent: readonly Sent[], status: string): string[] => sent.map(() => status);
const requestsTo = (sent: readonly Sent[]) =>
  sent.flatMap(({ to }) => pair.deployment.requests().get(to.slice(1)) ?? []);
/** Refused requests, also those that the provider keeps no record of. */
const refusalsOf = (sent: readonly Sent[]) =>
  pair.deployment.rows(
    pair.workspace,
    "select from attempt a join message m on m.id = a.message_id where m.recipient = any($1)",
    [sent.map(({ to }) => to)],
  );
const eventsOfAccount = async (): Promise<string[]> =>
  (
    await pair.deployment.rows<{ kind: string }>(
      pair.workspace,
      "select kind from event where resource_id is not null order by sequence",
    )
  ).map(({ kind }) => kind);

/** Two processes; messages of one that meet a pause, and messages of the other that are due once both should know of it. */
async function paused(begin: (account: string) => void, through: Record<string, string> = {}) {
  const { one, other, numberOfOne, numberOfOther } = await pair.twoOwners({ envOfOne: through });
  pair.deployment.provider.setCallbackUrl(`${other.url}/webhooks/receive`);
  const before = (await eventsOfAccount()).length;
  const account: string = (await accountOf(other)).provider_account_id;
  const due = Date.now() + SEEN_WITHIN_MS;
  const later = await three(other, numberOfOther, { send_at: new Date(due).toISOString() });
  begin(account);
  const first = await three(other, numberOfOne);
  // Refused, and put back: what has no outcome when its process is killed is unknown.
  const putBack = () =>
    vi.waitFor(async () => {
      expect(await refusalsOf(first)).not.toEqual([]);
      expect(await statusesOf(other, first)).toEqual(all(first, "queued"));
    }, WITHIN);
  return { one, other, numberOfOther, account, due, first, later, putBack, events: () => eventsSince(before) };
}
const eventsSince = async (count: number): Promise<string[]> => (await eventsOfAccount()).slice(count);

/** The second process sends nothing of the account: neither what was due at it, nor what it took over. */
async function expectPause({ other, numberOfOther, due, first, later }: Awaited<ReturnType<typeof paused>>) {
  await vi.waitFor(async () => expect([...(await pair.deployment.owners()).keys()]).toEqual([other.worker]), WITHIN);
  const tried = requestsTo(first).length;
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(due + 1_000), WITHIN);
  expect(requestsTo(first)).toHaveLength(tried);
  expect(requestsTo(later)).toEqual([]);
  const put = async () => [await statusesOf(other, first), await statusesOf(other, later)];
  await vi.waitFor(async () => expect(await put()).toEqual([all(first, "queued"), all(later, "queued")]), WITHIN);
  const refused = await other.call(pair.workspace.key, "POST", "/v1/messages", {
    body: { to: first[0]!.to, from: numberOfOther, type: "text", text: { body: "Hello" } },
  });
  expect([refused.status, refused.body.code]).toEqual([422, "sender_unavailable"]);
}

async function expectAllGoOn({ other, first, later }: Awaited<ReturnType<typeof paused>>): Promise<void> {
  const sent = [...first, ...later];
  await vi.waitFor(async () => expect(await statusesOf(other, sent)).toEqual(all(sent, "accepted")), WITHIN);
  expect(requestsTo(sent).filter(({ accepted }) => accepted)).toHaveLength(sent.length);
}

for (const at of ["after", "before"] as const)
  test(`the process that pauses an account is killed ${at} its commit: the other one sends nothing, and goes on when the lock is lifted`, {
    timeout: 90_000,
  }, async () => {
    const { provider } = pair.deployment;
    let caught: Promise<unknown> | null = null;
    const lock = (account: string): void => {
      // Not earlier: a process names its functions when it starts.
      if (at === "before") caught = proxy.hold("restrict_accounts", "request");
      provider.setAccountLock(account, 131031);
    };
    const world = await paused(lock, { DATABASE_URL: proxy.url });
    const { one, other, account, putBack, events } = world;
    await (caught ?? accountIs(other, "restricted"));
    await putBack();
    expect(await events()).toHaveLength(at === "before" ? 0 : 1);
    await one.end("SIGKILL");
    // Where it was lost with the process, the lanes' next owner meets the lock.
    await accountIs(other, "restricted");
    await putBack();
    // Else what is due now may meet the lock too, before the lane knows.
    if (at === "after") await expectPause(world);
    expect(await events()).toEqual(["account_changed"]);

    provider.setAccountLock(account, null);
    const value = { ban_info: { waba_ban_state: "REINSTATE", waba_ban_date: "November 24, 2026" } };
    provider.accountEvent({ waba_id: account, event: "DISABLED_UPDATE", value });
    await accountIs(other, "connected");
    await expectAllGoOn(world);
    // Its begin, what the callback says, and its end.
    expect(await events()).toEqual(["account_changed", "account_changed", "account_changed"]);
  });

test("a dead token pauses the account in both processes until another is stored, although one is killed", {
  timeout: 90_000,
}, async () => {
  const { provider } = pair.deployment;
  const world = await paused((account) => provider.setTokenDeath(account, 463));
  const { one, other, account, putBack, events } = world;
  await accountIs(other, "disconnected");
  await putBack();
  await one.end("SIGKILL");
  await expectPause(world);
  expect(await events()).toEqual(["signup_revoked"]);

  provider.setTokenDeath(account, null);
  const body = { provider_account_id: account, access_token: `EAASIM${account}` };
  expect((await other.call(pair.workspace.key, "POST", "/v1/business-accounts", { body })).status).toBe(201);
  await expectAllGoOn(world);
  expect(await events()).toEqual(["signup_revoked"]);
});
