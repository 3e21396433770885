import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { expectGraphError, ofNumber, textTo, VERSION } from "../testing/front.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;

beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "20" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

let people = 0;
const person = (): string => `+1555777${String(++people).padStart(4, "0")}`;
const messageOf = async (publicId: string, of = mine) => {
  const { body } = await of.call("GET", `/v1/messages?provider_message_id=${encodeURIComponent(publicId)}`);
  return body.data[0];
};

describe("POST /{number}/messages", () => {
  test("sends a reply and answers with the provider's id", async () => {
    const to = person();
    await mine.inbound(to);
    const sent = await mine.call("POST", ofNumber(mine, "/messages"), {
      body: textTo(to, { biz_opaque_callback_data: "order-17", context: null }),
    });
    expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
    const [{ id }] = sent.body.messages;
    expect(sent.body).toEqual({
      messaging_product: "whatsapp",
      contacts: [{ input: to.slice(1), wa_id: to.slice(1) }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    });
    expect(await messageOf(id)).toMatchObject({ to, type: "text", reference: "order-17", from: mine.account.phone });
  });

  test("sends a template from any version, with slashes, by any of the headers", async () => {
    const to = person();
    const body = { messaging_product: "whatsapp", to, type: "template", template: templateOf() };
    const path = `/${mine.account.providerPhoneNumberId}/messages`;
    const headers = [
      { authorization: `Bearer ${mine.key}` },
      { authorization: `OAuth ${mine.key}` },
      { "d360-api-key": mine.key },
      { "x-api-key": mine.key },
    ];
    const anonymous = gateway.as(null);
    const paths = [`/v13.0${path}`, `/v23${path}/`, path, `//v99.1/${path}//`];
    for (const [index, one] of paths.entries()) {
      const sent = await anonymous("POST", one, { body, headers: headers[index] as Record<string, string> });
      expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"message_status":"accepted"')]);
      expect(sent.body.contacts).toEqual([{ input: to, wa_id: to.slice(1) }]);
    }
    const sent = await mine.call("POST", "/messages", { body });
    expect(sent.status).toBe(200);
  });

  test("takes its parameters from the query, a form, or the parts of one", async () => {
    const path = ofNumber(mine, "/messages");
    const template = JSON.stringify(templateOf());
    const to = person().slice(1);
    const fields = new URLSearchParams({ to, type: "template", template, messaging_product: "whatsapp" });
    expect((await mine.call("POST", `${path}?${fields.toString()}`)).status).toBe(200);
    const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
    expect((await mine.call("POST", path, { body: fields.toString(), headers: urlencoded })).status).toBe(200);
    const line = "--x\r\ncontent-disposition: form-data; name=";
    const parts = [...fields].map(([name, value]) => `${line}"${name}"\r\n\r\n${value}\r\n`).join("");
    const multipart = { "content-type": "multipart/form-data; boundary=x" };
    expect((await mine.call("POST", path, { body: `${parts}--x--\r\n`, headers: multipart })).status).toBe(200);
  });

  test.each(["location_request_message", "call_permission_request"])(
    "takes no notice of parameters that clients send with a %s",
    async (type) => {
      const to = person();
      await mine.inbound(to);
      const name = type === "location_request_message" ? "send_location" : type;
      const interactive = {
        type,
        body: { text: "Where?" },
        action: { name, parameters: { request_message: "Where?" } },
      };
      const body = { messaging_product: "whatsapp", to, type: "interactive", interactive };
      const sent = await mine.call("POST", ofNumber(mine, "/messages"), { body });
      expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
      expect((await messageOf(sent.body.messages[0].id)).interactive.action).toEqual({ name });
    },
  );

  test("gives the first answer again to the same key", async () => {
    const to = person();
    const request = {
      body: { messaging_product: "whatsapp", to, type: "template", template: templateOf() },
      headers: { "idempotency-key": "front-1" },
    };
    const first = await mine.call("POST", ofNumber(mine, "/messages"), request);
    const again = await mine.call("POST", ofNumber(mine, "/messages"), request);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = { ...request, body: { ...request.body, to: person() } };
    expectGraphError(await mine.call("POST", ofNumber(mine, "/messages"), other), 400, 100);
  });

  test("answers with the provider's refusal", async () => {
    const to = person();
    await mine.inbound(to);
    gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: to });
    expectGraphError(await mine.call("POST", ofNumber(mine, "/messages"), { body: textTo(to) }), 400, 131026);
  });

  test("quotes, reacts to and marks as read what a person wrote, and what was sent", async () => {
    const to = person();
    const { id } = await mine.inbound(to);
    const { body: inbound } = await mine.call("GET", `/v1/messages/${id}`);
    const path = ofNumber(mine, "/messages");
    const context = { message_id: inbound.provider_message_id };
    const quoted = await mine.call("POST", path, { body: textTo(to, { context }) });
    expect(quoted.status).toBe(200);
    expect((await messageOf(quoted.body.messages[0].id)).reply_to).toBe(id);
    const reaction = { message_id: quoted.body.messages[0].id, emoji: "👍" };
    const reacted = await mine.call("POST", path, { body: { ...textTo(to), type: "reaction", reaction } });
    expect([reacted.status, reacted.text]).toEqual([200, expect.stringContaining("wamid.")]);
    const read = { messaging_product: "whatsapp", status: "read", ...context, typing_indicator: { type: "text" } };
    expect((await mine.call("POST", path, { body: read })).body).toEqual({ success: true });
    for (const body of [textTo(to, { context }), read])
      expectGraphError(await theirs.call("POST", ofNumber(theirs, "/messages"), { body }), 400, 100, 33);
    const unknown = { ...read, message_id: "wamid.unknown" };
    expectGraphError(await mine.call("POST", path, { body: unknown }), 400, 100, 33);
  });
});

