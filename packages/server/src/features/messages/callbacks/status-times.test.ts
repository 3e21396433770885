import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { type Receiver, startReceiver } from "../../webhooks/testing/receiver.ts";
import { person, startSenders } from "../testing/senders.ts";

const { gateway, mine, sentTo } = await startSenders();

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  const body = { url: receiver.url, events: ["accepted", "sent", "delivered", "read", "played", "failed"] };
  expect((await mine.call("POST", "/v1/webhook-endpoints", { body })).status).toBe(201);
});
afterAll(() => receiver.close());

/** The provider reports a status with a time of its own. */
const tell = (id: string, status: string, atMs: number, more: object = {}) =>
  postCallback(gateway, callbackOf(mine.account, statusOf(id, status, atMs, more)));

async function accepted() {
  const to = person();
  const { body } = await mine.send(to);
  const message = await mine.becomes(body.id, "accepted");
  return { message, wamid: sentTo(to)[0]?.id ?? "" };
}

/** The events of this message that the subscriber received, by kind. */
async function eventsOf(id: string, kinds: readonly string[]) {
  const received = () => receiver.received.filter(({ body }) => body.data.message.id === id).map(({ body }) => body);
  await expect
    .poll(() =>
      received()
        .map(({ kind }) => kind)
        .toSorted(),
    )
    .toEqual(kinds.toSorted());
  return new Map(received().map((body) => [body.kind, body.data]));
}

const isoSecond = (ms: number): string => new Date(Math.floor(ms / 1_000) * 1_000).toISOString();

describe("times of statuses", () => {
  it("are never earlier than those before them, and history keeps the provider's own times", async () => {
    const { message, wamid } = await accepted();
    const { id, created_at, accepted_at } = message;
    const early = Date.parse(created_at) - 5_000;
    for (const status of ["sent", "delivered", "read"]) {
      await tell(wamid, status, early);
      await mine.becomes(id, status);
    }
    const { body } = await mine.call("GET", `/v1/messages/${id}`);
    expect(body).toMatchObject({ sent_at: accepted_at, delivered_at: accepted_at, read_at: accepted_at });
    const [listed] = (await mine.call("GET", `/v1/messages?to=${encodeURIComponent(body.to)}`)).body.data;
    expect(listed).toMatchObject({ sent_at: accepted_at, delivered_at: accepted_at, read_at: accepted_at });
    const said = body.history.filter(({ status }: { status: string }) => status !== "accepted");
    expect(said.map(({ at }: { at: string }) => at)).toEqual([early, early, early].map(isoSecond));

    const events = await eventsOf(id, ["accepted", "sent", "delivered", "read"]);
    for (const kind of ["sent", "delivered", "read"])
      expect(events.get(kind)).toMatchObject({ occurred_at: accepted_at, message: { [`${kind}_at`]: accepted_at } });
  });

  it("of a report that the provider dates before the previous one equal that one's", async () => {
    const { message, wamid } = await accepted();
    const later = Date.parse(message.accepted_at) + 60_000;
    await tell(wamid, "delivered", later);
    await tell(wamid, "played", later - 30_000);
    await mine.becomes(message.id, "read");
    const { body } = await mine.call("GET", `/v1/messages/${message.id}`);
    // `sent` was not reported, so it has no time.
    expect(body).toMatchObject({ sent_at: null, delivered_at: isoSecond(later), read_at: isoSecond(later) });
    const events = await eventsOf(message.id, ["accepted", "delivered", "played"]);
    expect(events.get("played")).toMatchObject({ occurred_at: isoSecond(later) });
  });

  it("of a failure are not before the last report; times in order are returned as they are", async () => {
    const { message, wamid } = await accepted();
    const sent = Date.parse(message.accepted_at) + 10_000;
    await tell(wamid, "sent", sent);
    await tell(wamid, "failed", sent - 60_000, { errors: [{ code: 131026, title: "Message undeliverable" }] });
    await mine.becomes(message.id, "failed");
    const { body } = await mine.call("GET", `/v1/messages/${message.id}`);
    expect(body).toMatchObject({ sent_at: isoSecond(sent), failed_at: isoSecond(sent) });
    const events = await eventsOf(message.id, ["accepted", "sent", "failed"]);
    expect(events.get("failed")).toMatchObject({ occurred_at: isoSecond(sent) });
  });
});

describe("a failure", () => {
  it("is in its event what it is in its message, also what the provider left out", async () => {
    const { message, wamid } = await accepted();
    const errors = [{ code: 131026, title: 'Undeliverable "here"' }];
    await tell(wamid, "failed", gateway.clock.now(), { errors });
    const { error } = await mine.becomes(message.id, "failed");
    expect(error.provider).toEqual({
      code: 131026,
      subcode: null,
      title: errors[0]?.title,
      details: null,
      trace_id: null,
    });
    const events = await eventsOf(message.id, ["accepted", "failed"]);
    expect(events.get("failed").message.error).toEqual(error);
  });
});
