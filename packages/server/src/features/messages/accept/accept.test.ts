import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../lib/duration.ts";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { ORDER_READY } from "../../../testing/gateway.ts";
import { person, startSenders } from "../testing/senders.ts";

const { attempts, gateway, mine, sentTo, theirs } = await startSenders();

const post = (body: unknown, headers: Record<string, string> = {}) =>
  mine.call("POST", "/v1/messages", { body, headers });
const template = (name: string, ...texts: string[]) => ({
  name,
  language: { code: "en_US" },
  ...(texts.length > 0
    ? { components: [{ type: "body", parameters: texts.map((text) => ({ type: "text", text })) }] }
    : {}),
});
const pointers = (reply: { body: { errors?: { pointer: string }[] } }) =>
  reply.body.errors?.map((error) => error.pointer) ?? [];
const messages = async () => Number((await mine.rows<{ n: number }>("select count(*)::int as n from message"))[0]?.n);

/** The send is refused with this code at this pointer, and leaves nothing stored. */
async function expectRefused(body: unknown, status: number, code: string, pointer?: string): Promise<void> {
  const before = await messages();
  const reply = await post(body);
  expect({ body, status: reply.status, code: reply.body.code }).toEqual({ body, status, code });
  expect(pointers(reply)).toEqual(expect.arrayContaining(pointer === undefined ? [] : [pointer]));
  expect(await messages()).toBe(before);
}

