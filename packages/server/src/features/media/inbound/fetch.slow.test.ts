import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { JPEG, PDF } from "../testing/files.ts";
import { filesOf } from "../testing/uploading.ts";

type Json = ReturnType<typeof JSON.parse>;

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" }, { providerTimeoutMs: 1_000 });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 20_000, interval: 20 };
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
let people = 0;
const person = (): string => `+1555300${String((people += 1)).padStart(4, "0")}`;

/** A person sends a file; resolves with the message once it is here. */
async function sent(
  bytes: Uint8Array,
  { type = "document", mime = "application/pdf", of = mine, from = person(), more = {} } = {},
): Promise<{ message: Json; media: string; provider: string }> {
  const { simulator } = gateway;
  const { providerPhoneNumberId: phone_number_id } = of.account;
  const { id: provider } = await simulator.addFile({ phone_number_id, mime_type: mime }, bytes);
  const { id } = simulator.inbound({ phone_number_id, from, type, [type]: { id: provider, ...more } });
  const message = await vi.waitFor(async () => {
    const { body } = await of.call("GET", "/v1/messages?direction=inbound&limit=100");
    const found = body.data.find((one: Json) => one.provider_message_id === id);
    if (!found) throw new Error("the message has not arrived");
    return found;
  }, PATIENCE);
  return { message, media: message[type].id, provider };
}
const get = async (media: string, of = mine): Promise<Json> => (await of.call("GET", `/v1/media/${media}`)).body;
const becomes = (media: string, status: string, of = mine): Promise<Json> =>
  vi.waitFor(async () => {
    const body = await get(media, of);
    if (body.status !== status) throw new Error(`it is ${body.status}`);
    return body;
  }, PATIENCE);
const contentOf = async (media: string, of = mine) => {
  const answer = await fetch(`${gateway.url}/v1/media/${media}/content`, {
    headers: { authorization: `Bearer ${of.key}` },
  });
  return Buffer.from(await answer.arrayBuffer());
};
const eventsOf = async (message: Json, of = mine): Promise<Json[]> =>
  (await of.call("GET", `/v1/events?message_id=${message.id}`)).body.data;
const kindsOf = async (message: Json) => (await eventsOf(message)).map(({ kind }) => kind);
/** What waits to be fetched. */
const tried = () => mine.rows("select attempt from fetching");
const waiting = async (of = mine) => (await of.rows("select 1 from fetching")).length;