describe("a refusal", () => {
  test.each([
    ["without a key", {}, 401, 104],
    ["with a wrong key", { authorization: "Bearer wp_live_wrong" }, 401, 190],
  ])("%s", async (_name, headers: Record<string, string>, status, code) => {
    const body = textTo(person());
    expectGraphError(await gateway.as(null)("POST", ofNumber(mine, "/messages"), { body, headers }), status, code);
  });

  test("of a key in the address says where it belongs", async () => {
    const path = `${ofNumber(mine, "/messages")}?access_token=${mine.key}`;
    const reply = await gateway.as(null)("POST", path, { body: textTo(person()) });
    expectGraphError(reply, 401, 104);
    expect(reply.text).toContain("Authorization");
    expect(reply.text).not.toContain(mine.key);
  });

  test("of every layer has the envelope", async () => {
    const path = ofNumber(mine, "/messages");
    const call = mine.call;
    expectGraphError(await call("GET", `/${VERSION}/nowhere/at/all`), 404, 3);
    expectGraphError(await call("DELETE", path), 405, 3);
    expectGraphError(await call("POST", ofNumber(theirs, "/messages"), { body: textTo(person()) }), 400, 100, 33);
    expectGraphError(await call("POST", `/${VERSION}/1/messages`, { body: textTo(person()) }), 400, 100, 33);
    expectGraphError(await call("POST", path, { body: "{" }), 400, 100);
    expectGraphError(await call("POST", path, { body: "[]" }), 400, 100);
    expectGraphError(await call("POST", path, { body: {} }), 400, 100);
    expectGraphError(
      await call("POST", path, { body: textTo(person(), { text: { body: "x".repeat(300_000) } }) }),
      413,
      100,
    );
    expectGraphError(await call("POST", path, { body: textTo(person()) }), 400, 131047);
    const reading = await gateway.workspace(["messages:read"]);
    expectGraphError(await reading.call("POST", path, { body: textTo(person()) }), 403, 10);
    const unknown = { type: "template", template: { name: "no_such", language: { code: "en" } } };
    expectGraphError(await call("POST", path, { body: { ...textTo(person()), ...unknown } }), 404, 132001);
  });

  test("of a suspended workspace is 368", async () => {
    const other = await gateway.sender();
    await gateway.operator("PATCH", `/admin/v1/workspaces/${other.id}`, { body: { status: "suspended" } });
    await expect
      .poll(async () => (await other.call("POST", ofNumber(other, "/messages"), { body: textTo(person()) })).status)
      .toBe(403);
    expectGraphError(await other.call("POST", ofNumber(other, "/messages"), { body: textTo(person()) }), 403, 368);
  });

  test("and a send are in the audit log, by the path without what is no id of ours", async () => {
    await gateway.audited();
    const { body } = await mine.call("GET", "/v1/audit/activity?limit=100");
    const paths = body.data.map(
      (row: { request: { path: string }; action: string }) => `${row.action} ${row.request.path}`,
    );
    expect(paths).toContain("message.create /{number}/messages");
    expect(paths).toContain("message.mark_read /{number}/messages");
  });
});

test("no path of ours is the front's, and none of its is ours", async () => {
  const { status, headers } = await mine.call("GET", "/graph/1/messages");
  expect([status, headers["content-type"]]).toEqual([404, expect.stringContaining("problem+json")]);
  expect((await mine.call("GET", "/v1/messages")).status).toBe(200);
  expect((await mine.call("GET", "/v1/nowhere")).body.code).toBe("not_found");
});

const templateOf = (): object => ({
  name: "order_ready",
  language: { code: "en_US", policy: "deterministic" },
  components: [],
});