describe("a template message", () => {
  it("is accepted with 202 and Location; message, contact, audit row and event are stored", async () => {
    const to = person();
    const reply = await mine.send(to, { reference: "order-17" });
    expect(reply.status).toBe(202);
    const { id } = reply.body;
    expect(reply.headers["location"]).toBe(`/v1/messages/${id}`);
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^msg_/),
      direction: "outbound",
      status: "queued",
      final: false,
      to,
      from: mine.account.phone,
      phone_number_id: mine.phoneNumberId,
      contact_id: expect.stringMatching(/^con_/),
      type: "template",
      template: ORDER_READY,
      reply_to: null,
      reference: "order-17",
      category: "utility",
      pricing: null,
      error: null,
      provider_message_id: null,
      possible_duplicate: false,
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      estimated_dispatch_at: null,
      send_at: null,
      expires_at: null,
      accepted_at: null,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
      sequence: expect.any(Number),
    });
    await mine.becomes(id, "accepted");
    // The reads of `becomes` are in the log too, up to a second after they were answered.
    const created = "select status, code, path from audit where resource_id = $1 and action = 'message.create'";
    expect(await mine.rows(created, [id])).toEqual([{ status: 202, code: null, path: "/v1/messages" }]);
    const kinds = await mine.rows<{ kind: string }>(
      "select e.kind from event e join message m on m.contact_id = e.contact_id where m.recipient = $1 order by e.sequence",
      [to],
    );
    expect(kinds.map((row) => row.kind)).toEqual(["contact_created", "accepted"]);
    const [sent] = sentTo(to);
    expect(sent).toMatchObject({
      accepted: true,
      template: "order_ready",
      phone_number_id: mine.account.providerPhoneNumberId,
    });
  });

  it("belongs to its workspace alone, and so does the contact that it created", async () => {
    const { body } = await mine.send(person());
    for (const path of [`/v1/messages/${body.id}`]) {
      const reply = await theirs.call("GET", path);
      expect([reply.status, reply.body.code]).toEqual([404, "not_found"]);
    }
    const list = await theirs.call("GET", `/v1/messages?contact_id=${body.contact_id}`);
    expect([list.status, list.body.data]).toEqual([200, []]);
    const reply = await theirs.send(body.contact_id);
    expect([reply.status, reply.body.code, pointers(reply)]).toEqual([422, "reference_not_found", ["/to"]]);
  });

  it("reaches the provider with its parameters unchanged", async () => {
    const to = person();
    const reply = await post({ to, type: "template", template: template("order_update", "Ana", "é😀 17") });
    expect(reply.status).toBe(202);
    const [sent] = await gateway.simulator.whenSent(1, (entry) => entry.to === to.slice(1) || entry.to === to);
    expect(sent?.request).toMatchObject({
      template: {
        components: [
          {
            parameters: [
              { type: "text", text: "Ana" },
              { type: "text", text: "é😀 17" },
            ],
          },
        ],
      },
    });
  });

  it.each([
    ["too few parameters", template("order_update", "Ana")],
    ["too many", template("order_update", "Ana", "17", "x")],
    ["none of two", template("order_update")],
    ["one of none", template("order_ready", "Ana")],
  ])("with %s is 422", async (_name, wrong) => {
    await expectRefused({ to: person(), type: "template", template: wrong }, 422, "template_parameters_mismatch");
  });

  it("that does not exist, in that language or at all, is 422", async () => {
    const to = person();
    await expectRefused(
      { to, type: "template", template: template("nothing") },
      422,
      "template_not_found",
      "/template",
    );
    const german = { name: "order_ready", language: { code: "de" } };
    await expectRefused({ to, type: "template", template: german }, 422, "template_not_found", "/template");
  });

  it("that does not exist is refused with what the sender's account has instead, and nothing of another's", async () => {
    const redo = {
      name: "order_redo",
      language: { code: "en_US" },
      category: "utility",
      components: [{ type: "BODY", text: "Hi." }],
    };
    expect((await theirs.call("POST", "/v1/templates", { body: redo })).status).toBe(201);
    const refusal = async (name: string, code = "en_US", by = mine): Promise<string> =>
      (await by.send(person(), { type: "template", template: { name, language: { code } } })).body.detail;
    expect(await refusal("order_ready", "de")).toBe("The sender has the template order_ready in en_US, and not in de.");
    expect(await refusal("order_redy")).toBe("The sender has no template order_redy. It has order_ready.");
    expect(await refusal("order_redy", "en_US", theirs)).toContain("order_redo");
  });

  it.each(["pending_notice", "paused_notice"])("that is not approved (%s) is 422", async (name) => {
    const code = "template_not_approved";
    await expectRefused({ to: person(), type: "template", template: template(name) }, 422, code, "/template");
  });

  it("that is refused leaves its key free: the same request succeeds once the cause is gone", async () => {
    const body = { to: person(), type: "template", template: template("pending_notice") };
    const key = { "x-idempotency-key": "until-approved" };
    expect((await post(body, key)).body.code).toBe("template_not_approved");
    gateway.simulator.decideTemplate(mine.account.templates["pending_notice"] ?? "", { status: "APPROVED" });
    const { body: list } = await mine.call("GET", "/v1/templates?name=pending_notice");
    await expect
      .poll(async () => (await mine.call("GET", `/v1/templates/${list.data[0].id}`)).body.status)
      .toBe("approved");
    const reply = await post(body, key);
    expect([reply.status, reply.headers["idempotent-replayed"]]).toEqual([202, undefined]);
  });
});

describe("to", () => {
  it("may have spaces, hyphens and brackets, and is stored as E.164", async () => {
    for (const to of ["+1 (555) 200-9001", "+1-555-200-9001", "+15552009001"]) {
      const reply = await mine.send(to);
      expect([to, reply.status, reply.body.to]).toEqual([to, 202, "+15552009001"]);
    }
    const rows = await mine.rows("select 1 from contact where phone = '+15552009001'");
    expect(rows).toHaveLength(1);
  });

  it.each([
    ["with a trunk zero, which is dropped", "+44 (0)20 7946 0123", "+442079460123"],
    ["in a form that the provider uses, which stays", "+52 1 55 1234 5678", "+5215512345678"],
  ])("may be a number %s", async (_form, to, phone) => {
    const reply = await mine.send(to);
    expect([reply.status, reply.body.to]).toEqual([202, phone]);
  });

  it("may be a contact", async () => {
    const first = await mine.send(person());
    const second = await mine.send(first.body.contact_id);
    expect(second.body).toMatchObject({ to: first.body.to, contact_id: first.body.contact_id });
  });

  it("may be the business-scoped user id of a person without a number", async () => {
    const reply = await mine.send("US.13490000000000000001");
    expect(reply.body).toMatchObject({ to: null, contact_id: expect.stringMatching(/^con_/) });
    await mine.becomes(reply.body.id, "accepted");
    const { data } = gateway.simulator.sent({ phone_number_id: mine.account.providerPhoneNumberId });
    const addressed = data.filter(({ request }) => (request as { recipient?: string }).recipient !== undefined);
    expect(addressed).toMatchObject([{ request: { recipient: "US.13490000000000000001" } }]);
  });

  it.each(["15551230001", "+1", "+15551", "+999999999999999", "hello", "+1555123000a", " ", "wamid.1"])(
    "%s is not a recipient: 422",
    async (to) => {
      await expectRefused({ to, type: "template", template: ORDER_READY }, 422, "invalid_phone_number", "/to");
    },
  );

  it("is 422 for a contact that does not exist", async () => {
    for (const to of [formatId("con", newUuid(1)), "con_x"])
      await expectRefused({ to, type: "template", template: ORDER_READY }, 422, "reference_not_found", "/to");
  });
});

