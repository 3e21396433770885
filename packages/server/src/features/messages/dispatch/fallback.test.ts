import { describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { ORDER_READY } from "../../../testing/gateway.ts";
import { takeTemplates } from "../testing/golden-templates.ts";
import { keyed, person, startSenders } from "../testing/senders.ts";

const senders = await startSenders();
const { attempts, gateway, kindsOf, mine, sentTo, theirs } = senders;

const SECOND_MS = 1_000;
const PROMO = { name: "promo_spring", language: { code: "en_US" } };

const text = (to: string, more: object = {}, headers: Record<string, string> = {}, of = mine) =>
  of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "On our way." }, ...more }, headers });
const withFallback = (to: string, template: object = ORDER_READY, more: object = {}) =>
  text(to, { fallback: { template }, ...more });

/** The types that reached the provider, refused ones too. */
const typesSent = (to: string): string[] => sentTo(to).map(({ request }) => (request as { type: string }).type);

/** A text, refused once for the rate of its pair, and not due again before the clock moves. */
async function throttled(to: string, template: object): Promise<string> {
  gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
  const reply = await withFallback(to, template);
  await expect.poll(() => attempts(to)).toHaveLength(1);
  return reply.body.id;
}

describe("a text with a fallback", () => {
  it("is sent as it is while the window is open", async () => {
    const to = person();
    await mine.inbound(to);
    const reply = await withFallback(to);
    expect([reply.status, reply.body.fallback, reply.body.fallback_used]).toEqual([
      202,
      { template: ORDER_READY },
      false,
    ]);
    expect(await mine.becomes(reply.body.id, "accepted")).toMatchObject({ fallback_used: false, category: null });
    expect(typesSent(to)).toEqual(["text"]);
  });

  it("is accepted for a stranger, and its template is sent", async () => {
    const to = person();
    const reply = await withFallback(to);
    expect([reply.status, reply.body.type, reply.body.fallback_used, reply.body.category]).toEqual([
      202,
      "text",
      false,
      null,
    ]);
    expect(await mine.becomes(reply.body.id, "accepted")).toMatchObject({
      type: "text",
      text: { body: "On our way." },
      fallback: { template: ORDER_READY },
      fallback_used: true,
      category: "utility",
    });
    expect(typesSent(to)).toEqual(["template"]);
    const [event] = await mine.rows<{ state: object }>(
      "select e.state from event e join message m on m.id = e.message_id where m.recipient = $1 and e.kind = 'accepted'",
      [to],
    );
    expect(event?.state).toMatchObject({ fallback_used: true });
  });

  it("that was sent as its template gives the first answer again, byte for byte", async () => {
    const to = person();
    const first = await text(to, { fallback: { template: ORDER_READY } }, keyed("fallback"));
    await mine.becomes(first.body.id, "accepted");
    const again = await text(to, { fallback: { template: ORDER_READY } }, keyed("fallback"));
    expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([202, "true", first.text]);
    expect(typesSent(to)).toEqual(["template"]);
    const other = await text(to, { fallback: { template: PROMO } }, keyed("fallback"));
    expect(other.body.code).toBe("idempotency_key_reused");
  });

  it("scheduled past the end of its window is sent as its template", async () => {
    const to = person();
    await mine.inbound(to);
    const send_at = new Date(gateway.clock.now() + 25 * HOUR_MS).toISOString();
    const reply = await withFallback(to, ORDER_READY, { send_at });
    expect(reply.body.status).toBe("scheduled");
    gateway.clock.advance(25 * HOUR_MS + 1);
    expect(await mine.becomes(reply.body.id, "accepted")).toMatchObject({ fallback_used: true });
    expect(typesSent(to)).toEqual(["template"]);
  });

  it("shows and sends what its last attempt was: first the template, then, once the person has written, the text", async () => {
    const to = person();
    const id = await throttled(to, ORDER_READY);
    expect((await mine.call("GET", `/v1/messages/${id}`)).body.fallback_used).toBe(true);
    await mine.inbound(to);
    gateway.clock.advance(5 * SECOND_MS);
    expect(await mine.becomes(id, "accepted")).toMatchObject({ fallback_used: false, category: null });
    expect(typesSent(to)).toEqual(["template", "text"]);
  });

  it("is sent as its template when the provider says that the window is closed", async () => {
    const to = person();
    await mine.inbound(to);
    gateway.simulator.addFault({ kind: "refuse", code: 131047, recipient: to });
    const reply = await withFallback(to);
    expect(await mine.becomes(reply.body.id, "accepted")).toMatchObject({ fallback_used: true, error: null });
    expect(typesSent(to)).toEqual(["text", "template"]);
    expect(await kindsOf(to)).toEqual(["accepted"]);
  });

  it("quotes as it would, and one that reacts has no target then", async () => {
    const to = person();
    const inbound = await mine.inbound(to);
    gateway.clock.advance(24 * HOUR_MS);
    const replies = [
      await withFallback(to, ORDER_READY, { reply_to: inbound.id }),
      await mine.call("POST", "/v1/messages", {
        body: {
          to,
          type: "reaction",
          reaction: { message_id: inbound.id, emoji: "👍" },
          fallback: { template: ORDER_READY },
        },
      }),
    ];
    for (const { body } of replies) await mine.becomes(body.id, "accepted");
    expect(sentTo(to).map(({ request }) => "context" in (request as object))).toEqual([true, false]);
  });
});

