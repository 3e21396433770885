import { readdirSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hubSignature, wireJson } from "./lib/wire-json.ts";
import { refusal } from "./protocol/error.ts";
import { FOLDER, golden, shapeOf } from "./testing/golden.ts";
import { type Pair, startPair, template } from "./testing/provider.ts";
import type { TemplateInput } from "./world/template.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  pair.simulator.setSettings({ statusContacts: true });
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const ANA = "+15550001111";
const emitted = async () => {
  await pair.simulator.idle();
  return pair.receiver.posts.map((post) => post.payload);
};

describe("requests of the golden files are understood", () => {
  const requests = readdirSync(FOLDER)
    .filter((name) => name.startsWith("request-") && name !== "request-read.json")
    .map((name) => name.replace(".json", ""));

  test.each(requests)("%s", async (name) => {
    pair.simulator.setSettings({ outsideWindow: "allowed", wrongFiles: "allowed" });
    // A template added twice is replaced, as `order_ready` is here.
    for (const made of TEMPLATES) pair.simulator.addTemplate({ waba_id: "9001", ...made });
    const { status, body } = await pair.send(golden(name).payload);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  });

  test("request-read", async () => {
    const { payload } = golden("request-read");
    pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi", id: payload.message_id });
    expect((await pair.send(payload)).body).toEqual(golden("response-success").payload);
  });
});

describe("answers have the golden shape", () => {
  test.each([
    ["response-accepted-template", template(ANA)],
    ["response-accepted", { to: ANA, type: "text", text: { body: "x" } }],
    ["response-accepted-brazil", { to: "+5531987654321", type: "text", text: { body: "x" } }],
    ["response-accepted-user-id", { recipient: "US.13490000000000000001", type: "text", text: { body: "x" } }],
  ])("%s", async (name, message) => {
    const { payload } = golden(name);
    const { body } = await pair.send(message);
    expect(shapeOf(body)).toEqual(shapeOf(payload));
    expect(body.contacts).toEqual(payload.contacts);
  });

  test("response-error-user-id", async () => {
    pair.simulator.addTemplate({ waba_id: "9001", ...OTP });
    const { to: _to, ...message } = golden("request-template-otp").payload;
    const { status, body } = await pair.send({ ...message, recipient: "US.13490000000000000001" });
    const { http_status, payload } = golden("response-error-user-id");
    expect({ status, error: { ...body.error, fbtrace_id: payload.error.fbtrace_id } }).toEqual({
      status: http_status,
      error: payload.error,
    });
  });

  test("response-no-id, response-html-502", async () => {
    pair.simulator.addFault({ kind: "no_id" });
    expect((await pair.send(template(ANA))).body).toEqual(golden("response-no-id").payload);
    pair.simulator.addFault({ kind: "html" });
    expect((await pair.send(template(ANA))).text).toBe(golden("response-html-502").raw);
  });

  test("response-error-throughput, response-error-token", async () => {
    pair.simulator.addFault({ kind: "refuse", code: 130429 });
    const { error_subcode: _optional, ...error } = golden("response-error-throughput").payload.error;
    const answer = await pair.send(template(ANA));
    expect(shapeOf(answer.body)).toEqual(shapeOf({ error }));
    expect(answer.body.error.message).toBe(error.message);
    pair.simulator.setTokenDeath("9001", 458);
    const dead = golden("response-error-token").payload;
    const { body } = await pair.send(template(ANA));
    expect({ ...body.error, fbtrace_id: dead.error.fbtrace_id }).toEqual(dead.error);
  });

  test("response-phone-numbers, response-account, response-template, response-templates", async () => {
    const numbers = (await pair.call("GET", "/v26.0/1055/../9001/phone_numbers")).body;
    const wanted = golden("response-phone-numbers").payload;
    expect(shapeOf(numbers.data[0])).toEqual(shapeOf(wanted.data[0]));
    expect(shapeOf(numbers.paging)).toEqual(shapeOf(wanted.paging));
    const account = (await pair.call("GET", "/v26.0/9001?fields=id,name,timezone_id,health_status")).body;
    expect(shapeOf(account)).toEqual(shapeOf(golden("response-account").payload));
    const one = (await pair.call("GET", "/v26.0/1689556908129834")).body;
    expect(shapeOf(one)).toEqual(shapeOf(golden("response-template").payload));
    const page = (await pair.call("GET", "/v26.0/9001/message_templates?limit=1")).body;
    expect(shapeOf(page.paging)).toEqual(shapeOf(golden("response-templates-page").payload.paging));
    const last = (await pair.call("GET", "/v26.0/9001/message_templates")).body;
    expect(shapeOf(last.paging)).toEqual(shapeOf(golden("response-templates-last").payload.paging));
  });

  test("HTTP status of each error code", () => {
    const table: { code: number; http_status: number | null }[] = golden("error-codes").payload;
    const documented = table.filter((row) => row.http_status !== null && TITLED.includes(row.code));
    expect(documented.map(({ code }) => [code, refusal(code, "").httpStatus])).toEqual(
      documented.map(({ code, http_status }) => [code, http_status]),
    );
  });
});