describe("from", () => {
  it("is a number's id or its E.164", async () => {
    for (const from of [mine.phoneNumberId, mine.account.phone]) {
      const reply = await mine.send(person(), { from });
      expect([reply.status, reply.body.from]).toEqual([202, mine.account.phone]);
    }
  });

  it("is 422 for a number that does not exist or belongs to another workspace", async () => {
    for (const from of [theirs.phoneNumberId, theirs.account.phone, formatId("num", newUuid(1)), "num_x", "+1"])
      await expectRefused(
        { to: person(), type: "template", template: ORDER_READY, from },
        422,
        "reference_not_found",
        "/from",
      );
  });

  it("is by default the number of the latest conversation, else the default number", async () => {
    const two = await gateway.sender();
    const other = await gateway.connect(two);
    const to = person();
    expect((await two.send(to)).body.phone_number_id).toBe(two.phoneNumberId);
    gateway.clock.advance(60_000);
    const answered = await two.send(to, { from: other.phoneNumberId });
    expect(answered.status).toBe(202);
    expect((await two.send(to)).body.phone_number_id).toBe(other.phoneNumberId);
    expect((await two.send(person())).body.phone_number_id).toBe(two.phoneNumberId);
    const path = `/v1/phone-numbers/${other.phoneNumberId}`;
    expect((await two.call("PATCH", path, { body: { is_default: true } })).status).toBe(200);
    expect((await two.send(person())).body.phone_number_id).toBe(other.phoneNumberId);
  });

  it("is by default the number of the last message, also of several within a minute", async () => {
    const two = await gateway.sender();
    const other = await gateway.connect(two);
    const to = person();
    expect((await two.send(to, { from: other.phoneNumberId })).status).toBe(202);
    gateway.clock.advance(10_000);
    await two.inbound(to);
    expect((await two.send(to)).body.phone_number_id).toBe(two.phoneNumberId);
    gateway.clock.advance(10_000);
    expect((await two.send(to, { from: other.phoneNumberId })).status).toBe(202);
    gateway.clock.advance(5_000);
    expect((await two.send(to)).body.phone_number_id).toBe(other.phoneNumberId);
  });

  it("is by default the number of the chat whose message is quoted", async () => {
    const two = await gateway.sender();
    const other = await gateway.connect(two);
    const to = person();
    const quoted = (await two.inbound(to)).id;
    expect((await two.send(to, { from: other.phoneNumberId })).status).toBe(202);
    const { status, body } = await two.send(to, { reply_to: quoted });
    expect([status, body.phone_number_id]).toEqual([202, two.phoneNumberId]);
  });

  it("is 422 sender_unavailable while no number is connected", async () => {
    const bare = await gateway.workspace();
    const body = { to: person(), type: "template", template: ORDER_READY };
    const reply = await bare.call("POST", "/v1/messages", { body });
    expect([reply.status, reply.body.code]).toEqual([422, "sender_unavailable"]);
    expect(reply.body.detail).toContain("`POST /v1/business-accounts`");
  });

  it("cannot be a number of a disconnected account", async () => {
    const gone = await gateway.sender();
    expect((await gone.send(person())).status).toBe(202);
    const { body } = await gone.call("GET", "/v1/business-accounts");
    expect((await gone.call("DELETE", `/v1/business-accounts/${body.data[0].id}`)).status).toBe(204);
    const reply = await gone.send(person());
    expect([reply.status, reply.body.code]).toEqual([422, "sender_unavailable"]);
    expect(reply.body.detail).toContain("`POST /v1/business-accounts`");
  });
});

