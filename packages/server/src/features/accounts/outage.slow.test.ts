import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway, type Workspace } from "../../testing/gateway.ts";
import { reconcileDue } from "./reconcile.ts";
import { type Mood, openTestProvider, type TestProvider } from "./testing/test-provider.ts";

const PATIENCE = { timeout: 30_000, interval: 50 };
const LONG_MS = 240_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a call may hang; what must not wait for one is done in half of it. */
const HANGS_MS = 60_000;
const AT_ONCE = { timeout: HANGS_MS / 2, interval: 20 };
/** More than a process has places for tasks. */
const WORKSPACES = 4;
const ACCOUNTS_EACH = 20;

let gateway: Gateway;
let provider: TestProvider;
/** Those whose calls fail, by workspace; and two that are well: one beside them, one elsewhere. */
const failing: Sender[][] = [];
let beside: Sender;
let elsewhere: Sender;
const all = (): Sender[] => failing.flat();

beforeAll(async () => {
  let behind = "";
  provider = await openTestProvider(() => behind);
  gateway = await startGateway(
    { API_RATE_LIMIT: "off", PROVIDER_BASE_URL: provider.url },
    { providerTimeoutMs: HANGS_MS },
  );
  behind = gateway.simulator.url;
  for (let n = 0; n < WORKSPACES; n++) {
    const workspace = await gateway.workspace();
    const senders: Sender[] = [];
    while (senders.length < ACCOUNTS_EACH) senders.push(await gateway.connect(workspace));
    failing.push(senders);
  }
  beside = await gateway.connect(all()[0]!);
  elsewhere = await gateway.sender();
}, 300_000);
afterAll(async () => {
  provider.become("well");
  await gateway.stop();
  await provider.close();
});

const become = (mood: Mood): void =>
  provider.become(
    mood,
    all().map(({ account }) => account.token),
  );
/** Each workspace once. */
const workspaces = (): Workspace[] => failing.map(([first]) => first!);
const statuses = async (): Promise<Set<string>> => {
  const found = await Promise.all(
    workspaces().map((of) =>
      of.rows<{ status: string }>("select status from business_account union all select status from phone_number"),
    ),
  );
  return new Set(found.flat().map(({ status }) => status));
};
type Waiting = { attempt: number; kind: string; subject: string; due: Date };
const waiting = async (): Promise<Waiting[]> => {
  const found = await Promise.all(
    workspaces().map((of) =>
      of.rows<Waiting>("select t.attempt, t.due, j.kind, j.subject from task t join job j on j.id = t.job_id"),
    ),
  );
  return found.flat();
};
const tries = async (): Promise<number> => (await waiting()).reduce((sum, { attempt }) => sum + attempt, 0);
const checkAll = async (): Promise<void> => {
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
};
const works = async (of: Sender, to: string): Promise<void> => {
  const sent = await of.send(to, { from: of.phoneNumberId });
  expect(sent.status).toBe(202);
  await expect
    .poll(async () => (await of.call("GET", `/v1/messages/${sent.body.id}`)).body.status, AT_ONCE)
    .toBe("accepted");
};
/** The provider reports a template, which a task fetches. */
async function learns(of: Sender, status: "APPROVED" | "REJECTED"): Promise<void> {
  gateway.simulator.decideTemplate(of.account.templates["pending_notice"] ?? "", { status });
  const path = `/v1/templates?name=pending_notice&phone_number_id=${of.phoneNumberId}`;
  await expect.poll(async () => (await of.call("GET", path)).body.data[0]?.status, AT_ONCE).toBe(status.toLowerCase());
}

it(
  "accounts whose calls hang hold up no other: sends, callbacks of templates, connections and checks go on",
  async () => {
    become("silent");
    await checkAll();
    // As many as may be hang now.
    await expect.poll(() => provider.asked.length, PATIENCE).toBeGreaterThan(0);
    await works(beside, "+15551230001");
    await works(elsewhere, "+15551230002");
    await learns(beside, "APPROVED");
    await learns(elsewhere, "APPROVED");
    const before = performance.now();
    const connected = await gateway.sender(); // with its task, which replays callbacks
    expect(performance.now() - before).toBeLessThan(HANGS_MS / 2);
    await works(connected, "+15551230003");
    // Who waits for the provider knows within seconds that it is away.
    const [one] = all();
    const path = `/v1/phone-numbers/${one!.phoneNumberId}/profile`;
    const profileCalls = () => provider.asked.filter((asked) => asked.endsWith("whatsapp_business_profile")).length;
    const reading = one!.call("GET", path);
    await expect.poll(profileCalls, AT_ONCE).toBe(1);
    gateway.clock.advance(9_000);
    const away = { status: 502, body: { code: "provider_unavailable", retryable: true } };
    expect(await reading).toMatchObject(away);
    become("broken");
    expect(await one!.call("PATCH", path, { body: { about: "Hello" } })).toMatchObject(away);
    become("well");
    await expect.poll(async () => (gateway.clock.advance(MINUTE_MS), (await waiting()).length), PATIENCE).toBe(0);
    expect(await statuses()).toEqual(new Set(["connected"]));
  },
  LONG_MS,
);

it(
  "an hour without the provider ends no connection, piles nothing up, and five minutes later all is true again",
  async () => {
    await checkAll();
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(0);
    const [changed] = all();
    const moods: Mood[] = ["broken", "page", 1, 2, 4, "silent", "broken", 4, 1, "page", 2, "broken"];
    become("broken");
    await checkAll();
    for (const mood of moods) {
      become(mood);
      // Nothing is known of a call that hangs until its time is up.
      const before = (await tries()) - (mood === "silent" ? 1 : 0);
      gateway.clock.advance((60 / moods.length) * MINUTE_MS);
      await expect.poll(tries, PATIENCE).toBeGreaterThan(before);
      // What the provider says of accounts and templates comes all the same.
      gateway.simulator.accountEvent({ waba_id: changed!.account.wabaId, event: "ACCOUNT_VIOLATION" });
      await works(elsewhere, "+15551230004");
      expect(await statuses()).toEqual(new Set(["connected"]));
    }
    const subjects = async () => (await waiting()).map(({ kind, subject }) => `${kind} ${subject}`).toSorted();
    // Two that run at once may both fail; the first that fails again goes.
    await expect.poll(async () => new Set(await subjects()).size - (await subjects()).length, PATIENCE).toBe(0);
    expect((await subjects()).length).toBeLessThanOrEqual(WORKSPACES * ACCOUNTS_EACH + 1);

    gateway.simulator.setNumber(changed!.account.providerPhoneNumberId, { quality_rating: "RED" });
    // What still failed when the five minutes had passed would be tried another five minutes later.
    const isDue = ({ due }: Waiting): boolean => Number(due) <= gateway.clock.now();
    await expect.poll(async () => (await waiting()).filter(isDue), PATIENCE).toEqual([]);
    become("well");
    gateway.clock.advance(5 * MINUTE_MS);
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(0);
    const path = `/v1/phone-numbers/${changed!.phoneNumberId}`;
    expect((await changed!.call("GET", path)).body.quality).toBe("red");
    expect(await statuses()).toEqual(new Set(["connected"]));
    for (const of of workspaces())
      expect(await of.rows("select kind from event where kind in ('signup_revoked')")).toEqual([]);
  },
  LONG_MS,
);
