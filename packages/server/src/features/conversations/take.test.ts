import { beforeEach, describe, expect, it } from "vitest";
import { startSenders } from "../messages/testing/senders.ts";
import { threadsOf } from "./testing/threads.ts";

// Sending to a person whom another responder answers, and changing who does.
const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });
const { post, message, passed, taken, owner, conversation, changesOf, status } = threadsOf(gateway, mine);
const { simulator } = gateway;

let people = 0;
const someone = () => `1555745${String((people += 1)).padStart(4, "0")}`;
const text = (to: string, more: object = {}) => ({ to: `+${to}`, type: "text", text: { body: "Hi" }, ...more });
const send = (to: string, more?: object, headers?: Record<string, string>) =>
  mine.call("POST", "/v1/messages", { body: text(to, more), ...(headers ? { headers } : {}) });

/** A person whose conversation another responder owns, here and at the provider. */
async function theirsNow(): Promise<string> {
  const ana = someone();
  await mine.inbound(`+${ana}`);
  simulator.thread({ phone_number_id: mine.account.providerPhoneNumberId, person: `+${ana}`, action: "take" });
  simulator.inbound({ phone_number_id: mine.account.providerPhoneNumberId, from: `+${ana}`, text: "Anybody?" });
  await owner(ana, "other");
  return ana;
}
beforeEach(() => void simulator.setSettings({ standbySends: "take", mayTakeThreads: true }));

describe("a free-form message to a conversation of another responder", () => {
  it("is refused alone, in a batch and when it is validated; a template goes", async () => {
    const ana = await theirsNow();
    expect((await send(ana)).body).toMatchObject({ status: 422, code: "thread_not_owned", retryable: false });
    const batch = await mine.call("POST", "/v1/messages/batch", {
      body: { messages: [text(ana), text(ana, { take: true })] },
    });
    expect(batch.body.data).toMatchObject([{ error: { code: "thread_not_owned" } }, { message: { status: "queued" } }]);
    const ben = await theirsNow();
    const validated = await mine.call("POST", "/v1/messages/validate", { body: text(ben) });
    expect(validated.body).toMatchObject({ sendable: false, problems: [{ code: "thread_not_owned" }] });
    expect((await mine.call("POST", "/v1/messages/validate", { body: text(ben, { take: true }) })).body.sendable).toBe(
      true,
    );
    const template = (await mine.send(`+${ben}`)).body;
    await mine.becomes(template.id, "accepted");
    expect((await conversation(ben)).owner.role).toBe("other");
    expect(await theirs.rows("select 1 from message")).toEqual([]);
  });

  it("takes it over with `take`, once the provider has accepted it", async () => {
    const ana = await theirsNow();
    const key = { "x-idempotency-key": `take-${ana}` };
    const first = await send(ana, { take: true }, key);
    expect(first.status).toBe(202);
    expect(first.body).not.toHaveProperty("take");
    await mine.becomes(first.body.id, "accepted");
    await owner(ana, "self");
    expect((await changesOf(ana)).at(-1)).toBe("thread_taken other→self");
    expect((await send(ana, { take: true }, key)).body).toEqual(first.body);
    expect((await send(ana, {}, key)).body.code).toBe("idempotency_key_reused");
    expect((await send(ana)).status).toBe(202);
    expect((await send(ana, { take: "yes" })).status).toBe(400);
    // The provider's report of our own taking is no news.
    await post(taken(ana, { said: { previous_owner_role: "ai_agent" } }));
    expect((await conversation(ana)).owner.role).toBe("self");
    // In other words than the taking before, which may have been in the same second.
    await post(taken(ana, { said: { metadata: "steps in again" } }));
    await owner(ana, "other");
  });

  it("fails where the owner changed while it waited; scheduled ones are asked then", async () => {
    const ana = someone();
    await mine.inbound(`+${ana}`);
    const scheduled = (await send(ana, { send_at: new Date(gateway.clock.now() + 60_000).toISOString() })).body;
    await post(message("standby", ana, `wamid.t.${ana}`));
    const later = (await send(ana, { send_at: new Date(gateway.clock.now() + 60_000).toISOString() })).body;
    const takes = (await send(ana, { send_at: new Date(gateway.clock.now() + 90_000).toISOString(), take: true })).body;
    gateway.clock.advance(61_000);
    for (const { id } of [scheduled, later])
      expect((await mine.becomes(id, "failed")).error).toMatchObject({ code: "thread_not_owned", retryable: false });
    gateway.clock.advance(31_000);
    await mine.becomes(takes.id, "accepted");
    await owner(ana, "self");
  });

  it("is known to be another's where the provider refuses it, at once or later", async () => {
    simulator.setSettings({ standbySends: "refused" });
    const [ana, ben] = [someone(), someone()];
    await mine.inbound(`+${ana}`);
    simulator.thread({
      phone_number_id: mine.account.providerPhoneNumberId,
      person: `+${ana}`,
      action: "take",
      report: false,
    });
    const refused = (await send(ana)).body;
    expect((await mine.becomes(refused.id, "failed")).error).toMatchObject({ code: "thread_not_owned" });
    await owner(ana, "other");
    await mine.inbound(`+${ben}`);
    const sent = (await send(ben)).body;
    const { provider_message_id } = await mine.becomes(sent.id, "accepted");
    await post(status("messages", provider_message_id, "failed", { errors: [{ code: 131_070, title: "Not yours" }] }));
    await mine.becomes(sent.id, "failed");
    await owner(ben, "other");
    expect(await changesOf(ben)).toEqual(["thread_released none→other"]);
  });
});