describe("a number that the provider", async () => {
  const two = await gateway.sender();
  /** The simulator's numbers are all connected. */
  const becomes = async (status: string): Promise<void> => {
    await gateway.app.db.transaction(two.uuid, (sql) => sql.run("update phone_number set status = $1", [status]));
    gateway.clock.advance(5_000);
  };

  it.each(["flagged", "restricted", "rate_limited", "unknown", "new_word"])("calls %s sends", async (status) => {
    await becomes(status);
    const reply = await two.send(person());
    expect(reply.status).toBe(202);
    await two.becomes(reply.body.id, "accepted");
  });

  it.each(["pending", "disconnected", "banned", "deleted"])("calls %s cannot send", async (status) => {
    await becomes(status);
    const reply = await two.send(person());
    expect([reply.status, reply.body.code]).toEqual([422, "sender_unavailable"]);
  });
});

describe("the other fields", () => {
  it("reply_to quotes a message of the workspace by its provider id", async () => {
    const to = person();
    const inbound = await mine.inbound(to);
    const reply = await post({ to, type: "text", text: { body: "Here." }, reply_to: inbound.id });
    expect([reply.status, reply.body.reply_to]).toEqual([202, inbound.id]);
    await mine.becomes(reply.body.id, "accepted");
    const { body } = await mine.call("GET", `/v1/messages/${inbound.id}`);
    expect(gateway.simulator.sent({ to, type: "text" }).data[0]?.request).toMatchObject({
      context: { message_id: body.provider_message_id },
    });
  });

  it("reply_to of an unknown message, or another workspace's, is 422", async () => {
    const foreign = await theirs.send(person());
    for (const reply_to of [foreign.body.id, formatId("msg", newUuid(1))])
      await expectRefused(
        { to: person(), type: "template", template: ORDER_READY, reply_to },
        422,
        "reference_not_found",
        "/reply_to",
      );
  });

  it("reply_to and a reaction of a message with another person, or of another number, are 422", async () => {
    const two = await gateway.sender();
    const other = await gateway.connect(two);
    const [to, stranger] = [person(), person()];
    await two.inbound(to);
    await other.inbound(to);
    const elsewhere = [
      (await two.inbound(person())).id,
      (await two.send(person())).body.id,
      (await other.send(to, { from: other.phoneNumberId })).body.id,
    ];
    const post = (body: object, path = "") => two.call("POST", `/v1/messages${path}`, { body });
    for (const id of elsewhere)
      for (const [body, pointer] of [
        [{ to, type: "text", text: { body: "Here." }, reply_to: id }, "/reply_to"],
        [{ to, type: "reaction", reaction: { message_id: id, emoji: "👍" } }, "/reaction/message_id"],
        [{ to: stranger, type: "template", template: ORDER_READY, reply_to: id }, "/reply_to"],
      ] as const) {
        const refused = await post({ ...body, from: two.phoneNumberId });
        expect([refused.status, refused.body.code]).toEqual([422, "reference_not_found"]);
        expect(refused.body.errors[0].pointer).toBe(pointer);
        const dry = await post({ ...body, from: two.phoneNumberId }, "/validate");
        expect(dry.body.problems).toMatchObject([{ code: "reference_not_found", errors: [{ pointer }] }]);
      }
    expect(await two.rows("select 1 from contact where phone = $1", [stranger])).toEqual([]);
  });

  it("reply_to quotes a message of a person by whatever record and form of their number", async () => {
    const [wrote, alone] = ["+5491145678901", "+541145678901"];
    const inbound = await mine.inbound(wrote);
    const reply = (to: string) => post({ to, type: "text", text: { body: "Here." }, reply_to: inbound.id });
    // Another contact, until the provider says that both are one person.
    const first = await reply(alone);
    expect([first.status, first.body.contact_id === inbound.contact_id]).toEqual([202, false]);
    await mine.becomes(first.body.id, "accepted");
    await expect.poll(() => mine.rows("select 1 from contact where merged_into is not null")).toHaveLength(1);
    for (const to of [wrote, alone, inbound.contact_id, first.body.contact_id])
      expect((await reply(to)).status).toBe(202);
  });

  it.each<[string, object, string]>([
    ["an unknown field", { color: "red" }, "/color"],
    // What the provider takes beside the content, and Waypost sets itself or does not offer.
    ...["messaging_product", "recipient_type", "recipient", "context", "biz_opaque_callback_data", "category"].map(
      (field): [string, object, string] => [`the provider's ${field}`, { [field]: "utility" }, `/${field}`],
    ),
    ...["direct_send_config", "bid_spec", "messaging_account_id", "message_activity_sharing"].map(
      (field): [string, object, string] => [`the provider's ${field}`, { [field]: {} }, `/${field}`],
    ),
    ["an unknown field inside", { template: { ...ORDER_READY, colour: 1 } }, "/template/colour"],
    ["the workspace's id", { workspace_id: "ws_1" }, "/workspace_id"],
    ["a content of another type", { text: { body: "x" } }, "/text"],
    ["no type", { type: undefined }, "/type"],
    ["an unknown type", { type: "fax" }, "/type"],
    ["a type without its content", { type: "text", template: undefined }, "/text"],
    ["no recipient", { to: undefined }, "/to"],
    ["a number as recipient", { to: 15_551_230_001 }, "/to"],
    ["a reference too long", { reference: "x".repeat(257) }, "/reference"],
    [
      "a text as boolean",
      { type: "text", template: undefined, text: { body: "x", preview_url: "true" } },
      "/text/preview_url",
    ],
    ["an empty text", { type: "text", template: undefined, text: { body: "" } }, "/text/body"],
    ["a text too long", { type: "text", template: undefined, text: { body: "x".repeat(4_097) } }, "/text/body"],
    ["a time without offset", { expires_at: "2030-01-01T00:00:00" }, "/expires_at"],
    ["a time long gone", { expires_at: "2001-01-01T00:00:00Z" }, "/expires_at"],
    ["an id of another kind", { reply_to: "con_01jd0000000000000000000000" }, "/reply_to"],
    ["on_unknown of its own", { on_unknown: "resend_forever" }, "/on_unknown"],
  ])("%s is 400 with its pointer", async (_name, more, pointer) => {
    const body = { to: person(), type: "template", template: ORDER_READY, ...more };
    await expectRefused(body, 400, "invalid_request", pointer);
  });
});

