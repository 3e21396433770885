import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, ORDER_READY, type Sender, startGateway } from "../../testing/gateway.ts";
import { reconcileDue } from "../accounts/reconcile.ts";
import { type Receiver, startReceiver } from "../webhooks/testing/receiver.ts";
import { templateChangeData, templateEventData } from "./render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const HOUR_MS = 3_600_000;
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: Receiver;

beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  receiver = await startReceiver();
  await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["approved"] } });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const add = (input: object): string =>
  gateway.simulator.addTemplate(input as Parameters<typeof gateway.simulator.addTemplate>[0]).id;

let names = 0;
/** Adds a template at the provider; it says nothing of it. */
function unknown(more: object = {}) {
  names += 1;
  const components = [{ type: "BODY", text: "Your order is ready." }];
  const facts = { name: `news_${names}`, language: "en_US", category: "UTILITY", components, ...more };
  const input = { waba_id: mine.account.wabaId, ...facts };
  return { ...input, id: add(input) };
}

/** Has the gateway ask for everything that it has not been told. */
async function reconciled(): Promise<void> {
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
  await idle();
}

/** Adds templates at the provider that the gateway then knows: each had one event, which `since` leaves out. */
async function known(count: number, more: object = {}) {
  const added = Array.from({ length: count }, () => unknown({ status: "PENDING", ...more }));
  await reconciled();
  expect((await eventsOf(added[0]!.id)).length).toBe(1);
  return added;
}

/** Changes a template at the provider, which does not say so. */
const silently = (one: object, more: object): string => add({ ...one, ...more });