describe("callbacks have the golden shape", () => {
  test("callback-status-sent, -delivered, -read", async () => {
    pair.simulator.inbound({ phone_number_id: "1055", from: ANA, name: "Ana" });
    pair.simulator.setSettings({ updatesPerCallback: 1, callbacksInFlight: 1 });
    await pair.send({ ...template(ANA), biz_opaque_callback_data: "m_01J9Z" });
    const payloads = (await emitted()).filter((payload) => "statuses" in payload.entry[0]!.changes[0]!.value);
    for (const [at, name] of ["sent", "delivered", "read"].entries()) {
      const { payload } = golden(`callback-status-${name}`);
      const value = payload.entry[0].changes[0].value;
      // Optional beside statuses, and the golden files show both.
      const sent = payloads[at]!.entry[0]!.changes[0]!.value;
      if (value.contacts === undefined) delete sent["contacts"];
      delete sent["statuses"][0].recipient_user_id;
      expect(shapeOf(payloads[at])).toEqual(shapeOf(payload));
    }
  });

  test("callback-status-failed and callback-status-user-id", async () => {
    pair.simulator.setSettings({ opaqueOnFailed: false, statusContacts: false, callbacksInFlight: 1 });
    pair.simulator.addFault({ kind: "fail", code: 131026 });
    await pair.send({ ...template(ANA), biz_opaque_callback_data: "m_01J9Z" });
    const [failed] = await emitted();
    const wanted = golden("callback-status-failed").payload;
    expect(shapeOf(failed)).toEqual(shapeOf(wanted));
    expect(pair.receiver.statuses()[0]?.["errors"]).toEqual(wanted.entry[0].changes[0].value.statuses[0].errors);
    pair.receiver.posts.length = 0;
    // The second of them, as the first repeats the price.
    pair.simulator.addFault({ kind: "statuses", statuses: ["delivered", "read"] });
    await pair.send({ ...golden("request-text-user-id").payload, ...template(""), to: undefined });
    const { pricing: _p, ...status } = golden("callback-status-user-id").payload.entry[0].changes[0].value.statuses[0];
    await emitted();
    expect(shapeOf(pair.receiver.statuses()[1])).toEqual(shapeOf(status));
  });

  test.each([
    ["callback-template-approved", { status: "APPROVED" }],
    ["callback-template-rejected", { status: "REJECTED", reason: "INVALID_FORMAT" }],
    ["callback-template-paused", { status: "PAUSED" }],
    ["callback-template-disabled", { status: "DISABLED" }],
  ])("%s", async (name, decision) => {
    const { payload } = golden(name);
    const { rejection_info, other_info, disable_info, event: _event, ...usual } = payload.entry[0].changes[0].value;
    const extra = Object.fromEntries(
      Object.entries({ rejection_info, other_info, disable_info }).filter(([, value]) => value !== undefined),
    );
    pair.simulator.decideTemplate("1689556908129832", { ...decision, extra });
    const [sent] = await emitted();
    expect(shapeOf(sent)).toEqual(shapeOf(payload));
    expect(sent?.entry[0]?.changes[0]?.value).toMatchObject({ ...usual, ...extra, event: decision.status });
  });

  test("callback-template-pending-deletion", async () => {
    await pair.call("DELETE", "/v26.0/9001/message_templates?name=order_ready");
    expect(shapeOf((await emitted())[0])).toEqual(shapeOf(golden("callback-template-pending-deletion").payload));
  });
});

test("vectors: signature over the raw bytes, and the same bytes from the same payload", () => {
  for (const name of ["vector-signature", "vector-signature-escaped"]) {
    const { raw, app_secret, signature } = golden(name);
    expect(hubSignature(app_secret, Buffer.from(raw, "utf8"))).toBe(signature);
    expect(wireJson(JSON.parse(raw))).toBe(raw);
  }
});

/** Codes whose title and status the simulator knows. */
const TITLED = [
  0, 1, 2, 3, 4, 10, 100, 190, 368, 80007, 130429, 131000, 131008, 131009, 131016, 131021, 131026, 131031, 131042,
  131045, 131047, 131048, 131049, 131056, 131057, 132000, 132001, 132005, 132012, 132015, 132016, 133004, 133010,
];
const TEMPLATES: TemplateInput[] = golden("templates").payload;
const OTP = TEMPLATES.filter(({ name }) => name === "login_code")[0] as TemplateInput; // it is among them