describe("POST /v1/conversations/{contact_id}/control", () => {
  const control = async (of: string, body: object, headers: Record<string, string> = {}) => {
    const { contact_id } = await conversation(of);
    const asked = { phone_number_id: mine.phoneNumberId, ...body };
    return await mine.call("POST", `/v1/conversations/${contact_id}/control`, { body: asked, headers });
  };

  it("takes, passes and releases at the provider, each with its event and audit row, once a key", async () => {
    const ana = await theirsNow();
    const key = { "x-idempotency-key": `control-${ana}` };
    const took = await control(ana, { action: "take" }, key);
    expect([took.status, took.body.owner]).toEqual([200, { role: "self", since: expect.any(String) }]);
    expect(took.body).toEqual(await conversation(ana));
    expect((await control(ana, { action: "take" }, key)).body).toEqual(took.body);
    expect((await control(ana, { action: "take" })).body.owner).toEqual(took.body.owner);
    expect((await control(ana, { action: "pass", target_role: "ai_agent" })).body.owner.role).toBe("other");
    expect((await control(ana, { action: "take" })).status).toBe(200);
    expect((await control(ana, { action: "release" })).body.owner).toMatchObject({ role: "none" });
    expect((await changesOf(ana)).slice(-4)).toEqual([
      "thread_taken other→self",
      "thread_released self→other",
      "thread_taken other→self",
      "thread_released self→none",
    ]);
    const audit = await mine.rows("select 1 from audit where action = 'conversation.control' and status = 200");
    expect(audit.length).toBeGreaterThanOrEqual(4);
    // The person's next message goes to whom the provider chooses.
    await mine.inbound(`+${ana}`);
    await owner(ana, "self");
  });

  it("changes nothing where the provider refuses or is away", async () => {
    simulator.setSettings({ mayTakeThreads: false });
    const ana = await theirsNow();
    const before = await changesOf(ana);
    const refused = await control(ana, { action: "take" });
    expect(refused.body).toMatchObject({ status: 422, code: "provider_rejected", provider: { code: 2_494_191 } });
    expect(refused.body.detail).toMatch(/escalation partner/);
    expect((await control(ana, { action: "release" })).body).toMatchObject({
      code: "provider_rejected",
      provider: { code: 131_070 },
    });
    simulator.setSettings({ mayTakeThreads: true });
    for (const kind of ["reset", "html"] as const) {
      simulator.addFault({ kind, operation: "post_thread_control" });
      const away = await control(ana, { action: "take" });
      expect(away.body).toMatchObject({ status: 502, code: "provider_unavailable", retryable: true });
    }
    expect([(await conversation(ana)).owner.role, await changesOf(ana)]).toEqual(["other", before]);
    expect((await control(ana, { action: "take" })).body.owner.role).toBe("self");
  });

  it.each([
    { kind: "html", httpStatus: 502 },
    { kind: "html", httpStatus: 503 },
    { kind: "reset" },
    { kind: "refuse", code: 1, httpStatus: 500 },
    { kind: "refuse", code: 2, httpStatus: 503 },
    { kind: "reset", accept: true },
  ] as const)(
    "is 502 and changes nothing while the provider is away (%j), and is done by a repetition",
    async (fault) => {
      const ana = await theirsNow();
      const before = await changesOf(ana);
      const key = { "x-idempotency-key": `away-${ana}` };
      simulator.addFault({ ...fault, operation: "post_thread_control" });
      const away = await control(ana, { action: "take" }, key);
      expect(away.body).toMatchObject({ status: 502, code: "provider_unavailable", retryable: true });
      expect([(await conversation(ana)).owner.role, await changesOf(ana)]).toEqual(["other", before]);
      const again = await control(ana, { action: "take" }, key);
      expect([again.status, again.body.owner?.role]).toEqual([200, "self"]);
      expect(await changesOf(ana)).toEqual([...before, "thread_taken other→self"]);
    },
  );

  it("is 502 where the provider does not answer in time, and 429 at its quota", async () => {
    const ana = await theirsNow();
    simulator.addFault({ kind: "hang", operation: "post_thread_control" });
    const calls = () =>
      Object.values(simulator.stats().management_calls).reduce((sum, of) => sum + (of["post_thread_control"] ?? 0), 0);
    const before = calls();
    const answer = control(ana, { action: "take" });
    await expect.poll(calls).toBe(before + 1);
    gateway.clock.advance(8_000);
    expect((await answer).body).toMatchObject({ status: 502, code: "provider_unavailable" });
    simulator.addFault({ kind: "refuse", code: 80_007, operation: "post_thread_control" });
    const full = await control(ana, { action: "take" });
    expect(full.body).toMatchObject({ status: 429, code: "rate_limited" });
    expect(Number(full.headers["retry-after"])).toBeGreaterThan(0);
    expect((await conversation(ana)).owner.role).toBe("other");
  });

  it("is 404 once the person is erased, whom a repeated handover does not bring back", async () => {
    const ana = await theirsNow();
    const handover = taken(ana, { ago: 5, said: { metadata: "before" } });
    await post(handover);
    const { contact_id } = await conversation(ana);
    gateway.clock.advance(1_000);
    expect((await mine.call("DELETE", `/v1/contacts/${contact_id}`)).status).toBe(204);
    const take = { phone_number_id: mine.phoneNumberId, action: "take" };
    expect((await mine.call("POST", `/v1/conversations/${contact_id}/control`, { body: take })).status).toBe(404);
    const kept = async () => await mine.rows("select 1 from identifier where value = $1", [ana]);
    await post(handover);
    expect(await kept()).toEqual([]);
    // What is said of the time since is of whoever has the number now.
    gateway.clock.advance(2_000);
    await post(passed(ana));
    await expect.poll(kept).toHaveLength(1);
    await post(handover);
    const [row] = await mine.rows(
      "select owner_role from conversation v join contact c on c.id = v.contact_id where c.phone = $1",
      [`+${ana}`],
    );
    expect(row).toEqual({ owner_role: "self" });
  });

  it("is of the caller's conversations alone", async () => {
    const ana = await theirsNow();
    const { contact_id } = await conversation(ana);
    const path = `/v1/conversations/${contact_id}/control`;
    const take = { phone_number_id: mine.phoneNumberId, action: "take" };
    expect((await theirs.call("POST", path, { body: take })).status).toBe(404);
    expect((await control(ana, { action: "take", phone_number_id: theirs.phoneNumberId })).body).toMatchObject({
      code: "reference_not_found",
      errors: [{ pointer: "/phone_number_id" }],
    });
    expect((await control(ana, { action: "keep" })).status).toBe(400);
    expect((await control(ana, { action: "take", target_role: "ai_agent" })).body).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/target_role" }],
    });
    const stranger = (await mine.call("POST", "/v1/contacts", { body: { phone: `+${someone()}` } })).body;
    expect((await mine.call("POST", `/v1/conversations/${stranger.id}/control`, { body: take })).status).toBe(404);
  });
});
