import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(() => {
  pair.simulator.reset();
  pair.simulator.setDelays({ statuses: false });
});

const ANA = "+15550001111";

describe("a send that fits", () => {
  test("template: 200 with contact, id and message_status", async () => {
    const { status, body } = await pair.send({ ...template(ANA), biz_opaque_callback_data: "m_1" });
    expect(status).toBe(200);
    expect(body).toEqual({
      messaging_product: "whatsapp",
      contacts: [{ input: ANA, wa_id: "15550001111" }],
      messages: [{ id: expect.stringMatching(/^wamid\.[A-Za-z0-9+/=]+$/), message_status: "accepted" }],
    });
    expect(pair.simulator.sent({ opaque: "m_1" }).data).toMatchObject([
      { accepted: true, id: body.messages[0].id, template: "order_ready", http_status: 200, code: null },
    ]);
  });

  test("text inside the window has no message_status", async () => {
    pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
    const { body } = await pair.send({ to: ANA, type: "text", text: { body: "hello" } });
    expect(Object.keys(body.messages[0])).toEqual(["id"]);
  });

  test("ids differ even when a thousand are made at once", async () => {
    pair.simulator.setSettings({ throughputLimit: false });
    const ids = await Promise.all(
      Array.from(
        { length: 200 },
        async (_, n) => (await pair.send(template(`+1555100${1000 + n}`))).body.messages[0].id,
      ),
    );
    expect(new Set(ids).size).toBe(200);
  });

  test("addressed by user id: user_id and no wa_id", async () => {
    const { body } = await pair.send({ ...template(""), to: undefined, recipient: "US.13490000000000000001" });
    expect(body.contacts).toEqual([{ input: "US.13490000000000000001", user_id: "US.13490000000000000001" }]);
  });

  test("mark as read: only a message that came in on this number", async () => {
    const { id } = pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
    expect((await pair.send({ status: "read", message_id: id })).body).toEqual({ success: true });
    expect((await pair.send({ status: "read", message_id: "wamid.other" })).body.error.code).toBe(131009);
  });
});

const NAMED = [
  { type: "text", parameter_name: "order_no", text: "A17" },
  { type: "text", parameter_name: "first_name", text: "Ana" },
];
const body = (...parameters: unknown[]) => [{ type: "body", parameters }];
const text = (value: string) => ({ type: "text", text: value });

describe("a send that does not fit", () => {
  test.each([
    ["no product", { messaging_product: "sms", ...template(ANA) }, 100, 400],
    ["unknown type", { to: ANA, type: "fax", fax: {} }, 100, 400],
    ["no recipient", { ...template(ANA), to: undefined }, 131008, 400],
    ["not a number", template("ana"), 131009, 400],
    ["to itself", template("+15559990000"), 131021, 400],
    ["no such template", template(ANA, "nothing"), 132001, 404],
    ["other language", { ...template(ANA), template: { name: "order_ready", language: { code: "de" } } }, 132001, 404],
    ["pending template", template(ANA, "pending_notice"), 132001, 404],
    ["paused template", template(ANA, "paused_notice"), 132015, 400],
    ["parameters too few", template(ANA, "order_update", body(text("Ana"))), 132000, 400],
    ["parameters too many", template(ANA, "order_ready", body(text("Ana"))), 132000, 400],
    ["named for positional", template(ANA, "order_update", body(...NAMED)), 132012, 400],
    ["positional for named", template(ANA, "order_update_named", body(text("A17"), text("Ana"))), 132012, 400],
    ["picture for text", template(ANA, "order_update", body(text("Ana"), { type: "image", image: {} })), 132012, 400],
    ["new line", template(ANA, "order_update", body(text("Ana"), text("a\nb"))), 132018, 400],
    ["too long", template(ANA, "order_update", body(text("Ana"), text("x".repeat(33_000)))), 132005, 400],
    ["button it has not", template(ANA, "order_ready", [{ type: "button", sub_type: "url", index: "0" }]), 132018, 400],
    ["opaque too long", { ...template(ANA), biz_opaque_callback_data: "x".repeat(513) }, 131009, 400],
    ["text too long", { to: ANA, type: "text", text: { body: "x".repeat(4097) } }, 100, 400],
    ["text empty", { to: ANA, type: "text", text: { body: "" } }, 131008, 400],
    ["media without source", { to: ANA, type: "image", image: { caption: "a" } }, 131009, 400],
    [
      "four buttons",
      {
        to: ANA,
        type: "interactive",
        interactive: { type: "button", body: { text: "?" }, action: { buttons: [1, 2, 3, 4] } },
      },
      131009,
      400,
    ],
  ])("%s", async (_name, message, code, status) => {
    const answer = await pair.send(message);
    expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
    expect(answer.body.error.message).toMatch(new RegExp(`^\\(#${code}\\) `));
    expect(pair.simulator.stats()).toMatchObject({ requests: 1, accepted: 0, refused: { [code]: 1 } });
  });

  test("named parameters in any order fit", async () => {
    expect((await pair.send(template(ANA, "order_update_named", body(...NAMED)))).status).toBe(200);
  });

  test("unknown token is 190, none 104, a dead one 190 with its subcode", async () => {
    expect((await pair.send(template(ANA), "wrong")).body.error).toMatchObject({ code: 190, type: "OAuthException" });
    expect((await pair.send(template(ANA), "")).body.error.code).toBe(104);
    pair.simulator.setTokenDeath("9001", 458);
    const { status, body } = await pair.send(template(ANA));
    expect({ status, ...body.error }).toMatchObject({ status: 401, code: 190, error_subcode: 458 });
  });

  test("another account's number does not exist for the token", async () => {
    pair.simulator.addAccount({ waba_id: "9002", name: "B", business_id: "7002", token: "EAAB", phone_numbers: [] });
    const { status, body } = await pair.send(template(ANA), "EAAB");
    expect({ status, ...body.error }).toMatchObject({
      status: 400,
      code: 100,
      error_subcode: 33,
      type: "GraphMethodException",
    });
  });

  test("broken JSON, an unknown path and a path without version are Graph errors", async () => {
    const headers = { authorization: "Bearer EAASIMDEMO", "content-type": "application/json" };
    const broken = await fetch(`${pair.simulator.url}/v26.0/1055/messages`, { method: "POST", headers, body: "{" });
    expect([broken.status, JSON.parse(await broken.text()).error.code]).toEqual([400, 100]);
    expect((await pair.call("GET", "/v26.0/1055/nothing/at/all")).body.error.code).toBe(2500);
    expect((await pair.call("GET", "/latest/1055")).body.error.code).toBe(2500);
  });
});