describe("a file that a person sends", () => {
  it("is announced at once, fetched, and read by its workspace alone", async () => {
    gateway.simulator.addFault({ kind: "delay", delayMs: 500, operation: "download_media" });
    const { message, media } = await sent(PDF, { more: { filename: "plan.pdf", caption: "The plan" } });
    expect(message.document).toEqual({
      id: expect.stringMatching(/^med_/),
      mime_type: "application/pdf",
      sha256: createHash("sha256").update(PDF).digest("base64"),
      filename: "plan.pdf",
      caption: "The plan",
    });
    const available = await becomes(media, "available");
    expect(available).toMatchObject({
      type: "document",
      mime_type: "application/pdf",
      size: PDF.length,
      sha256: sha256(PDF),
      filename: "plan.pdf",
      source: "inbound",
      message_id: message.id,
    });
    expect(await contentOf(media)).toEqual(PDF);
    expect((await theirs.call("GET", `/v1/media/${media}`)).status).toBe(404);
    await expect.poll(() => kindsOf(message), PATIENCE).toEqual(["messages", "media_available"]);
    expect((await eventsOf(message))[1].data).toMatchObject({
      media: { id: media, status: "available" },
      message_id: message.id,
      contact_id: message.contact_id,
    });
    await expect.poll(() => waiting()).toBe(0);
    expect(await mine.rows("select from media_fetch")).toEqual([]);
  });

  it("is stored once for a workspace, however many send it, and for each workspace by itself", async () => {
    const before = (await filesOf(gateway)).length;
    const bytes = Buffer.concat([PDF, randomBytes(100)]);
    const [one, other, foreign] = [await sent(bytes), await sent(bytes), await sent(bytes, { of: theirs })];
    await Promise.all([
      becomes(one.media, "available"),
      becomes(other.media, "available"),
      becomes(foreign.media, "available", theirs),
    ]);
    expect((await filesOf(gateway)).length - before).toBe(2);
    expect(one.media).not.toBe(other.media);
  });

  it("is saved under a name that leads nowhere else", async () => {
    const { media } = await sent(Buffer.from([1, 2, 3]), {
      mime: "application/x-own",
      more: { filename: "../etc\\pa\u202Essw" },
    });
    expect((await becomes(media, "available")).filename).toBe("../etc\\pa\u202Essw");
    const { headers } = await fetch(`${gateway.url}/v1/media/${media}/content`, {
      headers: { authorization: `Bearer ${mine.key}` },
    });
    expect(headers.get("content-disposition")).toBe(
      "attachment; filename=\".._etc_pa_ssw\"; filename*=UTF-8''.._etc_pa_ssw",
    );
  });

  it("can be sent on", async () => {
    const from = person();
    const { media } = await sent(JPEG, { type: "image", mime: "image/jpeg", from });
    await becomes(media, "available");
    const { body } = await mine.call("POST", "/v1/messages", {
      body: { to: from, type: "image", image: { id: media } },
    });
    expect(await mine.becomes(body.id, "accepted")).toMatchObject({ image: { id: media } });
  });

  it("comes in a sticker, a voice message and an echo of the business too, and in samples of every kind", async () => {
    const phone_number_id = mine.account.providerPhoneNumberId;
    const { simulator } = gateway;
    const available = async () => (await mine.rows("select 1 from media where status = 'available'")).length;
    const before = await available();
    for (const sample of ["image", "video", "audio", "voice", "document", "sticker"] as const)
      simulator.inbound({ phone_number_id, from: person(), sample });
    const file = await simulator.addFile({ phone_number_id, mime_type: "image/jpeg" }, JPEG);
    simulator.echo({ phone_number_id, to: person(), type: "image", image: { id: file.id } });
    await expect.poll(available, PATIENCE).toBe(before + 7);
    expect(await mine.rows("select 1 from media where status <> 'available'")).toEqual([]);
    const { body } = await mine.call("GET", "/v1/media?source=inbound&limit=100");
    const voice = body.data.find((one: Json) => one.mime_type === "audio/ogg; codecs=opus");
    const { headers } = await fetch(`${gateway.url}/v1/media/${voice.id}/content`, {
      headers: { authorization: `Bearer ${mine.key}` },
    });
    expect(headers.get("content-type")).toBe("audio/ogg");
    expect(headers.get("content-disposition")).toContain(`"${voice.id}.ogg"`);
  });

  it("that is repeated by the provider is one media", async () => {
    const { message, media } = await sent(PDF);
    const { data } = gateway.simulator.callbacks();
    gateway.simulator.repeatCallback(data.at(-1)!.cursor);
    await gateway.simulator.idle();
    await becomes(media, "available");
    expect(await mine.call("GET", `/v1/media?message_id=${message.id}`)).toMatchObject({
      body: { data: [{ id: media }] },
    });
  });
});

