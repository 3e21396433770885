import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { ORDER_READY } from "../../../testing/gateway.ts";
import { keyed, person, startSenders } from "../testing/senders.ts";

const { gateway, mine, theirs } = await startSenders();

const template = (to: string, more: object = {}) => ({ to, type: "template", template: ORDER_READY, ...more });
const text = (to: string, more: object = {}) => ({ to, type: "text", text: { body: "Hello" }, ...more });
const named = (name: string) => ({ template: { name, language: { code: "en_US" } } });
const validate = (body: object, headers: Record<string, string> = {}, of = mine) =>
  of.call("POST", "/v1/messages/validate", { body, headers });
const send = (body: object) => mine.call("POST", "/v1/messages", { body });
const codesOf = (body: { problems: { code: string }[] }) => body.problems.map(({ code }) => code);

/** Rows of the workspace that sending would write. */
const written = async () => {
  const tables = ["contact", "message", "dispatch", "idempotency_key", "conversation", "event"];
  return await Promise.all(tables.map(async (table) => (await mine.rows(`select 1 from ${table}`)).length));
};

describe("a message that can be sent", () => {
  it("is sendable, with its template and its queue, and nothing is written but the call's audit row", async () => {
    const to = person();
    const before = await written();
    const { status, body } = await validate(template(to), { ...keyed("dry"), "x-request-id": "dry-run" });
    expect(status).toBe(200);
    expect(body).toEqual({
      sendable: true,
      problems: [],
      window: { phone_number_id: mine.phoneNumberId, open: false, expires_at: null },
      template: { id: expect.stringMatching(/^tpl_/), status: "approved", category: "utility" },
      limits: {
        messaging: { limit: null, used: null, remaining: null, resets_at: null },
        queue: { waiting: null, limit: 80 * 3_600, estimated_dispatch_at: null },
      },
    });
    expect(await written()).toEqual(before);
    await gateway.audited();
    expect(await mine.rows("select action, status from audit where request_id = 'dry-run'")).toEqual([
      { action: "message.validate", status: 200 },
    ]);
    // The key is as free as before.
    expect((await mine.send(to, {}, keyed("dry"))).status).toBe(202);
    await expect
      .poll(async () => (await validate(template(to))).body.limits.queue)
      .toMatchObject({ waiting: expect.any(Number), estimated_dispatch_at: expect.stringMatching(/Z$/) });
  });

  it("has the window of the number and the person", async () => {
    const to = person();
    const { contact_id } = await mine.inbound(to);
    const { windows } = (await mine.call("GET", `/v1/contacts/${contact_id}`)).body;
    const open = await validate(text(to));
    expect([open.body.sendable, open.body.window]).toEqual([true, windows[0]]);
    expect(open.body.window.open).toBe(true);
    gateway.clock.advance(24 * HOUR_MS);
    const closed = (await validate(text(contact_id))).body;
    expect([closed.sendable, codesOf(closed), closed.window.open]).toEqual([false, ["window_closed"], false]);
    const fallback = (await validate(text(to, { fallback: named("order_ready") }))).body;
    expect([fallback.sendable, fallback.template.status]).toEqual([true, "approved"]);
    const theirWindow = (await validate(text(to), {}, theirs)).body;
    expect([codesOf(theirWindow), theirWindow.window.expires_at]).toEqual([["window_closed"], null]);
  });
});

describe("a message that cannot be sent", () => {
  it.each([
    ["an impossible number", () => template("+1"), "invalid_phone_number", "/to"],
    ["an unknown contact", () => text("con_01jd0000000000000000000000"), "reference_not_found", "/to"],
    ["an unknown sender", () => template(person(), { from: "+15550009999" }), "reference_not_found", "/from"],
    ["an unknown template", () => template(person(), named("no_such")), "template_not_found", "/template"],
    ["a paused template", () => template(person(), named("paused_notice")), "template_not_approved", "/template"],
    [
      "missing parameters",
      () => template(person(), named("order_update")),
      "template_parameters_mismatch",
      "/template/components",
    ],
    [
      "an unknown message to quote",
      () => template(person(), { reply_to: "msg_01jd0000000000000000000000" }),
      "reference_not_found",
      "/reply_to",
    ],
    ["its own sender", () => template(mine.account.phone.replace(/^\+?/, "+")), "invalid_request", "/to"],
    [
      "a time long ago",
      () => template(person(), { expires_at: "2020-01-01T00:00:00Z" }),
      "invalid_request",
      "/expires_at",
    ],
  ])("for %s has the problem that sending it has", async (_name, bodyOf, code, pointer) => {
    const body = bodyOf();
    const before = await written();
    const dry = await validate(body);
    expect([dry.status, dry.body.sendable, codesOf(dry.body)]).toEqual([200, false, [code]]);
    expect(dry.body.problems[0].errors[0].pointer).toBe(pointer);
    const { request_id: _dry, ...problem } = dry.body.problems[0];
    const { request_id: _real, ...refusal } = (await send(body)).body;
    expect(problem).toEqual(refusal);
    expect(await written()).toEqual(before);
  });

  it("has everything that speaks against it", async () => {
    const to = person();
    gateway.simulator.inbound({ phone_number_id: mine.account.providerPhoneNumberId, from: to, text: "STOP" });
    await expect
      .poll(() => mine.rows("select 1 from contact where phone = $1 and marketing_consent = 'opted_out'", [to]))
      .toHaveLength(1);
    const { body } = await validate(
      template(to, {
        ...named("promo_spring"),
        reply_to: "msg_01jd0000000000000000000000",
        send_at: "2099-01-01T00:00:00Z",
      }),
    );
    expect(codesOf(body)).toEqual(["invalid_request", "recipient_opted_out", "reference_not_found"]);
    expect(body.template).toMatchObject({ status: "approved", category: "marketing" });
  });

  it("is refused for one fault after the other when it is sent, in the same order", async () => {
    const faulty = {
      to: "+1",
      send_at: "2099-01-01T00:00:00Z",
      from: "+15550009999",
      type: "reaction",
      reaction: { message_id: "msg_01jd0000000000000000000000", emoji: "no" },
      fallback: { template: { name: "no_such", language: { code: "en_US" } } },
    };
    const mends = [
      ["/to", { to: person() }],
      ["/send_at", { send_at: undefined }],
      ["/from", { from: mine.phoneNumberId }],
      ["/reaction/emoji", { reaction: { ...faulty.reaction, emoji: "👍" } }],
      ["/fallback/template", {}],
    ] as const;
    let body: object = faulty;
    for (const [pointer, mend] of mends) {
      expect((await send(body)).body.errors).toMatchObject([{ pointer }]);
      body = { ...body, ...mend };
    }
    const dry = (await validate(faulty)).body.problems;
    expect(dry.map(({ errors }: { errors: { pointer: string }[] }) => errors[0]?.pointer)).toEqual(
      mends.slice(0, 4).map(([pointer]) => pointer),
    );
  });

  it("of a template that waits or is paused has its status", async () => {
    const { body } = await validate(template(person(), named("pending_notice")));
    expect([body.template.status, codesOf(body)]).toEqual(["pending", ["template_not_approved"]]);
  });

  it("whose body does not fit is 400, as when it is sent", async () => {
    const { status, body } = await validate({ to: person(), type: "text", text: {} });
    expect([status, body.code, body.errors[0].pointer]).toEqual([400, "invalid_request", "/text/body"]);
  });
});
