import { describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../../lib/ids.ts";
import { writer } from "../testing/content-cases.ts";
import { person, startSenders } from "../testing/senders.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, mine, theirs, sentTo, attempts, kindsOf } = senders;

const react = (to: string, message_id: unknown, emoji: unknown = "👍", more: object = {}) =>
  mine.call("POST", "/v1/messages", { body: { to, type: "reaction", reaction: { message_id, emoji }, ...more } });

const received = async (from: string): Promise<string> =>
  (await mine.call("GET", `/v1/messages?from=${encodeURIComponent(from)}`)).body.data[0].id;

/** What reached the provider for our message. */
const wireOf = (to: string, id: string) => sentTo(to).find(({ opaque }) => opaque?.includes(id))?.request;

describe("a reaction", () => {
  it.each(["👍", "👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "🇧🇷", "❤️", ""])(
    "to what a person wrote reaches the provider under its id: %s",
    async (emoji) => {
      const to = await writer(senders, `wamid.IN-${emoji.length}-${emoji.codePointAt(0) ?? 0}`);
      const target = await received(to);
      const { status, body } = await react(to, target, emoji);
      expect([status, body.reaction, body.reply_to]).toEqual([202, { message_id: target, emoji }, null]);
      const accepted = await mine.becomes(body.id, "accepted");
      expect([accepted.reaction, accepted.reply_to]).toEqual([{ message_id: target, emoji }, null]);
      const { provider_message_id } = (await mine.call("GET", `/v1/messages/${target}`)).body;
      const wire = wireOf(to, body.id) as { reaction: unknown };
      expect(wire.reaction).toEqual({ message_id: provider_message_id, emoji });
      expect(wire).not.toHaveProperty("context");
    },
  );

  it("to what we sent names it by the id that the provider gave it", async () => {
    const to = await writer(senders);
    const target = await mine.becomes((await mine.send(to)).body.id, "accepted");
    const { body } = await react(to, target.id);
    await mine.becomes(body.id, "accepted");
    expect(wireOf(to, body.id)).toMatchObject({ reaction: { message_id: target.provider_message_id, emoji: "👍" } });
  });

  it("of a person shows our id of the message, in either direction, and the provider's where it has none here", async () => {
    const to = await writer(senders, "wamid.REACTED");
    const own = await received(to);
    const sent = await mine.becomes((await mine.send(to)).body.id, "accepted");
    const foreign = await theirs.becomes((await theirs.send(to)).body.id, "accepted");
    const reacted = async (message_id: string, emoji: string) => {
      const more = { type: "reaction", reaction: { message_id, emoji } };
      const { id } = gateway.simulator.inbound({
        phone_number_id: mine.account.providerPhoneNumberId,
        from: to,
        ...more,
      });
      const found = async () =>
        (await mine.call("GET", "/v1/messages?type=reaction&direction=inbound")).body.data.find(
          (one: { provider_message_id: string }) => one.provider_message_id === id,
        );
      await expect.poll(found).toBeDefined();
      return await found();
    };
    const first = await reacted(sent.provider_message_id, "👍");
    expect([first.reaction, first.reply_to]).toEqual([{ message_id: sent.id, emoji: "👍" }, null]);
    expect((await reacted("wamid.REACTED", "❤️")).reaction).toEqual({ message_id: own, emoji: "❤️" });
    for (const unknown of [foreign.provider_message_id, "wamid.GONE"])
      expect((await reacted(unknown, "👍")).reaction.message_id).toBe(unknown);
  });

  it("sent right after its message waits for it", async () => {
    const to = await writer(senders);
    const { body: target } = await mine.send(to);
    const { body } = await react(to, target.id);
    await mine.becomes(body.id, "accepted");
    const { provider_message_id } = (await mine.call("GET", `/v1/messages/${target.id}`)).body;
    expect(wireOf(to, body.id)).toMatchObject({ reaction: { message_id: provider_message_id } });
  });

  it("to a message that the provider does not have fails, and nothing is sent", async () => {
    const to = await writer(senders);
    const later = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const { body: target } = await mine.send(to, { send_at: later });
    const { status, body } = await react(to, target.id);
    expect(status).toBe(202);
    const { error } = await mine.becomes(body.id, "failed");
    expect([error.code, error.retryable, error.detail]).toEqual([
      "provider_rejected",
      false,
      "The message that it reacts to has not reached the provider: react once it is accepted.",
    ]);
    expect([sentTo(to), await attempts(to), await kindsOf(to)]).toEqual([[], [], ["failed"]]);
  });

  it("to an unknown message, or another workspace's, is 422", async () => {
    const to = await writer(senders);
    const foreign = (await theirs.send(person())).body.id;
    for (const target of [foreign, formatId("msg", newUuid(1))]) {
      const { status, body } = await react(to, target);
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, "reference_not_found", "/reaction/message_id"]);
    }
  });

  it.each([
    ["two emojis", { emoji: "👍👍" }, "/reaction/emoji", "invalid"],
    ["a word", { emoji: "ok" }, "/reaction/emoji", "invalid"],
    ["a digit", { emoji: "1" }, "/reaction/emoji", "invalid"],
    ["no emoji", { emoji: undefined }, "/reaction/emoji", "required"],
    ["too long a text", { emoji: "👍".repeat(33) }, "/reaction/emoji", "maxLength"],
    ["the provider's id", { message_id: "wamid.IN1" }, "/reaction/message_id", "pattern"],
    ["no message", { message_id: undefined }, "/reaction/message_id", "required"],
  ])("with %s is refused", async (_name, change, pointer, code) => {
    const reaction = { message_id: formatId("msg", newUuid(1)), emoji: "👍", ...change };
    const { status, body } = await mine.call("POST", "/v1/messages", {
      body: { to: person(), type: "reaction", reaction },
    });
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]]);
  });

  it("quotes nothing, and needs an open window", async () => {
    const target = (await mine.send(person())).body.id;
    const quoting = await react(person(), target, "👍", { reply_to: target });
    expect([quoting.status, quoting.body.errors[0].pointer]).toEqual([400, "/reply_to"]);
    const late = await react(person(), target);
    expect([late.status, late.body.code]).toEqual([422, "window_closed"]);
  });
});
