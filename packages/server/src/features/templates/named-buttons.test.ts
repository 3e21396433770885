import { beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../lib/duration.ts";
import { parseId } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { type Definition, takeTemplates } from "../messages/testing/golden-templates.ts";
import { keyed, person, startSenders } from "../messages/testing/senders.ts";
import { action, body, button, header, LINK, media, templateOf, text } from "../messages/testing/template-parts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, mine, theirs, sentTo } = senders;

const FLOW = { type: "FLOW", text: "Book", flow_id: "1" };
const define = (name: string, buttons: object[], more: object[] = []): Definition => ({
  id: `70${Buffer.from(name).toString("hex").replaceAll(/[a-f]/g, "9")}`.slice(0, 30),
  name,
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "BODY", text: "Hi {{1}}." },
    ...(buttons.length > 0 ? [{ type: "BUTTONS", buttons } as { type: string }] : []),
    ...(more as { type: string }[]),
  ],
});
const CARD = {
  components: [
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "Tea" },
    { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "More" }, FLOW] },
  ],
};
beforeAll(() =>
  takeTemplates(senders, [
    define("form", [FLOW]),
    define("shelf", [{ type: "CATALOG", text: "View" }]),
    define("second", [
      { type: "QUICK_REPLY", text: "Stop" },
      { ...FLOW, flow_id: "2" },
    ]),
    define("teas", [], [{ type: "CAROUSEL", cards: [CARD, CARD] }]),
  ]),
);

const ana = body(text("Ana"));
const flow = (index: string) => ({ type: "button", sub_type: "flow", index });
const catalog = { type: "button", sub_type: "catalog", index: "0" };
const image = header(media("image", { link: LINK }));
const cards = (...inFirst: object[]) => ({
  type: "carousel",
  cards: [
    { card_index: 0, components: [image, ...inFirst] },
    { card_index: 1, components: [image] },
  ],
});

const send = (template: object, more: object = {}, headers = {}, to = person()) =>
  mine.call("POST", "/v1/messages", { body: { to, type: "template", template, ...more }, headers });
/** The components that the provider got, at each attempt. */
const wire = ({ to, id }: { to: string; id: string }) =>
  sentTo(to)
    .filter(({ opaque }) => opaque?.includes(id))
    .map(({ request }) => (request as { template: { components?: unknown } }).template.components);

describe("a button that each send must name and that needs no parameter", () => {
  it.each([
    ["form", [ana], [ana, flow("0")], [ana, flow("0")]],
    ["shelf", [ana], [ana, catalog], [ana, { ...catalog, sub_type: "CATALOG" }]],
    ["second", [ana], [ana, flow("1")], [ana, flow("1")]],
    ["form", [flow("0"), ana], [flow("0"), ana], [flow("0"), ana]],
    ["form", [ana, button("flow", 0)], [ana, button("flow", 0)], [ana, button("flow", 0)]],
    [
      "form",
      [ana, button("flow", "0", action({ flow_token: "17" }))],
      [ana, button("flow", "0", action({ flow_token: "17" }))],
      [ana, button("flow", "0", action({ flow_token: "17" }))],
    ],
  ])("of %s is added where it is left out, and nowhere else", async (name, given, stored, sent) => {
    const key = keyed(`${name} ${JSON.stringify(given)}`.replaceAll(/[^a-z0-9]/gi, "-"));
    const template = templateOf(name, ...given);
    const to = person();
    const first = await send(template, {}, key, to);
    expect([first.status, first.body.errors]).toEqual([202, undefined]);
    expect(first.body.template).toEqual({ ...template, components: stored });
    const message = await mine.becomes(first.body.id, "accepted");
    expect([message.template.components, wire(message)]).toEqual([stored, [sent]]);
    const again = await send(template, {}, key, to);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([first.text, "true"]);
  });

  it("is added to each card of a carousel that lacks it", async () => {
    const { status, body: sent } = await send(templateOf("teas", ana, cards(button("flow", "1", action({})))));
    expect(status).toBe(202);
    const message = await mine.becomes(sent.id, "accepted");
    const [given] = cards(button("flow", "1", action({}))).cards;
    const added = { card_index: 1, components: [image, flow("1")] };
    expect(wire(message)).toEqual([[ana, { type: "carousel", cards: [given, added] }]]);
  });

  it("is added in a batch and to a fallback, and another kind at its place is still refused", async () => {
    const to = person();
    const fallback = { template: templateOf("form", ana) };
    const messages = [
      { to, type: "text", text: { body: "Hi" }, fallback },
      { to, type: "template", template: templateOf("form", ana, button("url", "0", text("a"))) },
    ];
    const { data } = (await mine.call("POST", "/v1/messages/batch", { body: { messages } })).body;
    expect(data[0].message.fallback.template.components).toEqual([ana, flow("0")]);
    expect(data[1].error.errors).toMatchObject([{ pointer: "/template/components/1/sub_type", code: "kind" }]);
    const message = await mine.becomes(data[0].message.id, "accepted");
    expect([message.fallback_used, wire(message)]).toEqual([true, [[ana, flow("0")]]]);
    const validated = await mine.call("POST", "/v1/messages/validate", {
      body: { to, type: "text", text: { body: "Hi" }, fallback },
    });
    expect(validated.body).toMatchObject({ sendable: true, problems: [] });
  });

  it("is a matter of the sender's own template of that name", async () => {
    const components = [{ type: "BODY", text: "Hi {{1}}." }];
    const { wabaId, token } = theirs.account;
    gateway.simulator.addTemplate({ waba_id: wabaId, ...define("form", []), id: "7099", components });
    await theirs.call("POST", "/v1/business-accounts", { body: { provider_account_id: wabaId, access_token: token } });
    const sent = { to: person(), type: "template", template: templateOf("form", ana) };
    const { body: message } = await expect
      .poll(() => theirs.call("POST", "/v1/messages", { body: sent }))
      .toMatchObject({ status: 202 })
      .then(() => theirs.call("POST", "/v1/messages", { body: { ...sent, to: person() } }));
    expect((await theirs.becomes(message.id, "accepted")).template.components).toEqual([ana]);
  });
});