describe("times", () => {
  const iso = (inMs: number) => new Date(gateway.clock.now() + inMs).toISOString();

  it("send_at schedules: the message is sent then and not before", async () => {
    const to = person();
    const send_at = iso(3_600_000);
    const reply = await mine.send(to, { send_at });
    expect(reply.body).toMatchObject({ status: "scheduled", final: false, send_at });
    const after = await mine.send(person());
    await mine.becomes(after.body.id, "accepted");
    expect(sentTo(to)).toEqual([]);
    expect((await mine.call("GET", "/v1/messages?status=scheduled")).body.data).toMatchObject([{ id: reply.body.id }]);
    gateway.clock.advance(3_600_001);
    await mine.becomes(reply.body.id, "accepted");
    expect(sentTo(to)).toHaveLength(1);
  });

  it("send_at lies at most 30 days ahead, and before expires_at", async () => {
    const base = { to: person(), type: "template", template: ORDER_READY };
    await expectRefused({ ...base, send_at: iso(31 * DAY_MS) }, 400, "invalid_request", "/send_at");
    const crossed = { send_at: iso(20_000), expires_at: iso(10_000) };
    await expectRefused({ ...base, ...crossed }, 400, "invalid_request", "/expires_at");
  });

  it("a message that is not dispatched by expires_at expires, and is not sent", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
    const reply = await mine.send(to, { expires_at: iso(30_000) });
    await expect.poll(() => attempts(to)).toHaveLength(1);
    gateway.clock.advance(40_000);
    const body = await mine.becomes(reply.body.id, "expired");
    expect(body).toMatchObject({ final: true, error: { code: "expired" } });
    expect(sentTo(to)).toHaveLength(1);
  });
});