describe("the end of the window", () => {
  it("is half a minute early for an attempt, and a message accepted before it is sent until then", async () => {
    const to = person();
    await mine.inbound(to);
    gateway.clock.advance(24 * HOUR_MS - 70 * SECOND_MS);
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: to });
    const reply = await text(to);
    await expect.poll(() => attempts(to)).toHaveLength(1);
    gateway.clock.advance(35 * SECOND_MS);
    await mine.becomes(reply.body.id, "accepted");
    expect(typesSent(to)).toEqual(["text", "text"]);
  });

  it("makes an attempt fail, or send the fallback", async () => {
    const [late, replaced] = [person(), person()];
    for (const to of [late, replaced]) await mine.inbound(to);
    gateway.clock.advance(24 * HOUR_MS - 70 * SECOND_MS);
    gateway.simulator.addFault({ kind: "refuse", code: 131056, recipient: late });
    const failing = await text(late);
    await expect.poll(() => attempts(late)).toHaveLength(1);
    const replacing = await throttled(replaced, ORDER_READY);
    gateway.clock.advance(45 * SECOND_MS);
    expect(await mine.becomes(failing.body.id, "failed")).toMatchObject({ error: { code: "window_closed" } });
    expect(await mine.becomes(replacing, "accepted")).toMatchObject({ fallback_used: true });
    expect([typesSent(late), typesSent(replaced)]).toEqual([["text"], ["text", "template"]]);
  });
});

describe("the template of a fallback", () => {
  it.each([
    [{ name: "no_such", language: { code: "en_US" } }, "template_not_found", "/fallback/template"],
    [{ name: "paused_notice", language: { code: "en_US" } }, "template_not_approved", "/fallback/template"],
    [
      { name: "order_update", language: { code: "en_US" } },
      "template_parameters_mismatch",
      "/fallback/template/components",
    ],
    [
      { ...ORDER_READY, components: [{ type: "header", parameters: [{ type: "image", image: { id: "med_x" } }] }] },
      "media_not_found",
      "/fallback/template/components/0/parameters/0/image/id",
    ],
    [{ name: "order_ready" }, "invalid_request", "/fallback/template/language"],
  ])("is checked as one that is sent: %o is %s", async (template, code, pointer) => {
    const to = person();
    await mine.inbound(to);
    const reply = await withFallback(to, template);
    expect([reply.body.code, reply.body.errors[0].pointer]).toEqual([code, pointer]);
    expect(await mine.rows("select 1 from message where recipient = $1 and outbound", [to])).toEqual([]);
  });

  it("is taken in any case of its kinds", async () => {
    const to = person();
    const components = [
      {
        type: "BODY",
        parameters: [
          { type: "TEXT", text: "Ana" },
          { type: "text", text: "A17" },
        ],
      },
    ];
    const reply = await withFallback(to, { name: "order_update", language: { code: "en_US" }, components });
    await mine.becomes(reply.body.id, "accepted");
    expect(typesSent(to)).toEqual(["template"]);
  });

  it("is one of the sender's own", async () => {
    const to = person();
    const [name, components] = ["own_notice", [{ type: "BODY", text: "Mine." }]];
    await takeTemplates(senders, [{ name, language: "en_US", category: "UTILITY", components }]);
    const fallback = { template: { name, language: { code: "en_US" } } };
    expect((await text(to, { fallback })).status).toBe(202);
    expect((await text(to, { fallback }, {}, theirs)).body.code).toBe("template_not_found");
  });

  it("belongs to free-form messages only", async () => {
    const reply = await mine.send(person(), { fallback: { template: ORDER_READY } });
    expect(reply.body).toMatchObject({ code: "invalid_request", errors: [{ pointer: "/fallback" }] });
  });

  it("that was paused since fails the message by its own code", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 132015, recipient: to });
    const reply = await withFallback(to);
    expect(await mine.becomes(reply.body.id, "failed")).toMatchObject({
      fallback_used: true,
      error: { code: "template_paused", provider: { code: 132015 } },
    });
  });
});

describe("marketing as a fallback", () => {
  const stop = (to: string) =>
    gateway.simulator.inbound({
      phone_number_id: mine.account.providerPhoneNumberId,
      from: to,
      text: "STOP",
    });
  const optsOut = async (to: string) => {
    stop(to);
    await expect
      .poll(() => mine.rows("select 1 from contact where phone = $1 and marketing_consent = 'opted_out'", [to]))
      .toHaveLength(1);
  };

  it("is refused for a person who opted out, even while the window is open", async () => {
    const to = person();
    await optsOut(to);
    const reply = await withFallback(to, PROMO);
    expect([reply.status, reply.body.code]).toEqual([422, "recipient_opted_out"]);
    expect((await withFallback(to)).status).toBe(202);
  });

  it("is not sent to a person who opted out since, but the message itself is", async () => {
    const [open, closed] = [person(), person()];
    await mine.inbound(closed);
    const later = await withFallback(closed, PROMO, {
      send_at: new Date(gateway.clock.now() + 25 * HOUR_MS).toISOString(),
    });
    const soon = await throttled(open, PROMO);
    await optsOut(closed);
    await optsOut(open);
    gateway.clock.advance(5 * SECOND_MS);
    await mine.becomes(soon, "accepted");
    expect(typesSent(open)).toEqual(["template", "text"]);
    gateway.clock.advance(25 * HOUR_MS);
    expect(await mine.becomes(later.body.id, "failed")).toMatchObject({ error: { code: "recipient_opted_out" } });
    expect(typesSent(closed)).toEqual([]);
  });
});