const seconds = (): number => Math.floor(gateway.clock.now() / 1_000);
const STATUS = "message_template_status_update";
const CATEGORY = "template_category_update";
const QUALITY = "message_template_quality_update";
const COMPONENTS = "message_template_components_update";
const said = (id: string, field: string, value: object, at = seconds(), account = mine.account.wabaId): object => ({
  object: "whatsapp_business_account",
  entry: [{ id: account, time: at, changes: [{ field, value: { message_template_id: id, ...value } }] }],
});
async function post(callbacks: readonly object[]): Promise<void> {
  for (const one of callbacks) expect((await postCallback(gateway, one)).status).toBe(200);
}
/** Resolves when no callback is under way, and no callback or task is due. */
async function idle(of: Sender = mine): Promise<void> {
  const due = new Date(gateway.clock.now());
  await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  await expect.poll(() => of.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
}
/** Posts callbacks, and lets pass the time in which a difference waits for one that explains it. */
async function tell(callbacks: readonly object[]): Promise<void> {
  await post(callbacks);
  await idle();
  gateway.clock.advance(31_000);
  await idle();
}

/** The events of a template, each with its `data`, but of the template only status and category. */
async function eventsOf(providerId: string, of: Sender = mine): Promise<[string, object][]> {
  const rows = await of.rows<{ kind: string; state: unknown }>(
    "select kind, state from event where state->'template'->>'provider_template_id' = $1 order by sequence",
    [providerId],
  );
  return rows.map(({ kind, state }) => {
    const { template, ...data } = kind.startsWith("template_") ? templateChangeData(state) : templateEventData(state);
    return [kind, { ...data, is: `${template.status} ${template.category}` }];
  });
}
const since = async (providerId: string) => (await eventsOf(providerId)).slice(1);
const kinds = (events: readonly [string, object][]): string[] => events.map(([kind]) => kind);

describe("what a callback says of a template", () => {
  it("is an event with the state that was read after it: of an approved one a send is accepted at once", async () => {
    const [one] = await known(1);
    gateway.simulator.decideTemplate(one!.id, { status: "APPROVED" });
    const arrived = () => receiver.received.find(({ text }) => text.includes(one!.id))?.body;
    await expect.poll(arrived, PATIENCE).toMatchObject({
      kind: "approved",
      data: { template: { status: "approved", name: one!.name }, previous_status: "pending", reason: null },
    });
    const { status } = await mine.send("+15551230001", { template: { ...ORDER_READY, name: one!.name } });
    expect(status).toBe(202);
  });

  it("is kept whole: reasons, what a rejection or a pause says of itself, and states that no read shows", async () => {
    const [one] = await known(1);
    const id = one!.id;
    const rejection_info = { reason: "Leading variable", recommendation: "Add words before it." };
    await tell([said(id, STATUS, { event: "REJECTED", reason: "INVALID_FORMAT", rejection_info })]);
    const other_info = { title: "FIRST_PAUSE", description: "Paused for 3 hours." };
    await tell([said(id, STATUS, { event: "PAUSED", reason: "NONE", other_info })]);
    await tell([said(id, STATUS, { event: "FLAGGED", reason: "NONE" })]);
    await tell([said(id, STATUS, { event: "LOCKED", reason: "NONE" })]);
    await tell([said(id, QUALITY, { previous_quality_score: "GREEN", new_quality_score: "RED" })]);
    const is = "pending utility";
    const detail = { rejection_info };
    expect(await since(id)).toEqual([
      ["rejected", { previous_status: "pending", reason: "INVALID_FORMAT", detail, is }],
      ["paused", { previous_status: "pending", reason: "FIRST_PAUSE", detail: { other_info }, is }],
      ["flagged", { previous_status: "pending", reason: null, detail: null, is }],
      ["locked", { previous_status: "pending", reason: null, detail: null, is }],
      ["template_quality_changed", { previous: "green", current: "red", is }],
    ]);
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  });

  it("has the template's own reason for a rejection where the callback gives none", async () => {
    const [one] = await known(1);
    gateway.simulator.decideTemplate(one!.id, { status: "REJECTED", reason: "SCAM" });
    await idle();
    await tell([said(one!.id, STATUS, { event: "REJECTED" }, seconds() + 600)]);
    const rejected = ["rejected", expect.objectContaining({ reason: "SCAM", is: "rejected utility" })];
    expect(await since(one!.id)).toEqual([rejected, rejected]);
  });

  it("is twice of a category: that it will change, and when, and that it has", async () => {
    const [one] = await known(1, { status: "APPROVED" });
    const at = seconds() + 86_400;
    const coming = { correct_category: "MARKETING", new_category: "UTILITY", category_update_timestamp: at };
    await tell([said(one!.id, CATEGORY, coming)]);
    silently(one!, { category: "MARKETING", status: "APPROVED" });
    await tell([said(one!.id, CATEGORY, { previous_category: "UTILITY", new_category: "MARKETING" })]);
    const change = { previous: "utility", current: "marketing" };
    const effective_at = new Date(at * 1_000).toISOString();
    expect(await since(one!.id)).toEqual([
      ["template_category_changed", { ...change, effective_at, is: "approved utility" }],
      ["template_category_changed", { ...change, effective_at: null, is: "approved marketing" }],
    ]);
  });

  it("is of a template that was not known yet: it is read by its id, and what was said is its event", async () => {
    const one = unknown({ status: "APPROVED" });
    await tell([said(one.id, STATUS, { event: "APPROVED", reason: "NONE" })]);
    expect(await eventsOf(one.id)).toEqual([
      ["approved", { previous_status: null, reason: null, detail: null, is: "approved utility" }],
    ]);
    await tell([said("77001", STATUS, { event: "APPROVED" })]); // no longer at the provider either
    expect(await mine.rows("select from provider_notice where event_due is not null")).toEqual([]);
    expect(await eventsOf("77001")).toEqual([]);
  });

  it("is found where it was restored: the state says what it is again", async () => {
    const [one] = await known(1, { status: "PAUSED" });
    gateway.simulator.decideTemplate(one!.id, { status: "REINSTATED" });
    await idle();
    expect(await since(one!.id)).toEqual([
      ["approved", { previous_status: "paused", reason: null, detail: null, is: "approved utility" }],
    ]);
  });

  it("of another workspace's account reaches that one alone", async () => {
    const id = theirs.account.templates["order_ready"]!;
    await post([said(id, STATUS, { event: "PAUSED" }, seconds(), theirs.account.wabaId)]);
    await idle(theirs);
    expect(kinds(await eventsOf(id, theirs))).toEqual(["paused"]);
    expect(await eventsOf(id)).toEqual([]);
  });
});

describe("the same callbacks", () => {
  it("give the same events and the same state in any order, three times each", async () => {
    const orders = permutations([0, 1, 2, 3]);
    const all = await known(orders.length);
    const at = seconds();
    const callbacks = all.map(({ id }, index) => {
      const other_info = { title: "FIRST_PAUSE", description: "Paused for 3 hours." };
      const four = [
        said(id, STATUS, { event: "APPROVED", reason: "NONE" }, at),
        said(id, CATEGORY, { previous_category: "UTILITY", new_category: "MARKETING" }, at + 1),
        said(id, COMPONENTS, { message_template_element: "Ready." }, at + 2),
        said(id, STATUS, { event: "PAUSED", reason: "NONE", other_info }, at + 3),
      ];
      return orders[index]!.map((place) => four[place]!);
    });
    for (const one of all) silently(one, { status: "PAUSED", category: "MARKETING" });
    // Each template's callback of a turn is read before those of the next.
    for (const turn of [0, 1, 2, 3, 0, 1, 2, 3, 3, 2, 1, 0]) {
      await post(callbacks.map((four) => four[turn]!));
      await idle();
    }
    gateway.clock.advance(31_000);
    await idle();
    const sets = await Promise.all(all.map(async ({ id }) => (await since(id)).map(comparable).toSorted()));
    expect(sets[0]).toEqual([
      `["approved",{"reason":null,"detail":null,"is":"paused marketing"}]`,
      `["paused",{"reason":"FIRST_PAUSE","detail":{"other_info":{"title":"FIRST_PAUSE","description":"Paused for 3 hours."}},"is":"paused marketing"}]`,
      `["template_category_changed",{"previous":"utility","current":"marketing","effective_at":null,"is":"paused marketing"}]`,
    ]);
    for (const set of sets) expect(set).toEqual(sets[0]);
  });

  it("are one event for what a read has found before, and another one for what happens after it", async () => {
    const [one] = await known(1);
    silently(one!, { status: "APPROVED" });
    const found = seconds();
    await reconciled();
    await tell([said(one!.id, STATUS, { event: "APPROVED" }, found)]);
    expect(kinds(await since(one!.id))).toEqual(["approved"]);
    gateway.simulator.decideTemplate(one!.id, { status: "PAUSED" });
    await tell([]);
    gateway.simulator.decideTemplate(one!.id, { status: "APPROVED" });
    await tell([]);
    expect(kinds(await since(one!.id))).toEqual(["approved", "paused", "approved"]);
  });

  it("are missed by none: a difference that no callback explains is an event half a minute later", async () => {
    const [one] = await known(1);
    silently(one!, { status: "PAUSED" });
    await post([said(one!.id, QUALITY, { previous_quality_score: "GREEN", new_quality_score: "YELLOW" })]);
    await idle();
    expect(kinds(await since(one!.id))).toEqual(["template_quality_changed"]);
    await tell([]);
    expect(await since(one!.id)).toMatchObject([
      ["template_quality_changed", { previous: "green", current: "yellow" }],
      ["paused", { previous_status: "pending", reason: null }],
    ]);
  });
});

const permutations = (items: readonly number[]): number[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((first) => permutations(items.filter((one) => one !== first)).map((rest) => [first, ...rest]));

/** What came before is what was known when the event was written. */
const comparable = ([kind, data]: [string, object]): string => {
  const { previous_status: _, ...said } = data as { previous_status?: string };
  return JSON.stringify([kind, said]);
};
