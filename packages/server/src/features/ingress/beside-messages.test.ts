import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { accountEventData } from "../accounts/render.ts";

const PATIENCE = { timeout: 30_000, interval: 15 };
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

async function post(...values: object[]): Promise<void> {
  expect((await postCallback(gateway, callbackOf(mine.account, ...values))).status).toBe(200);
}
async function settled(): Promise<void> {
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
}
const asideOf = async (): Promise<unknown> => (await gateway.operator("GET", "/admin/v1/quarantine")).body.data;
type Shown = { id: string; contact_id: string; provider_message_id: string; provider_fields?: object };
const message = async (id: string): Promise<Shown> => {
  const { data } = (await mine.call("GET", "/v1/messages?direction=inbound&limit=100")).body;
  return data.find((one: Shown) => one.provider_message_id === id);
};
const text = (id: string, digits = "15551239001"): { messages: object[] } =>
  textFrom(digits, id, "And the blue one?", gateway.clock.now()) as { messages: object[] };

describe("the summary of a conversation beside a message", () => {
  const conversation_context = { type: "summary", summary: { text: "Ana asks for the chair in blue." } };

  it("is kept with the message, on the short way, and goes with its person", async () => {
    await post({ ...text("wamid.sum.1"), conversation_context });
    const kept = await message("wamid.sum.1");
    expect(kept).toMatchObject({ text: { body: "And the blue one?" }, provider_fields: { conversation_context } });
    expect(await gateway.app.db.sql.query("select from quarantine")).toEqual([]);
    await mine.call("DELETE", `/v1/contacts/${kept.contact_id}`);
    expect(JSON.stringify((await mine.call("GET", `/v1/messages/${kept.id}`)).body)).not.toContain("chair in blue");
    const emptied = async () => JSON.stringify(await mine.rows("select row_to_json(m) from message m"));
    await expect.poll(emptied, PATIENCE).not.toContain("chair in blue");
    expect(JSON.stringify(await mine.rows("select row_to_json(e) from event e"))).not.toContain("chair in blue");
  });

  it("of several messages belongs to their person, and to none where there are two", async () => {
    const two = { messages: [...text("wamid.sum.2").messages, ...text("wamid.sum.3").messages], conversation_context };
    await post(two);
    expect((await message("wamid.sum.3")).provider_fields).toEqual({ conversation_context });
    const [first] = text("wamid.sum.4").messages;
    const [other] = text("wamid.sum.5", "15551239002").messages;
    await post({ messages: [first, other], conversation_context });
    for (const id of ["wamid.sum.4", "wamid.sum.5"])
      expect(JSON.stringify(await message(id))).not.toContain("chair in blue");
    expect(await asideOf()).toEqual([]);
  });

  it.each([[null], [""], [1], [[]], [{}], [{ type: "next year" }]])(
    "takes nothing from the message when it is %j",
    async (odd) => {
      const id = `wamid.odd.${JSON.stringify(odd)}`;
      await post({ ...text(id), conversation_context: odd });
      expect(await message(id)).toMatchObject({ type: "text", status: "received" });
      expect(await asideOf()).toEqual([]);
    },
  );

  it("stands beside statuses without effect", async () => {
    const { id } = (await mine.send("+15551239003")).body;
    const { provider_message_id: wamid } = await mine.becomes(id, "accepted");
    await post({ ...statusOf(wamid, "delivered", gateway.clock.now()), conversation_context });
    await mine.becomes(id, "delivered");
    expect(await asideOf()).toEqual([]);
  });
});

describe("what people do with links of marketing messages", () => {
  const clicks = async (of: Sender) => {
    const events = await of.rows<{ state: unknown }>(
      "select state from event where kind = 'account_changed' and state->>'provider_event' = 'user_actions' order by sequence",
    );
    return events.map(({ state }) => accountEventData(state));
  };
  const data = { click_component: "cta", click_id: "c-1", tracking_token: "t-1" };
  const timestamp = "1790000001";
  const click = { action_type: "marketing_messages_link_click", timestamp, marketing_messages_link_click_data: data };

  it("is an event of the number, once, and has nothing that is about the person", async () => {
    const more = { client_user_agent: "Phone of Ana", wa_id: "15551239001", nested: { name: "Ana" } };
    const talkative = { ...click, user_id: "US.1", marketing_messages_link_click_data: { ...data, ...more } };
    const view = { action_type: "landing_page_view", timestamp, marketing_messages_link_click_data: { click_id: 17 } };
    const value = { user_actions: [talkative, view], contacts: [{ profile: { name: "Ana" }, wa_id: "15551239001" }] };
    await post({ ...text("wamid.act.1"), ...value });
    await post(value);
    await post({ user_actions: [view] });
    await settled();
    const of = { phone_number_id: mine.phoneNumberId, provider_event: "user_actions" };
    expect(await clicks(mine)).toEqual([
      expect.objectContaining({ ...of, detail: { user_actions: [click] } }),
      expect.objectContaining({ ...of, detail: { user_actions: [view] } }),
    ]);
    expect(await clicks(theirs)).toEqual([]);
    expect(await message("wamid.act.1")).toMatchObject({ status: "received" });
    expect(await asideOf()).toEqual([]);
  });

  it("of a kind that is new is reported too, and without any key", async () => {
    const fresh = { action_type: "next_years_action", timestamp: null, next_years_action_data: {} };
    await post({ user_actions: [fresh, { action_type: "landing_page_view" }] });
    await settled();
    const told = (await clicks(mine)).slice(-2).map(({ detail }) => detail);
    expect(told).toEqual([
      { user_actions: [{ action_type: "next_years_action", next_years_action_data: {} }] },
      { user_actions: [{ action_type: "landing_page_view" }] },
    ]);
    expect(await asideOf()).toEqual([]);
  });
});
