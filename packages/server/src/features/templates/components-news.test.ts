import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { reconcileDue } from "../accounts/reconcile.ts";
import { type Receiver, startReceiver } from "../webhooks/testing/receiver.ts";
import { templateChangeData } from "./render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let receiver: Receiver;
beforeAll(async () => {
  gateway = await startGateway({ PROVIDER_APP_ID: "42", API_RATE_LIMIT: "off" });
  gateway.simulator.setDelays({ reviewMs: null });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  receiver = await startReceiver();
  const body = { url: receiver.url, events: ["template_components_changed"] };
  await mine.call("POST", "/v1/webhook-endpoints", { body });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

type Components = { type: string; [key: string]: unknown }[];
const bodyOf = (text: string): Components => [{ type: "BODY", text }];

async function idle(of: Sender = mine): Promise<void> {
  const due = new Date(gateway.clock.now());
  await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  await expect.poll(() => of.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
}
async function reconciled(): Promise<void> {
  gateway.clock.advance(7 * 3_600_000);
  await reconcileDue(gateway.app);
  await idle();
}

let names = 0;
/** A template that the gateway knows. */
async function known(components: Components = bodyOf("Ready.")): Promise<{ id: string; name: string }> {
  const name = `content_${(names += 1)}`;
  const facts = { waba_id: mine.account.wabaId, name, language: "en_US", category: "UTILITY", components };
  const { id } = gateway.simulator.addTemplate(facts as Parameters<typeof gateway.simulator.addTemplate>[0]);
  await mine.call("POST", "/v1/templates/sync");
  await idle();
  return { id, name };
}
const change = (id: string, components: Components, more: object = {}) =>
  gateway.simulator.changeComponents(id, { components, ...more } as Parameters<
    typeof gateway.simulator.changeComponents
  >[1]);
/** As the provider posts it, perhaps again or late. */
const said = (id: unknown, text: string, of = mine, language = "en-US") =>
  postCallback(gateway, {
    object: "whatsapp_business_account",
    entry: [
      {
        id: of.account.wabaId,
        time: Math.floor(gateway.clock.now() / 1_000),
        changes: [
          {
            field: "message_template_components_update",
            value: { message_template_id: id, message_template_language: language, message_template_element: text },
          },
        ],
      },
    ],
  });
/** From what to what the content has changed, by the events. */
async function changes(id: string, of = mine): Promise<[unknown, unknown][]> {
  const rows = await of.rows<{ state: unknown }>(
    `select state from event where kind = 'template_components_changed'
       and state->'template'->>'provider_template_id' = $1 order by sequence`,
    [id],
  );
  return rows.map(({ state }) => {
    const { template, previous, current } = templateChangeData(state);
    expect(template.components).toEqual(current);
    return [previous, current];
  });
}
const once = (from: string, to: string) => [[bodyOf(from), bodyOf(to)]];

describe("new content of a template", () => {
  it("is an event with what it was and is, once, however often it is said, and goes to who listens", async () => {
    const { id, name } = await known();
    change(id, bodyOf("Here."));
    await idle();
    for (const one of [id, Number(id), id]) expect((await said(one, "Here.")).status).toBe(200);
    expect((await said(id, "Here.", mine, "en_US")).status).toBe(200);
    await idle();
    await reconciled();
    expect(await changes(id)).toEqual(once("Ready.", "Here."));
    const arrived = () => receiver.received.filter(({ text }) => text.includes(name)).map(({ body }) => body);
    await expect.poll(arrived, PATIENCE).toMatchObject([
      {
        kind: "template_components_changed",
        category: "template",
        data: { template: { name, components: bodyOf("Here.") }, previous: bodyOf("Ready."), current: bodyOf("Here.") },
      },
    ]);
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toEqual([]);
  });

  it("is the same event where a read sees it first, and its callback comes later", async () => {
    const { id } = await known();
    change(id, bodyOf("Here."), { report: false });
    await reconciled();
    expect(await changes(id)).toEqual(once("Ready.", "Here."));
    await said(id, "Here.");
    await idle();
    gateway.clock.advance(31_000);
    await idle();
    expect(await changes(id)).toEqual(once("Ready.", "Here."));
  });

  it("is an event of an edit of our own too, once", async () => {
    const { id, name } = await known();
    const [{ id: ours }] = (await mine.call("GET", `/v1/templates?name=${name}`)).body.data;
    expect((await mine.call("PATCH", `/v1/templates/${ours}`, { body: { components: bodyOf("Here.") } })).status).toBe(
      200,
    );
    await said(id, "Here.");
    await idle();
    expect(await changes(id)).toEqual(once("Ready.", "Here."));
  });

  it("is found although the provider's first answers are older than its callback", async () => {
    const { id } = await known();
    await said(id, "Here.");
    await idle();
    expect(await changes(id)).toEqual([]);
    change(id, bodyOf("Here."), { report: false });
    gateway.clock.advance(6_000);
    await idle();
    expect(await changes(id)).toEqual(once("Ready.", "Here."));
  });

  it("is an event for each change, also back to what it was", async () => {
    const { id } = await known();
    for (const text of ["Here.", "Ready."]) {
      change(id, bodyOf(text));
      await idle();
    }
    expect(await changes(id)).toEqual([...once("Ready.", "Here."), ...once("Here.", "Ready.")]);
  });

  it("is none where only samples are others, whose addresses the provider signs anew", async () => {
    const of = (sample: string, text = "Track"): Components => [
      { type: "HEADER", format: "IMAGE", example: { header_handle: [sample] } },
      { type: "BODY", text: "Hi {{1}}, it is ready.", example: { body_text: [[sample]] } },
      { type: "BUTTONS", buttons: [{ type: "URL", text, url: "https://shop.example/{{1}}", example: [sample] }] },
      {
        type: "CAROUSEL",
        cards: [{ components: [{ type: "HEADER", format: "IMAGE", example: { header_handle: [sample] } }] }],
      },
    ];
    const { id } = await known(of("a"));
    change(id, of("b"));
    await idle();
    expect(await changes(id)).toEqual([]);
    change(id, of("c", "Follow"));
    await idle();
    expect(await changes(id)).toEqual([[of("b"), of("c", "Follow")]]);
  });

  it("is none of a template that is new here, or that nobody knows", async () => {
    const facts = { waba_id: mine.account.wabaId, name: "fresh", language: "en_US", category: "UTILITY" };
    const { id } = gateway.simulator.addTemplate({ ...facts, components: [{ type: "BODY", text: "Fresh." }] });
    await said(id, "Fresh.");
    await said("770011", "Nobody's.");
    await idle();
    expect((await mine.call("GET", "/v1/templates?name=fresh")).body.data).toHaveLength(1);
    expect(await changes(id)).toEqual([]);
    expect(await changes("770011")).toEqual([]);
  });

  it("reaches the workspace of the account alone; of an account that is not connected it waits for it", async () => {
    const id = theirs.account.templates["order_ready"]!;
    const [{ components }] = (await theirs.call("GET", "/v1/templates?name=order_ready")).body.data;
    change(id, bodyOf("Theirs."));
    await idle(theirs);
    expect(await changes(id, theirs)).toEqual([[components, bodyOf("Theirs.")]]);
    expect(await changes(id)).toEqual([]);
    const stranger = { ...mine, account: { ...mine.account, wabaId: "9119119" } };
    expect((await said("1", "Nobody's.", stranger)).status).toBe(200);
    await idle();
    expect((await gateway.operator("GET", "/admin/v1/quarantine")).body.data).toMatchObject([{ reason: "unowned" }]);
  });
});