describe("a file that cannot be had", () => {
  it("fails with an event once the provider says that it is gone", async () => {
    gateway.simulator.addFault({ kind: "hang", operation: "get_media" });
    const { message, media, provider } = await sent(PDF);
    await expect.poll(() => gateway.simulator.faults()).toEqual([]);
    gateway.simulator.expireFile(provider);
    // The call that hangs is given up after a second, and follows after some.
    await expect.poll(tried, PATIENCE).toMatchObject([{ attempt: 1 }]);
    gateway.clock.advance(10_000);
    expect(await becomes(media, "failed")).toMatchObject({ error: { code: "media_failed", retryable: false } });
    await expect.poll(() => kindsOf(message), PATIENCE).toEqual(["messages", "media_failed"]);
    await expect.poll(() => waiting()).toBe(0);
  });

  it("is tried again while the host fails, breaks off or gives an address that has ended", async () => {
    const { simulator, clock } = gateway;
    simulator.addFault({ kind: "html", httpStatus: 503, operation: "download_media" });
    simulator.addFault({ kind: "reset", operation: "download_media" });
    simulator.addFault({ kind: "hang", operation: "download_media" });
    const { media } = await sent(PDF);
    for (const [tries, pauseMs] of [7_000, 40_000, 3 * MINUTE_MS].entries()) {
      await expect.poll(tried, PATIENCE).toEqual([{ attempt: tries + 1 }]);
      expect(await get(media)).toMatchObject({ status: "pending", error: { code: "media_failed", retryable: true } });
      clock.advance(pauseMs);
    }
    expect((await becomes(media, "available")).error).toBeNull();
  });

  it("is forgotten with its person, or when it is deleted, whether it is here or not", async () => {
    const { simulator } = gateway;
    const before = await filesOf(gateway);
    const from = person();
    const here = await sent(Buffer.concat([PDF, randomBytes(9)]), { from });
    await becomes(here.media, "available");
    simulator.addFault({ kind: "html", operation: "download_media", count: null });
    const [waits, deleted] = [await sent(PDF, { from }), await sent(PDF)];
    await expect.poll(waiting, PATIENCE).toBe(2);
    expect((await mine.call("DELETE", `/v1/media/${deleted.media}`)).status).toBe(204);
    expect((await mine.call("DELETE", `/v1/contacts/${here.message.contact_id}`)).status).toBeLessThan(300);
    for (const { media } of [here, waits, deleted])
      expect((await mine.call("GET", `/v1/media/${media}`)).status).toBe(404);
    simulator.clearFaults();
    gateway.clock.advance(11 * MINUTE_MS);
    await expect.poll(waiting, PATIENCE).toBe(0);
    expect(await mine.rows("select from media_fetch")).toEqual([]);
    const more = async () => {
      gateway.clock.advance(500);
      return (await filesOf(gateway)).filter((file) => !before.includes(file));
    };
    await expect.poll(more, PATIENCE).toEqual([]);
  });

  it("is tried again where the host answers with a page in its place, and is the file or failed then", async () => {
    const { simulator, clock } = gateway;
    const page = { kind: "html", httpStatus: 200, operation: "download_media" } as const;
    simulator.addFault(page);
    const { media } = await sent(PDF);
    await expect.poll(tried, PATIENCE).toEqual([{ attempt: 1 }]);
    clock.advance(7_000);
    expect(await becomes(media, "available")).toMatchObject({ sha256: sha256(PDF) });

    simulator.addFault({ ...page, count: null });
    const { media: wrong } = await sent(PDF);
    for (const [tries, pauseMs] of [7_000, 40_000].entries()) {
      await expect.poll(tried, PATIENCE).toEqual([{ attempt: tries + 1 }]);
      clock.advance(pauseMs);
    }
    expect(await becomes(wrong, "failed")).toMatchObject({ error: { detail: expect.stringContaining("other bytes") } });
    simulator.clearFaults();
  });

  it("ends after seven days", async () => {
    const { simulator, clock } = gateway;
    simulator.addFault({ kind: "html", operation: "get_media", count: null });
    const { media } = await sent(PDF);
    await expect.poll(tried, PATIENCE).toEqual([{ attempt: 1 }]);
    clock.advance(8 * DAY_MS);
    await gateway.partitionsAhead();
    expect(await becomes(media, "failed")).toMatchObject({ error: { retryable: false } });
    simulator.clearFaults();
  });

  it("holds up no other workspace's while the host hangs for it, and all arrive once it answers", async () => {
    const { simulator } = gateway;
    const { wabaId, providerPhoneNumberId } = mine.account;
    simulator.addFault({ kind: "hang", operation: "download_media", waba_id: wabaId, count: null });
    const before = (await mine.rows("select 1 from media")).length;
    const [COUNT, began] = [300, new Date(gateway.clock.now() - 1_000)];
    for (let n = 0; n < COUNT; n += 1) {
      const bytes = Buffer.concat([PDF, Buffer.from(String(n))]);
      const { id } = await simulator.addFile(
        { phone_number_id: providerPhoneNumberId, mime_type: "application/pdf" },
        bytes,
      );
      simulator.inbound({ phone_number_id: providerPhoneNumberId, from: person(), type: "document", document: { id } });
    }
    await expect
      .poll(async () => (await mine.rows("select 1 from media")).length - before, { timeout: 60_000 })
      .toBe(COUNT);
    const { media } = await sent(PDF, { of: theirs });
    await becomes(media, "available", theirs);
    const { body } = await mine.send(person());
    await mine.becomes(body.id, "accepted");
    simulator.clearFaults();
    await expect
      .poll(
        async () => {
          gateway.clock.advance(30_000);
          return (await mine.rows("select 1 from media where status = 'pending'")).length;
        },
        { timeout: 60_000, interval: 200 },
      )
      .toBe(0);
    expect(
      await mine.rows(
        "select 1 from media m join message g on g.id = m.message_id where m.status = 'failed' and g.created_at > $1",
        [began],
      ),
    ).toEqual([]);
  }, 150_000);
});