/** What a send without its component becomes, by kind: 202 and accepted by the provider, or 422 with what is missing. */
describe("a button that a send leaves out", () => {
  const fixed = { type: "URL", text: "Open", url: "https://shop.example" };
  const KINDS: readonly [name: string, button: { type: string; [field: string]: unknown }, status: number][] = [
    ["quick_reply", { type: "QUICK_REPLY", text: "Stop" }, 202],
    ["url", fixed, 202],
    ["url_variable", { ...fixed, url: "https://shop.example/{{1}}" }, 422],
    ["phone_number", { type: "PHONE_NUMBER", text: "Call", phone_number: "+15550001111" }, 202],
    ["copy_code", { type: "COPY_CODE", example: "25OFF" }, 422],
    ["otp_copy", { type: "OTP", otp_type: "COPY_CODE" }, 422],
    ["otp_tap", { type: "OTP", otp_type: "ONE_TAP" }, 422],
    ["otp_zero", { type: "OTP", otp_type: "ZERO_TAP" }, 422],
    ["flow", FLOW, 202],
    ["catalog", { type: "CATALOG", text: "View" }, 202],
    ["mpm", { type: "MPM", text: "View" }, 422],
    ["voice_call", { type: "VOICE_CALL", text: "Call" }, 202],
    ["call_permission", { type: "CALL_PERMISSION_REQUEST", text: "May we call?" }, 202],
    ["contact_info", { type: "REQUEST_CONTACT_INFO", text: "Share" }, 202],
    ["app", { type: "APP", text: "Open" }, 202],
  ];
  beforeAll(() =>
    takeTemplates(
      senders,
      KINDS.map(([name, given]) => define(`of_${name}`, [given])),
    ),
  );

  it.each(KINDS)("of the kind %s", async (name, _button, status) => {
    const reply = await send(templateOf(`of_${name}`, ana));
    const faults = (reply.body.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
    expect([reply.status, faults]).toEqual([status, status === 202 ? [] : ["/template/components missing"]]);
    if (status === 202) await mine.becomes(reply.body.id, "accepted");
  });
});

describe("a message that waits", () => {
  const later = () => ({ send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() });

  it("is sent by the template that is there by then, which got a button that each send names", async () => {
    const one = define("gains", []);
    await takeTemplates(senders, [one]);
    const { body: waiting } = await send(templateOf("gains", ana), later());
    await takeTemplates(senders, [define("gains", [FLOW])]);
    gateway.clock.advance(HOUR_MS);
    const message = await mine.becomes(waiting.id, "accepted");
    expect(wire(message)).toEqual([[ana], [ana, flow("0")]]);
    expect([message.error, message.template.components]).toEqual([null, [ana]]);
  });

  it("is sent by the template that is there by then, which has lost that button", async () => {
    await takeTemplates(senders, [define("loses", [FLOW])]);
    const { body: waiting } = await send(templateOf("loses", ana), later());
    await takeTemplates(senders, [define("loses", [])]);
    gateway.clock.advance(HOUR_MS);
    expect(wire(await mine.becomes(waiting.id, "accepted"))).toEqual([[ana, flow("0")], [ana]]);
  });

  it("was accepted by an earlier version, which added nothing", async () => {
    const { body: waiting } = await send(templateOf("form", ana), later());
    await withClient(gateway.database.url, async (client) => {
      await client.query("begin");
      await client.query("select set_config('app.workspace_id', $1, true)", [mine.uuid]);
      const removed = "update message set content = content::jsonb #- '{components,1}' where id = $1";
      expect((await client.query(removed, [parseId("msg", waiting.id)])).rowCount).toBe(1);
      await client.query("commit");
    });
    gateway.clock.advance(HOUR_MS);
    const message = await mine.becomes(waiting.id, "accepted");
    expect(wire(message)).toEqual([[ana], [ana, flow("0")]]);
  });

  it("fails when its template was changed otherwise, after one attempt more", async () => {
    await takeTemplates(senders, [define("other", [])]);
    const { body: waiting } = await send(templateOf("other", ana), later());
    await takeTemplates(senders, [define("other", [{ type: "COPY_CODE", example: "25OFF" }, FLOW])]);
    gateway.clock.advance(HOUR_MS);
    const message = await mine.becomes(waiting.id, "failed");
    expect(message.error.code).toBe("template_changed");
    expect(wire(message)).toHaveLength(2);
  });
});