describe("limits", () => {
  test("130429 beyond the number's throughput within a second", async () => {
    pair.simulator.addAccount({
      waba_id: "9003",
      name: "Slow",
      business_id: "7003",
      token: "EAAS",
      phone_numbers: [{ id: "3001", display_phone_number: "+1 555 300 0001", throughput: 10 }],
      templates: [{ name: "plain", language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "x" }] }],
    });
    const codes = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const message = { messaging_product: "whatsapp", ...template(`+1555400${1000 + n}`, "plain") };
        return (await pair.call("POST", "/v26.0/3001/messages", message, "EAAS")).body.error?.code ?? 200;
      }),
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(13);
    expect(codes.filter((code) => code === 130429)).toHaveLength(7);
  });

  test("131056 after a burst of 45 to one person, others go on", async () => {
    pair.simulator.setSettings({ throughputLimit: false });
    for (let n = 0; n < 45; n += 1) expect((await pair.send(template(ANA))).status).toBe(200);
    expect((await pair.send(template(ANA))).body.error.code).toBe(131056);
    expect((await pair.send(template("+15550002222"))).status).toBe(200);
    pair.simulator.setSettings({ pairLimit: false });
    expect((await pair.send(template(ANA))).status).toBe(200);
  });
});

describe("window", () => {
  test("closes 24 h after the last inbound message on the simulator's clock", async () => {
    let now = 1_790_000_000_000;
    const timed = await startPair({ clock: { nowMs: () => now }, settings: { outsideWindow: "refused" } });
    const reply = () => timed.send({ to: ANA, type: "text", text: { body: "hello" } });
    expect((await reply()).body.error.code).toBe(131047);
    timed.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
    expect((await reply()).status).toBe(200);
    now += 24 * 3_600_000;
    expect((await reply()).body.error.code).toBe(131047);
    timed.simulator.setWindow({ phone_number_id: "1055", person: ANA, open: true });
    expect((await reply()).status).toBe(200);
    await timed.close();
  });

  test("a system message opens nothing", async () => {
    pair.simulator.setSettings({ outsideWindow: "refused" });
    pair.simulator.inbound({
      phone_number_id: "1055",
      from: ANA,
      type: "system",
      system: { type: "user_changed_number" },
    });
    expect((await pair.send({ to: ANA, type: "text", text: { body: "x" } })).body.error.code).toBe(131047);
  });
});
